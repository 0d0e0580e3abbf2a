//go:build unix

package tools_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"palimpsest/backend/agent/tools"
)

func TestWrite(t *testing.T) {
	r := newRig(t)
	got := r.gives("write", given{"path": "a/b/c", "content": "one\ntwo\n"}, "created a/b/c: 2 lines added, 0 removed\n")
	c := got.Changes[0]
	if c.Path != r.path("a/b/c") || c.Before != nil || string(r.blobs[*c.After]) != "one\ntwo\n" || *c.Additions != 2 || c.Mode == 0 {
		t.Errorf("%+v", c)
	}
	if want := "--- /dev/null\n+++ b/a/b/c\n@@ -0,0 +1,2 @@\n+one\n+two\n"; got.Diff != want {
		t.Errorf("diff %q, want %q", got.Diff, want)
	}
	r.gives("write", given{"path": "a/b/c", "content": "one\ntwo\n"}, "a/b/c holds just that already; nothing was written\n")
	got = r.gives("write", given{"path": "a/b/c", "content": "two\n"}, "wrote a/b/c: 0 lines added, 1 removed\n")
	if c := got.Changes[0]; string(r.blobs[*c.Before]) != "one\ntwo\n" || r.text("a/b/c") != "two\n" {
		t.Errorf("%+v", c)
	}
	r.gives("write", given{"path": "empty", "content": ""}, "created empty: 0 lines added, 0 removed\n")
	r.fails("write", given{"path": "x"}, "content is missing")
	r.fails("write", given{"path": "a/b/c/d", "content": ""}, "not a directory")
}

// What somebody else wrote is not replaced unread.
func TestWriteNeedsReading(t *testing.T) {
	r := newRig(t)
	r.put("a", "mine\n")
	r.fails("write", given{"path": "a", "content": "x"}, "read it first")
	r.run("read", given{"path": "a"})
	r.put("a", "mine again\n")
	r.fails("write", given{"path": "a", "content": "x"}, "read it first")
	r.run("read", given{"path": "a"})
	r.gives("write", given{"path": "a", "content": "x"}, "wrote a: 1 lines added, 1 removed\n")
	r.gives("write", given{"path": "a", "content": "y"}, "wrote a: 1 lines added, 1 removed\n")
}

func TestModesStay(t *testing.T) {
	r := newRig(t)
	r.put("script", "one\n")
	r.must(os.Chmod(r.path("script"), 0o750))
	r.run("edit", given{"path": "script", "oldText": "one", "newText": "two"})
	if info, err := os.Stat(r.path("script")); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	r.must(os.Chmod(r.path("script"), 0o444))
	r.fails("edit", given{"path": "script", "oldText": "two", "newText": "one"}, "read-only")
	r.fails("write", given{"path": "script", "content": "one"}, "read-only")
	entries, err := os.ReadDir(r.dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestNothingChangesUnkept(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\n")
	w := r.workspace
	for name, keep := range map[string]func([]byte) (string, error){
		"nowhere to keep": nil,
		"disk full":       func([]byte) (string, error) { return "", errors.New("disk full") },
	} {
		w.Keep = keep
		set := tools.New(w)
		for _, call := range []given{{"path": "a", "oldText": "one", "newText": "two"}, {"path": "new", "content": "x"}} {
			tool := map[bool]string{true: "edit", false: "write"}[call["oldText"] != nil]
			if got := set.Run(context.Background(), callOf(tool, call), tools.Options{}); !got.IsError || !strings.Contains(got.Text, name) {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
	if r.text("a") != "one\n" || r.exists("new") {
		t.Error("changed")
	}
}

func TestEdit(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\nmore\nthree\ntwo\ntwo\n")
	got := r.gives("edit", given{"path": "a", "edits": []given{{"oldText": "three", "newText": "3"}, {"oldText": "one\n", "newText": ""}}}, "edited a: 1 lines added, 2 removed\n")
	if want := "--- a/a\n+++ b/a\n@@ -1,5 +1,4 @@\n-one\n more\n-three\n+3\n two\n two\n"; got.Diff != want || r.text("a") != "more\n3\ntwo\ntwo\n" {
		t.Errorf("diff %q, want %q", got.Diff, want)
	}
	r.gives("edit", given{"file_path": "a", "old_string": "two", "new_string": "2", "replace_all": true}, "edited a: 2 lines added, 2 removed\n")
	r.gives("edit", given{"path": "a", "edits": []given{{"old_string": "3", "new_string": "3"}}}, "a is just that already; nothing was written\n")
	r.fails("edit", given{"path": "none", "oldText": "x", "newText": "y"}, "there is no none", "use write")
	r.fails("edit", given{"path": "a"}, "edits is missing")
	r.put("bin", "a\x00b")
	r.fails("edit", given{"path": "bin", "oldText": "a", "newText": "b"}, "binary")
	r.put("latin", "caf\xe9\none\n")
	r.run("edit", given{"path": "latin", "oldText": "one", "newText": "two"})
	if r.text("latin") != "caf\xe9\ntwo\n" {
		t.Errorf("other bytes: %q", r.text("latin"))
	}
}

// Calls of one answer run side by side.
func TestManyEditsAtOnce(t *testing.T) {
	r := newRig(t)
	r.put("a", "0123456789")
	var running sync.WaitGroup
	for _, digit := range "0123456789" {
		running.Go(func() {
			r.run("edit", given{"path": "a", "oldText": string(digit), "newText": "<" + string(digit) + ">"})
		})
	}
	running.Wait()
	if want := "<0><1><2><3><4><5><6><7><8><9>"; r.text("a") != want {
		t.Errorf("%s, want %s", r.text("a"), want)
	}
}

func TestPreview(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\n")
	show := func(name string, arguments given) string {
		return r.Preview(t.Context(), callOf(name, arguments), tools.Options{})
	}
	const diff = "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-one\n+two\n"
	if got := show("edit", given{"path": "a", "oldText": "one", "newText": "two"}); got != diff {
		t.Errorf("%q", got)
	}
	if got := show("write", given{"path": "new/b", "content": "b\n"}); got != "--- /dev/null\n+++ b/new/b\n@@ -0,0 +1,1 @@\n+b\n" {
		t.Errorf("%q", got)
	}
	for name, arguments := range map[string]given{
		"edit": {"path": "a", "oldText": "absent", "newText": "x"}, "write": {"path": "../out", "content": "x"},
		"bash": {"command": "touch ran"}, "read": {"path": "a"}, "fly": {},
	} {
		if got := show(name, arguments); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if r.text("a") != "one\n" || r.exists("new") || r.exists("ran") || len(r.blobs) != 0 {
		t.Error("something was changed")
	}
}
