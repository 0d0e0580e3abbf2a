package tools

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

//go:embed edit.md
var editAbout string

type editArguments struct {
	Path  string        `json:"path"`
	Edits []replacement `json:"edits"`
	// One edit may also be written without a list, as other agents do.
	OldText    *string `json:"oldText"`
	NewText    *string `json:"newText"`
	ReplaceAll bool    `json:"replaceAll"`
}

func (a editArguments) target() (string, string) { return a.Path, "" }

// editNames are what other agents call the parts of an edit.
var editNames = map[string]string{
	"old_string": "oldText", "oldString": "oldText", "old_str": "oldText", "old_text": "oldText",
	"new_string": "newText", "newString": "newText", "new_str": "newText", "new_text": "newText",
	"replace_all": "replaceAll",
}

// replacement is one edit.
type replacement struct {
	OldText    string
	NewText    *string
	ReplaceAll bool
}

// UnmarshalJSON also knows other agents' names.
func (r *replacement) UnmarshalJSON(data []byte) error {
	type plain struct {
		OldText    string  `json:"oldText"`
		NewText    *string `json:"newText"`
		ReplaceAll bool    `json:"replaceAll"`
	}
	p, err := decode[plain](string(data), editNames)
	*r = replacement(p)
	return err
}

var editTool = define("edit", editAbout, false, schema(
	parameter{name: "path", kind: "string", about: "The file, relative to the working directory or absolute.", required: true},
	parameter{name: "edits", kind: "array", about: "What to replace.", required: true, items: json.RawMessage(
		`{"type":"object","properties":{"oldText":{"type":"string"},"newText":{"type":"string"},"replaceAll":{"type":"boolean"}},"required":["oldText","newText"]}`,
	)},
), names(editNames, pathNames), edit)

func names(sets ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return all
}

func edit(j *job, a editArguments) (Result, error) {
	edits := a.Edits
	if a.OldText != nil {
		edits = append(edits, replacement{OldText: *a.OldText, NewText: a.NewText, ReplaceAll: a.ReplaceAll})
	}
	if len(edits) == 0 {
		return Result{}, errors.New("the arguments of edit: edits is missing")
	}
	j.changing.Lock()
	defer j.changing.Unlock()
	p, err := j.place(a.Path)
	if err != nil {
		return Result{}, err
	}
	defer p.Close()
	was, err := p.before()
	switch {
	case err != nil:
		return Result{}, err
	case !was.there:
		return Result{}, fmt.Errorf("there is no %s; to make it, use write", p.shown)
	case isBinary(was.data):
		return Result{}, fmt.Errorf("%s is a binary file, which can't be edited as text", p.shown)
	}
	text, err := replaceIn(string(was.data), edits)
	if err != nil {
		return Result{}, fmt.Errorf("%s was not changed: %w", p.shown, err)
	}
	if text == string(was.data) {
		return Result{Text: p.shown + " is just that already; nothing was written\n"}, nil
	}
	return j.changed(p, was, file{there: true, data: []byte(text)}, "edited")
}
