// Package memory is the one tool of a memory flush: it adds to today's file in the memory directory of a session's folder,
// and can do nothing else. Who turns the flush on allows just that; so nothing is asked.
package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/agent/inject"
	"palimpsest/backend/llm"
)

// Tools are those of a flush.
type Tools struct {
	cwd string
	now func() time.Time
}

// New returns the tools for a folder.
func New(cwd string, now func() time.Time) *Tools { return &Tools{cwd, now} }

const toolName = "write"

const (
	// contentMost bounds one addition, and fileMost a day's file, in bytes.
	contentMost = 64 << 10
	fileMost    = 1 << 20
)

// List is the one tool.
func (t *Tools) List() []llm.Tool {
	return []llm.Tool{{
		Name:        toolName,
		Description: "Adds text at the end of today's memory file, " + t.file() + ", below the working directory. What is there stays.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","description":"today's memory file; may be left out"},` +
			`"content":{"type":"string","description":"Markdown to add"}},"required":["content"]}`),
	}}
}

func (t *Tools) file() string { return inject.MemoryDir + "/" + t.now().Format(time.DateOnly) + ".md" }

// Run adds to the file.
func (t *Tools) Run(_ context.Context, call llm.Call) agent.Result {
	var wanted struct{ Path, Content string }
	file := t.file()
	err := json.Unmarshal([]byte(call.Arguments), &wanted)
	switch path := strings.TrimPrefix(wanted.Path, "./"); {
	case call.Name != toolName:
		err = fmt.Errorf("there is no tool %q here, only %s", call.Name, toolName)
	case err != nil:
		err = fmt.Errorf("the arguments can't be read: %w", err)
	case path != "" && path != file:
		err = fmt.Errorf("only %s can be written now, not %q", file, wanted.Path)
	case strings.TrimSpace(wanted.Content) == "":
		err = errors.New("content is missing or empty")
	case len(wanted.Content) > contentMost:
		err = fmt.Errorf("content is longer than %d KiB", contentMost>>10)
	default:
		err = t.add(file, wanted.Content)
	}
	if err != nil {
		return agent.Result{Text: err.Error(), IsError: true}
	}
	return agent.Result{Text: fmt.Sprintf("added %d bytes to %s", len(wanted.Content), file)}
}

// add appends through the folder's root: no link leads out of it.
func (t *Tools) add(file, content string) error {
	root, err := os.OpenRoot(t.cwd)
	if err != nil {
		return fmt.Errorf("opening the folder: %w", err)
	}
	defer func() { _ = root.Close() }() // it holds nothing
	if err := root.Mkdir(inject.MemoryDir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making %s: %w", inject.MemoryDir, err)
	}
	content = strings.TrimRight(content, "\n") + "\n"
	// Looked at before it is opened: opening a pipe would wait for its reader.
	switch info, err := root.Lstat(file); { // a link would make it another file that is written
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("writing %s: %w", file, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("writing %s: it is not a regular file", file)
	case info.Size()+int64(len(content)) > fileMost:
		return fmt.Errorf("writing %s: it would be longer than %d KiB", file, fileMost>>10)
	case info.Size() > 0:
		content = "\n" + content
	}
	out, err := root.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	_, err = out.WriteString(content)
	if err := errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return nil
}
