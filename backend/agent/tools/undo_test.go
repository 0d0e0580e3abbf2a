//go:build unix

package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/agent/tools"
)

func (r *rig) undo(changes []tools.Change) *tools.Undoing {
	r.Helper()
	u, err := tools.Undo(r.workspace, changes, r.load, nil)
	r.must(err)
	return u
}

// applied takes changes back and returns those that did it.
func (r *rig) applied(changes []tools.Change) []tools.Change {
	r.Helper()
	made, err := r.undo(changes).Apply()
	r.must(err)
	return made
}

func (r *rig) edits(name, from, to string) tools.Change {
	r.Helper()
	got := r.run("edit", given{"path": name, "oldText": from, "newText": to})
	if len(got.Changes) != 1 {
		r.Fatalf("%+v", got)
	}
	return got.Changes[0]
}

func TestUndo(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\n")
	r.must(os.Chmod(r.path("a"), 0o700))
	changes := []tools.Change{r.edits("a", "one", "two"), r.edits("a", "two", "three\n")}
	changes = append(changes, r.run("write", given{"path": "new/b", "content": "b"}).Changes...)
	u := r.undo(changes)
	if len(u.Files) != 2 || u.Files[0].Path != r.path("a") || u.Files[0].Diff != "--- a/a\n+++ b/a\n@@ -1,2 +1,1 @@\n-three\n-\n+one\n" || *u.Files[0].Deletions != 2 ||
		u.Files[1].Diff != "--- a/new/b\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-b\n\\ No newline at end of file\n" {
		t.Errorf("%+v", u.Files)
	}
	if r.text("a") != "three\n\n" {
		t.Error("changed before it was to be")
	}
	made, err := u.Apply()
	r.must(err)
	if r.text("a") != "one\n" || r.exists("new/b") || len(made) != 2 {
		t.Errorf("%q, %+v", r.text("a"), made)
	}
	again := r.applied(made)
	if r.text("a") != "three\n\n" || r.text("new/b") != "b" {
		t.Errorf("undone twice: %q", r.text("a"))
	}
	r.applied(again)
	if info, err := os.Stat(r.path("a")); err != nil || info.Mode().Perm() != 0o700 || r.text("a") != "one\n" {
		t.Errorf("undone thrice: %v, %q", info.Mode(), r.text("a"))
	}
}

