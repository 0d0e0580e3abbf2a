package backend

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/session"
)

func TestExportsIntoAFolder(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	own, err := b.New(NewSession{Name: "a/b: c?\u202e "})
	newsMust(t, err)
	folder := t.TempDir()
	for _, want := range []struct{ id, format, name, begins string }{
		{own.ID, "markdown", "a b c u202e.md", "# a/b: c?"},
		{own.ID, "markdown", "a b c u202e 2.md", "# a/b: c?"},
		{"pi:s1", "jsonl", "first.jsonl", `{"recordType":`},
		{"pi:s1", "pi", "first.pi.jsonl", `{"cwd":"/w"`},
		{"pi:s1", "markdown", "first.md", "# first"},
	} {
		made, err := b.ExportTo(t.Context(), want.id, ExportOptions{Format: want.format}, folder)
		newsMust(t, err)
		path := made.Path
		text, err := os.ReadFile(path)
		newsMust(t, err)
		if filepath.Base(path) != want.name || !strings.HasPrefix(string(text), want.begins) {
			t.Errorf("%s is %.60q, not %s with %s", path, text, want.name, want.begins)
		}
	}
	before, err := os.ReadDir(folder)
	newsMust(t, err)
	for id, format := range map[string]string{"pi:nobody": "jsonl", own.ID: "html"} {
		if _, err := b.ExportTo(t.Context(), id, ExportOptions{Format: format}, folder); !errors.Is(err, session.ErrNotFound) && !errors.Is(err, session.ErrInput) {
			t.Errorf("%s as %s: %v", id, format, err)
		}
	}
	if _, err := b.ExportTo(t.Context(), own.ID, ExportOptions{Format: "markdown"}, filepath.Join(folder, "none")); err == nil || !strings.Contains(err.Error(), "nothing was written") {
		t.Errorf("into no folder: %v", err)
	}
	after, err := os.ReadDir(folder)
	newsMust(t, err)
	if len(after) != len(before) {
		t.Errorf("%d files, then %d", len(before), len(after))
	}
}

// TestOnlyAnEmptySessionIsCalledEmpty: one that has messages, or of which that is not known, merely has no title.
func TestOnlyAnEmptySessionIsCalledEmpty(t *testing.T) {
	none, some, named := 0, 3, "deploy"
	for want, s := range map[string]Session{
		"(empty)":                    {MessageCount: &none},
		"(untitled)":                 {MessageCount: &some},
		"[can't be read] (untitled)": {Problem: &named},
		"[archived] deploy":          {MessageCount: &none, Name: &named, ArchivedAt: &named},
	} {
		if got := TitleOf(s); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
