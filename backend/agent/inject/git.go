package inject

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// repositoryOf is the root of the repository that a folder is in, and where git keeps what belongs to it; empty if it is in
// none. As for git, one without a HEAD is none, nor is one of another user's: in a folder that others may write to, anybody
// could make one and have the instructions beside it sent.
func repositoryOf(dir string) (root, gitDir string) {
	for {
		path := filepath.Join(dir, ".git")
		info, err := os.Stat(path)
		if err == nil && info.IsDir() && ours(info) && beginning(filepath.Join(path, "HEAD")) != "" {
			return dir, path
		}
		if err == nil && !info.IsDir() && ours(info) {
			// Of a worktree or a submodule: a file that names the directory.
			named, ok := strings.CutPrefix(beginning(path), "gitdir: ")
			if !ok {
				return dir, ""
			}
			named = strings.TrimSpace(named)
			if !filepath.IsAbs(named) {
				named = filepath.Join(dir, named)
			}
			return dir, named
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", ""
		}
		dir = above
	}
}

var (
	// A name that git itself would refuse is none: it is shown to a model.
	branchName = regexp.MustCompile(`^ref: refs/heads/([^\x00-\x20\x7f~^:?*\[\\]{1,200})\s*$`)
	commitHash = regexp.MustCompile(`^([0-9a-f]{40,64})\s*$`)
)

// branchOf is the branch that is checked out in a folder, read from git's own file: running git would run what the
// repository's configuration says.
func branchOf(dir string) string {
	_, gitDir := repositoryOf(dir)
	if gitDir == "" {
		return ""
	}
	head := beginning(filepath.Join(gitDir, "HEAD"))
	if m := branchName.FindStringSubmatch(head); m != nil {
		return oneLine(m[1])
	}
	if m := commitHash.FindStringSubmatch(head); m != nil {
		return "none, at commit " + m[1][:12]
	}
	return ""
}

// beginning is the first of a small file, empty if there is none.
func beginning(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }() // opened for reading
	const most = 4096
	data, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return ""
	}
	return string(data)
}
