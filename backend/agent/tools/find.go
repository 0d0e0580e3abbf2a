package tools

import (
	_ "embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed find.md
var findAbout string

type findArguments struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Limit   count  `json:"limit"`
}

func (a findArguments) target() (string, string) { return orHere(a.Path), "" }

var findTool = define("find", findAbout, true, schema(
	parameter{name: "pattern", kind: "string", about: "The glob that names or paths match.", required: true},
	parameter{name: "path", kind: "string", about: "The folder to look in; the working directory if left out."},
	parameter{name: "limit", kind: "integer", about: "How many paths at most; 500 if left out."},
), map[string]string{"glob": "pattern", "name": "pattern", "file_path": "path", "filePath": "path"}, findFiles)

const (
	findPaths = 500
	findMost  = 10_000
)

func findFiles(j *job, a findArguments) (Result, error) {
	matches, err := globbing(a.Pattern)
	if err != nil {
		return Result{}, err
	}
	p, err := j.place(orHere(a.Path))
	if err != nil {
		return Result{}, err
	}
	defer p.Close()
	if info, err := p.root.Stat(p.name); err != nil || !info.IsDir() {
		return Result{}, fmt.Errorf("there is no folder %s", p.shown)
	}
	var out strings.Builder
	limit, found := a.Limit.or(findPaths, findMost), 0
	short, err := j.walk(p, func(below string, entry fs.DirEntry) error {
		if !matches(below) {
			return nil
		}
		if found == limit {
			return errEnough
		}
		found++
		out.WriteString(p.join(below))
		if entry.IsDir() {
			out.WriteByte('/')
		}
		out.WriteByte('\n')
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	if found == 0 {
		out.WriteString("[nothing found]\n")
	}
	if short {
		fmt.Fprintf(&out, "[%d shown; there may be more]\n", found)
	}
	return Result{Text: out.String()}, nil
}
