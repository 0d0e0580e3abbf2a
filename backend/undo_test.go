//go:build unix

package backend

import (
	"errors"
	"os"
	"strings"
	"testing"

	"palimpsest/backend/session"
)

func TestUndoOfFiles(t *testing.T) {
	w := atWork(t, "permissions: {allow: [write, edit, bash]}")
	w.put("a", "one\n")
	w.ends(w.calls("edit", `{"path":"a","oldText":"one","newText":"two"}`)) // records 1 to 4
	w.ends(w.calls("write", `{"path":"new","content":"n\n"}`))              // 5 to 8
	w.ends(w.calls("edit", `{"path":"a","oldText":"two","newText":"three"}`))
	w.ends(w.calls("bash", `{"command":"echo x > made"}`)) // 13 to 16
	undo := func(seq int64, dry bool) FileUndo {
		t.Helper()
		out, err := w.UndoFiles(t.Context(), w.id, seq, dry)
		newsMust(t, err)
		return out
	}
	is := func(a, made string) {
		t.Helper()
		if w.text("a") != a || w.text("new") != made || w.text("made") != "x\n" {
			t.Errorf("a is %q, new is %q, made is %q", w.text("a"), w.text("new"), w.text("made"))
		}
	}
	if got, err := w.Get(w.id); err != nil || got.Summary == nil || *got.Summary != (session.Edits{Additions: 3, Deletions: 2, Files: 2}) {
		t.Errorf("%+v, %v", got.Summary, err)
	}
	dry := undo(4, true)
	if len(dry.Files) != 2 || dry.Commands != 1 || dry.CommittedSeq != nil || dry.Files[1].Diff != "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-three\n+two\n" {
		t.Errorf("%+v", dry)
	}
	is("three\n", "n\n")
	done := undo(4, false)
	if done.CommittedSeq == nil || *done.CommittedSeq != 17 || len(done.Files) != 2 || done.Problem != nil {
		t.Errorf("%+v", done)
	}
	is("two\n", "(none)")
	if got, err := w.Get(w.id); err != nil || *got.Summary != (session.Edits{Additions: 1, Deletions: 1, Files: 2}) {
		t.Errorf("%+v, %v", got.Summary, err)
	}
	if _, err := w.UndoFiles(t.Context(), w.id, 4, false); !errors.Is(err, ErrNothingToUndo) || !errors.Is(err, session.ErrInput) {
		t.Errorf("taken back twice: %v", err)
	}
	undo(16, false) // the undo itself
	is("three\n", "n\n")
	undo(17, false)
	is("two\n", "(none)")
	u := w.say("and now?")
	q := w.server.Next()
	if !strings.Contains(q.Raw, "The user took back changes of files") {
		t.Error("the model is not told")
	}
	q.Answer("well")
	u.ok()
	w.put("a", "by hand\n")
	if _, err := w.UndoFiles(t.Context(), w.id, 0, false); !errors.Is(err, ErrNothingToUndo) || !strings.Contains(err.Error(), "changed since") {
		t.Error(err)
	}
	if _, err := w.UndoFiles(t.Context(), w.id, 19, true); !errors.Is(err, ErrNothingToUndo) {
		t.Error(err)
	}
	if _, err := w.UndoFiles(t.Context(), w.id, 1000, true); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
}

// TestUndoOutside: a log may name any file; only those that a rule lets be written are touched.
func TestUndoOutside(t *testing.T) {
	w := atWork(t)
	other := t.TempDir() + "/other"
	newsMust(t, os.WriteFile(other, []byte("one\n"), 0o600))
	u := w.calls("edit", `{"path":"`+other+`","oldText":"one","newText":"two"}`)
	w.asked(u)
	w.answers(u, AnswerOnce, "")
	w.ends(u)
	dry, err := w.UndoFiles(t.Context(), w.id, 0, true)
	if err != nil || len(dry.Files) != 1 || dry.Files[0].Blocked == nil || !strings.Contains(*dry.Files[0].Blocked, "outside") {
		t.Errorf("%+v, %v", dry, err)
	}
	_, err = w.ChangePermissions(t.Context(), w.id, func([]session.Permission) []session.Permission {
		return []session.Permission{{Rule: "write(" + other + ")", Effect: "allow"}}
	})
	newsMust(t, err)
	if _, err := w.UndoFiles(t.Context(), w.id, 0, false); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(other); err != nil || string(data) != "one\n" {
		t.Errorf("%q, %v", data, err)
	}
}