// TestUndoKeepsModes: a file that is made again has the mode that it had, whatever the system's mask is.
func TestUndoKeepsModes(t *testing.T) {
	r := newRig(t)
	changes := r.run("write", given{"path": "script", "content": "one\n"}).Changes
	r.must(os.Chmod(r.path("script"), 0o777))
	u := r.undo(changes)
	meant, err := u.Meant() // which is what is written down
	r.must(err)
	_, err = u.Apply()
	r.must(err)
	r.applied(meant)
	if info, err := os.Stat(r.path("script")); err != nil || info.Mode().Perm() != 0o777 || r.text("script") != "one\n" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	r.must(os.Remove(r.path("script")))
	meant[0].Mode = 0 // nobody says
	r.applied(meant)
	if info, err := os.Stat(r.path("script")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestUndoLeavesAlone(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"changed", "deleted", "between", "linked", "dir/moved", "lost", "fine"} {
		r.put(name, "one\n")
	}
	r.put("../secret", "two\n")
	var changes []tools.Change
	for _, name := range []string{"changed", "deleted", "linked", "dir/moved", "lost", "fine"} {
		changes = append(changes, r.edits(name, "one", "two"))
	}
	changes = append(changes, r.run("write", given{"path": "made", "content": "x"}).Changes...)
	made := r.applied(changes[len(changes)-1:])
	changes = append(changes[:len(changes)-1], made...)
	r.put("made", "by hand")
	changes = append(changes, r.edits("between", "one", "two"))
	r.put("between", "by hand\n")
	changes = append(changes, r.edits("between", "by hand", "three"))
	r.put("changed", "by hand\n")
	r.must(os.Remove(r.path("deleted")))
	r.must(os.Remove(r.path("linked")))
	r.link("../secret", "linked")
	r.must(os.Rename(r.path("dir"), r.path("elsewhere")))
	r.link("elsewhere", "dir")
	lost := "lost"
	for i := range changes {
		if changes[i].Path == r.path("lost") {
			changes[i].Before = &lost
		}
	}
	two := changes[0].After
	changes = append(changes,
		tools.Change{Path: r.path("../secret"), Before: changes[0].Before, After: two},
		tools.Change{Path: r.path("nothing")})
	want := map[string]string{
		"changed": "changed since", "deleted": "deleted since", "linked": "outside", "dir/moved": "leads to", "lost": "can't be read",
		"made": "made again", "between": "between these changes", "../secret": "outside", "nothing": "nothing to take back",
	}
	u := r.undo(changes)
	for _, f := range u.Files {
		name, err := filepath.Rel(r.dir, f.Path)
		r.must(err)
		if f.Blocked == "" && want[name] != "" || !strings.Contains(f.Blocked, want[name]) {
			t.Errorf("%s: %q, want %q", name, f.Blocked, want[name])
		}
	}
	if len(u.Files) != 10 {
		t.Errorf("%d files", len(u.Files))
	}
	done, err := u.Apply()
	r.must(err)
	if len(done) != 1 || r.text("fine") != "one\n" || r.text("changed") != "by hand\n" || r.text("../secret") != "two\n" || r.text("elsewhere/moved") != "two\n" || r.text("between") != "three\n" {
		t.Errorf("%+v", done)
	}
}

// What changes between the showing and the doing is left alone too.
func TestUndoLate(t *testing.T) {
	r := newRig(t)
	r.put("a", "one\n")
	r.put("b", "one\n")
	u := r.undo([]tools.Change{r.edits("a", "one", "two"), r.edits("b", "one", "two")})
	r.put("a", "by hand\n")
	made, err := u.Apply()
	if err == nil || !strings.Contains(err.Error(), "changed by somebody else") || len(made) != 1 || r.text("a") != "by hand\n" || r.text("b") != "one\n" {
		t.Errorf("%v, %+v", err, made)
	}
	if _, err := tools.Undo(r.workspace, nil, r.load, nil); err == nil {
		t.Error("nothing to undo is no error")
	}
}

// Whatever the agent did, taking it back gives what was, and taking that back what it had made.
func TestUndoIsExact(t *testing.T) {
	r := newRig(t)
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "d/c"}
		for _, name := range names {
			_ = os.Remove(r.path(name))
			if rapid.Bool().Draw(t, "there") {
				r.put(name, rapid.StringMatching(`[xy\n]{0,6}`).Draw(t, "text"))
			}
		}
		state := func() string {
			var out strings.Builder
			for _, name := range names {
				data, err := os.ReadFile(r.path(name))
				out.WriteString(name + ":" + string(data) + map[bool]string{true: "|", false: "!"}[err == nil])
			}
			return out.String()
		}
		before := state()
		var changes []tools.Change
		for range rapid.IntRange(1, 4).Draw(t, "calls") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			r.run("read", given{"path": name})
			changes = append(changes, r.run("write", given{"path": name, "content": rapid.StringMatching(`[xy\n]{0,6}`).Draw(t, "content")}).Changes...)
			changes = append(changes, r.run("edit", given{"path": name, "oldText": "x", "newText": "z"}).Changes...)
		}
		after := state()
		if len(changes) == 0 {
			return
		}
		made := r.applied(changes)
		if state() != before {
			t.Fatalf("%q, want %q", state(), before)
		}
		if len(made) > 0 {
			r.applied(made)
		}
		if state() != after {
			t.Fatalf("undone twice: %q, want %q", state(), after)
		}
	})
}
