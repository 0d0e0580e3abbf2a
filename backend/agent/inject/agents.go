package inject

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// AgentsFile is the name of the files that hold instructions for agents.
const AgentsFile = "AGENTS.md"

// How much of one such file is sent, and of all together, in bytes. Where there is more, the files nearest to the
// session's folder come first.
const (
	agentsMost    = 32 << 10
	agentsAllMost = 64 << 10
)

// agents adds the instructions that apply in the session's folder, the nearest last: it has the last word.
func (c *Context) agents(o Options) {
	if o.Cwd == "" {
		return
	}
	cwd, err := filepath.EvalSymlinks(o.Cwd)
	if err != nil || !filepath.IsAbs(cwd) {
		c.skip(o.Cwd, "the folder of the session is not there")
		return
	}
	top := topOf(cwd, o.UserHome)
	root, err := os.OpenRoot(top)
	if err != nil {
		c.skip(top, reasonOf(err))
		return
	}
	defer func() { _ = root.Close() }() // opened for reading
	var parts []Part
	left := int64(agentsAllMost)
	for dir := cwd; ; dir = filepath.Dir(dir) {
		part, used := c.agentsIn(root, top, dir, min(left, agentsMost))
		if left -= used; part != nil {
			parts = append(parts, *part)
		}
		if dir == top || dir == filepath.Dir(dir) {
			break
		}
	}
	slices.Reverse(parts)
	for _, part := range parts {
		c.add(part)
	}
}

// agentsIn reads the file of one folder, nil if there is none or it can't be used.
func (c *Context) agentsIn(root *os.Root, top, dir string, most int64) (part *Part, used int64) {
	path := filepath.Join(dir, AgentsFile)
	name, err := filepath.Rel(top, path)
	if err != nil {
		return nil, 0
	}
	if _, err := root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, 0
	}
	if most <= 0 {
		c.skip(path, fmt.Sprintf("the files nearer to the folder take all of the %d KiB there are for instructions", agentsAllMost>>10))
		return nil, 0
	}
	read, err := read(root, name, most)
	if err != nil {
		c.skip(path, reasonOf(err))
		return nil, 0
	}
	if strings.TrimSpace(read.content) == "" {
		return nil, 0
	}
	p := &Part{Kind: KindAgents, Path: path, Cut: read.size > most}
	if p.Cut {
		read.content += fmt.Sprintf("\n[cut here: the file has %d bytes]", read.size)
	}
	p.Text = tagged("instructions", path, read.content)
	return p, min(read.size, most)
}

// topOf is the highest folder whose instructions count: the root of the repository or, outside of one, the user's home.
// Elsewhere it is the folder itself, since above it others may write.
func topOf(cwd, home string) string {
	if repository, _ := repositoryOf(cwd); repository != "" {
		return repository
	}
	if home, err := filepath.EvalSymlinks(home); err == nil {
		if rel, err := filepath.Rel(home, cwd); err == nil && filepath.IsLocal(rel) {
			return home
		}
	}
	return cwd
}
