package memory

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/llm"
)

func at() time.Time { return time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC) }

func write(t *testing.T, dir string, arguments map[string]string) (string, bool) {
	t.Helper()
	text, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	r := New(dir, at).Run(t.Context(), llm.Call{ID: "c", Name: "write", Arguments: string(text)})
	return r.Text, r.IsError
}

func TestAddsToTodaysFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"", "memory/2026-11-22.md", "./memory/2026-11-22.md"} {
		if text, failed := write(t, dir, map[string]string{"path": path, "content": "- a fact\n\n"}); failed || text != "added 10 bytes to memory/2026-11-22.md" {
			t.Error(text)
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, "memory", "2026-11-22.md"))
	if err != nil || string(got) != "- a fact\n\n- a fact\n\n- a fact\n" {
		t.Errorf("%q %v", got, err)
	}
	if tools := New(dir, at).List(); len(tools) != 1 || !json.Valid(tools[0].Parameters) || !strings.Contains(tools[0].Description, "memory/2026-11-22.md") {
		t.Errorf("%+v", tools)
	}
}

func TestWritesNothingElse(t *testing.T) {
	for name, c := range map[string]struct {
		arguments map[string]string
		says      string
	}{
		"another file":      {map[string]string{"path": "memory/notes.md", "content": "x"}, "only memory/2026-11-22.md"},
		"out of the folder": {map[string]string{"path": "../memory/2026-11-22.md", "content": "x"}, "only memory/2026-11-22.md"},
		"an absolute path":  {map[string]string{"path": "/etc/passwd", "content": "x"}, "only memory/2026-11-22.md"},
		"nothing":           {map[string]string{"content": " \n"}, "content is missing"},
		"far too much":      {map[string]string{"content": strings.Repeat("x", contentMost+1)}, "longer than 64 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if text, failed := write(t, dir, c.arguments); !failed || !strings.Contains(text, c.says) {
				t.Error(text)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
				t.Errorf("%v %v", entries, err)
			}
		})
	}
	r := New(t.TempDir(), at).Run(t.Context(), llm.Call{Name: "bash", Arguments: "{}"})
	if !r.IsError || !strings.Contains(r.Text, `no tool "bash"`) {
		t.Error(r.Text)
	}
	if r := New(t.TempDir(), at).Run(t.Context(), llm.Call{Name: "write", Arguments: `{"content":5}`}); !r.IsError {
		t.Error(r.Text)
	}
}

// TestLinksDoNotLeadOut: neither the directory nor the file may be somewhere else.
func TestLinksDoNotLeadOut(t *testing.T) {
	outside := t.TempDir()
	for name, make := range map[string]func(dir string) error{
		"the directory": func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "memory")) },
		"the file": func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, "memory"), 0o700); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(outside, "x"), filepath.Join(dir, "memory", "2026-11-22.md"))
		},
		"the file, to one within": func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, "memory"), 0o700); err != nil {
				return err
			}
			return os.Symlink("../Makefile", filepath.Join(dir, "memory", "2026-11-22.md"))
		},
		"a directory of its name":  func(dir string) error { return os.MkdirAll(filepath.Join(dir, "memory", "2026-11-22.md"), 0o700) },
		"a file for the directory": func(dir string) error { return os.WriteFile(filepath.Join(dir, "memory"), nil, 0o600) },
		"one that is full": func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, "memory"), 0o700); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "memory", "2026-11-22.md"), make1(fileMost), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := make(dir); err != nil {
				t.Fatal(err)
			}
			if text, failed := write(t, dir, map[string]string{"content": "x"}); !failed {
				t.Error(text)
			}
			if entries, err := os.ReadDir(outside); err != nil || len(entries) != 0 {
				t.Errorf("%v %v", entries, err)
			}
		})
	}
}

func make1(size int) []byte { return make([]byte, size) }
