package tools

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed ls.md
var lsAbout string

type lsArguments struct {
	Path  string `json:"path"`
	Limit count  `json:"limit"`
}

func (a lsArguments) target() (string, string) { return orHere(a.Path), "" }

// orHere is the session's folder where no path is given.
func orHere(path string) string {
	if path == "" {
		return "."
	}
	return path
}

var lsTool = define("ls", lsAbout, true, schema(
	parameter{name: "path", kind: "string", about: "The folder; the working directory if left out."},
	parameter{name: "limit", kind: "integer", about: "How many entries at most; 500 if left out."},
), map[string]string{"file_path": "path", "filePath": "path", "dir": "path", "directory": "path"}, ls)

const (
	lsEntries = 500
	// lsMost bounds what is read of a folder: what is beyond it is not even sorted.
	lsMost = 20_000
)

func ls(j *job, a lsArguments) (Result, error) {
	p, err := j.place(orHere(a.Path))
	if err != nil {
		return Result{}, err
	}
	defer p.Close()
	entries, err := p.entries()
	if err != nil {
		return Result{}, err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return j.with.Skip != nil && j.with.Skip(filepath.ToSlash(filepath.Join(p.real, e.Name())))
	})
	if len(entries) == 0 {
		return Result{Text: "[the folder is empty]"}, nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	limit := a.Limit.or(lsEntries, lsMost)
	var out strings.Builder
	for _, entry := range entries[:min(len(entries), limit)] {
		out.WriteString(j.entryLine(p, entry))
	}
	switch {
	case len(entries) == lsMost:
		fmt.Fprintf(&out, "[%d of more than %d entries]\n", min(limit, lsMost), lsMost)
	case len(entries) > limit:
		fmt.Fprintf(&out, "[%d of %d entries]\n", limit, len(entries))
	}
	return Result{Text: out.String()}, nil
}

// entries is what is in a folder, up to lsMost, in no order.
func (p *place) entries() ([]fs.DirEntry, error) {
	info, err := p.root.Stat(p.name)
	if err != nil {
		return nil, p.explain(err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is no folder", p.shown)
	}
	f, err := p.root.OpenFile(p.name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, p.explain(err)
	}
	defer f.Close()
	entries, err := f.ReadDir(lsMost)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("listing %s: %w", p.shown, err)
	}
	return entries, nil
}

func (j *job) entryLine(p *place, entry fs.DirEntry) string {
	name := oneLine(entry.Name())
	switch {
	case entry.IsDir():
		return name + "/\n"
	case entry.Type()&fs.ModeSymlink != 0:
		to, err := p.root.Readlink(filepath.Join(p.name, entry.Name()))
		if err != nil {
			return name + " -> ?\n"
		}
		return name + " -> " + oneLine(to) + "\n"
	case !entry.Type().IsRegular():
		return fmt.Sprintf("%s (%s)\n", name, entry.Type())
	}
	info, err := entry.Info()
	if err != nil {
		return name + "\n"
	}
	return fmt.Sprintf("%s (%d bytes)\n", name, info.Size())
}

// oneLine is a name as part of a line: one with a line break in it must not pass for two.
func oneLine(name string) string { return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(name) }

// join is a path with slashes below a place, as it is told.
func (p *place) join(below string) string {
	if below == "." {
		return oneLine(p.shown)
	}
	return oneLine(path.Join(p.shown, below))
}
