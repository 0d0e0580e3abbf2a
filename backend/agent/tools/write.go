package tools

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
)

//go:embed write.md
var writeAbout string

type writeArguments struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
}

func (a writeArguments) target() (string, string) { return a.Path, "" }

var writeTool = define("write", writeAbout, false, schema(
	parameter{name: "path", kind: "string", about: "The file, relative to the working directory or absolute.", required: true},
	parameter{name: "content", kind: "string", about: "All that the file is to hold.", required: true},
), map[string]string{"file_path": "path", "filePath": "path", "contents": "content", "text": "content"}, write)

// write replaces a file only if the model has seen it as it is, in this run of the program: what a user has typed since must
// not be overwritten unread. An edit needs no such rule, since its old texts must be there.
func write(j *job, a writeArguments) (Result, error) {
	if a.Content == nil {
		return Result{}, errors.New("the arguments of write: content is missing")
	}
	j.changing.Lock()
	defer j.changing.Unlock()
	p, err := j.place(a.Path)
	if err != nil {
		return Result{}, err
	}
	defer p.Close()
	was, err := p.before()
	if err != nil {
		return Result{}, err
	}
	will := file{there: true, data: []byte(*a.Content)}
	switch {
	case !was.there:
		return j.changed(p, was, will, "created")
	case bytes.Equal(was.data, will.data):
		return Result{Text: p.shown + " holds just that already; nothing was written\n"}, nil
	case len(was.data) > 0 && !j.unchanged(p, was.info):
		return Result{}, fmt.Errorf("%s is there, and you have not read it as it is now; read it first, then write it or use edit", p.shown)
	}
	return j.changed(p, was, will, "wrote")
}
