package inject

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"palimpsest/backend/tokens"
)

// MemoryDir is where a folder keeps what its sessions wrote down.
const MemoryDir = "memory"

const (
	// memoryMost is how large a file may be, in bytes: notes are not.
	memoryMost = 1 << 20
	// memoryFiles is how many of a directory's files are looked at.
	memoryFiles = 10_000
)

// remembered is a file of the memory directory.
type remembered struct {
	name string
	at   time.Time
}

// memory adds the newest memory files, newest first, until the budget is used up. Of the very newest, whose end is what was
// written last, the end is taken if all of it does not fit; an older one comes whole or not at all.
func (c *Context) memory(o Options) {
	if o.Cwd == "" || o.RecallTokens <= 0 {
		return
	}
	root, err := os.OpenRoot(o.Cwd)
	if err != nil {
		return // agents has said so
	}
	defer func() { _ = root.Close() }() // opened for reading
	files := c.memoryFiles(root, o.Cwd)
	left := o.RecallTokens
	shown := 0
	for i, file := range files {
		path := filepath.Join(o.Cwd, MemoryDir, file.name)
		read, err := read(root, MemoryDir+"/"+file.name, memoryMost)
		switch {
		case err != nil:
			c.skip(path, reasonOf(err))
			continue
		case read.size > memoryMost:
			c.skip(path, fmt.Sprintf("it is larger than %d KiB", memoryMost>>10))
			continue
		case strings.TrimSpace(read.content) == "":
			continue
		}
		part := Part{Kind: KindMemory, Path: path, Text: tagged(MemoryDir, path, read.content)}
		if tokens.Estimate(part.Text) > left {
			if shown > 0 || !end(&part, read.content, left) {
				c.skip(path, fmt.Sprintf("memory.recall_tokens (%d) is used up; %d files are not shown", o.RecallTokens, len(files)-i))
				return
			}
		}
		c.add(part)
		left -= c.Parts[len(c.Parts)-1].Tokens
		shown++
	}
}

// memoryFiles lists the files, the newest first.
func (c *Context) memoryFiles(root *os.Root, cwd string) []remembered {
	if _, err := root.Lstat(MemoryDir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	info, err := root.Stat(MemoryDir) // before it is opened: opening a pipe would wait for its writer
	if err == nil && !info.IsDir() {
		return nil // some other thing of that name
	}
	var dir *os.File
	if err == nil {
		dir, err = root.Open(MemoryDir)
	}
	if err != nil {
		c.skip(filepath.Join(cwd, MemoryDir), reasonOf(err))
		return nil
	}
	defer func() { _ = dir.Close() }()     // opened for reading
	entries, _ := dir.ReadDir(memoryFiles) // what came before an error is there
	var files []remembered
	for _, entry := range entries {
		if !strings.EqualFold(filepath.Ext(entry.Name()), ".md") || entry.IsDir() {
			continue
		}
		file := remembered{name: entry.Name()}
		if info, err := root.Stat(MemoryDir + "/" + entry.Name()); err == nil {
			file.at = info.ModTime()
		}
		files = append(files, file)
	}
	slices.SortFunc(files, func(a, b remembered) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.name, a.name))
	})
	return files
}

// end makes a part of as much of the end of a text as there is room for, from the beginning of a line on if there is one;
// false if there is room for nothing.
func end(part *Part, content string, room int) bool {
	const note = "[cut: the beginning is not shown]\n"
	from, to := 0, len(content) // the first place from which on it fits lies between these
	for from < to {
		middle := (from + to) / 2
		if tokens.Estimate(tagged(MemoryDir, part.Path, note+content[middle:])) > room {
			from = middle + 1
		} else {
			to = middle
		}
	}
	for from < len(content) && !utf8.RuneStart(content[from]) {
		from++
	}
	if line := strings.IndexByte(content[from:], '\n'); line >= 0 && strings.TrimSpace(content[from+line:]) != "" {
		from += line + 1
	}
	if strings.TrimSpace(content[from:]) == "" {
		return false
	}
	part.Text, part.Cut = tagged(MemoryDir, part.Path, note+content[from:]), true
	return true
}
