//go:build unix

package backend

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/record"
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
		out, err := w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: seq, DryRun: dry})
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
	if _, err := w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: 4}); !errors.Is(err, ErrNothingToUndo) || !errors.Is(err, session.ErrInput) {
		t.Errorf("taken back twice: %v", err)
	}
	sums := func(want session.Edits) {
		t.Helper()
		if got, err := w.Get(w.id); err != nil || *got.Summary != want {
			t.Errorf("%+v, %v", got.Summary, err)
		}
	}
	undo(16, false) // the undo itself
	is("three\n", "n\n")
	sums(session.Edits{Additions: 3, Deletions: 2, Files: 2})
	undo(17, false)
	is("two\n", "(none)")
	undo(18, false)
	undo(4, false) // the edits, an undo, and that taken back, at once
	is("two\n", "(none)")
	sums(session.Edits{Additions: 1, Deletions: 1, Files: 2})
	u := w.say("and now?")
	q := w.server.Next()
	if !strings.Contains(q.Raw, "The user took back changes of files") {
		t.Error("the model is not told")
	}
	q.Answer("well")
	u.ok()
	w.put("a", "by hand\n")
	if _, err := w.UndoFiles(t.Context(), w.id, UndoOptions{}); !errors.Is(err, ErrNothingToUndo) || !strings.Contains(err.Error(), "changed since") {
		t.Error(err)
	}
	if dry, err := w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: 21, DryRun: true}); err != nil || dry.Files == nil || len(dry.Files) != 0 {
		t.Errorf("%+v, %v", dry, err)
	}
	if _, err := w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: 21}); !errors.Is(err, ErrNothingToUndo) {
		t.Error(err)
	}
	if _, err := w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: 1000, DryRun: true}); !errors.Is(err, session.ErrNotFound) {
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
	dry, err := w.UndoFiles(t.Context(), w.id, UndoOptions{DryRun: true})
	if err != nil || len(dry.Files) != 1 || dry.Files[0].Blocked == nil || !strings.Contains(*dry.Files[0].Blocked, "outside") {
		t.Errorf("%+v, %v", dry, err)
	}
	_, err = w.ChangePermissions(t.Context(), w.id, func([]session.Permission) []session.Permission {
		return []session.Permission{{Rule: "write(" + other + ")", Effect: "allow"}}
	})
	newsMust(t, err)
	if _, err := w.UndoFiles(t.Context(), w.id, UndoOptions{}); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(other); err != nil || string(data) != "one\n" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestUndoOutsideByRulesOfTheHome: a rule means the same for an undo as for the call, whatever it is relative to, and whichever
// of the two tools it is for.
func TestUndoOutsideByRulesOfTheHome(t *testing.T) {
	for name, c := range map[string]struct {
		rules []session.Permission
		want  string
	}{
		"by a rule for the home":       {[]session.Permission{{Rule: "write(~/notes/**)", Effect: "allow"}}, "one\n"},
		"by a rule for edits":          {[]session.Permission{{Rule: "edit(~/notes/other)", Effect: "allow"}}, "one\n"},
		"not by one for another place": {[]session.Permission{{Rule: "write(~/else/**)", Effect: "allow"}}, "two\n"},
		"not where that is denied":     {[]session.Permission{{Rule: "write", Effect: "allow"}, {Rule: "write(~/notes/**)", Effect: "deny"}}, "two\n"},
		"not where edits are denied":   {[]session.Permission{{Rule: "write", Effect: "allow"}, {Rule: "edit(~/notes/**)", Effect: "deny"}}, "two\n"},
	} {
		t.Run(name, func(t *testing.T) {
			home, err := filepath.EvalSymlinks(t.TempDir())
			newsMust(t, err)
			t.Setenv("HOME", home)
			w := atWork(t)
			other := home + "/notes/other"
			newsMust(t, os.Mkdir(home+"/notes", 0o700))
			newsMust(t, os.WriteFile(other, []byte("one\n"), 0o600))
			u := w.calls("edit", `{"path":"~/notes/other","oldText":"one","newText":"two"}`)
			w.asked(u)
			w.answers(u, AnswerOnce, "")
			w.ends(u)
			_, err = w.ChangePermissions(t.Context(), w.id, func([]session.Permission) []session.Permission { return c.rules })
			newsMust(t, err)
			_, err = w.UndoFiles(t.Context(), w.id, UndoOptions{})
			if data, readErr := os.ReadFile(other); readErr != nil || string(data) != c.want {
				t.Errorf("%q, %v, %v", data, readErr, err)
			}
		})
	}
}

// TestUndoThatCantBeWrittenDown changes no file.
func TestUndoThatCantBeWrittenDown(t *testing.T) {
	w := atWork(t, "permissions: {allow: [write]}")
	w.ends(w.calls("write", `{"path":"a","content":"one\n"}`))
	log, err := os.OpenFile(w.store.LogPath(w.id), os.O_APPEND|os.O_WRONLY, 0)
	newsMust(t, err)
	_, err = log.WriteString(`{"recordType":"message","schemaVersion":1,"seq":9007199254740991,"role":"user","content":[]}` + "\n")
	newsMust(t, errors.Join(err, log.Close()))
	if _, err := w.UndoFiles(t.Context(), w.id, UndoOptions{}); !errors.Is(err, record.ErrSeqsUsedUp) || !strings.Contains(err.Error(), "no file was changed") {
		t.Error(err)
	}
	if w.text("a") != "one\n" {
		t.Errorf("a is %q", w.text("a"))
	}
}

// TestUndoCutShort: what was written down and not done can be done still, and there is nothing to take back of it.
func TestUndoCutShort(t *testing.T) {
	w := atWork(t, "permissions: {allow: [write, edit]}")
	w.put("a", "one\n")
	w.ends(w.calls("edit", `{"path":"a","oldText":"one","newText":"two"}`))
	_, undoing, err := w.planUndo(w.id, UndoOptions{})
	newsMust(t, err)
	meant, err := undoing.Meant()
	newsMust(t, err)
	open, err := w.store.Writer(t.Context(), w.id)
	newsMust(t, err)
	seq, err := w.note(open, 0, meant, false)
	newsMust(t, err)
	open.Close()
	if dry, err := w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: seq - 1, DryRun: true}); err != nil || dry.Files[0].Blocked == nil || !strings.Contains(*dry.Files[0].Blocked, "nothing to take back") {
		t.Errorf("%+v, %v", dry, err)
	}
	w.ends(w.calls("edit", `{"path":"a","oldText":"two","newText":"three"}`))
	_, err = w.UndoFiles(t.Context(), w.id, UndoOptions{})
	newsMust(t, err)
	if w.text("a") != "one\n" {
		t.Errorf("a is %q", w.text("a"))
	}
}

// TestUndoFailsHalfway: the log says which files were not taken back after all.
func TestUndoFailsHalfway(t *testing.T) {
	w := atWork(t, "permissions: {allow: [write]}")
	w.ends(w.calls("write", `{"path":"a","content":"one\n"}`))
	w.ends(w.calls("write", `{"path":"b","content":"one\n"}`))
	tried := func() (FileUndo, error) {
		open, err := w.store.Writer(t.Context(), w.id)
		newsMust(t, err)
		defer open.Close()
		out, undoing, err := w.planUndo(w.id, UndoOptions{})
		newsMust(t, err)
		newsMust(t, os.Remove(w.path("b")))
		w.put("b", "one\n") // another file by now
		return out, w.takeBack(open, &out, undoing)
	}
	out, err := tried()
	if err != nil || out.Problem == nil || out.Files[0].Blocked != nil || out.Files[1].Blocked == nil || !strings.Contains(out.Problem.Message, w.path("b")) {
		t.Errorf("%+v, %v", out, err)
	}
	u := w.say("and now?")
	q := w.server.Next()
	if !strings.Contains(q.Raw, "some could not be taken back after all") {
		t.Error("the model is not told")
	}
	q.Answer("well")
	u.ok()
	if _, err := tried(); err == nil || !strings.Contains(err.Error(), "no file was changed") {
		t.Error(err)
	}
	_, err = w.UndoFiles(t.Context(), w.id, UndoOptions{})
	newsMust(t, err)
	if w.text("a") != "(none)" || w.text("b") != "(none)" {
		t.Errorf("a is %q, b is %q", w.text("a"), w.text("b"))
	}
}

// TestUndoOfWhatWasShown: what was confirmed is what is done, and an undo is taken back without what came behind it.
func TestUndoOfWhatWasShown(t *testing.T) {
	w := atWork(t, "permissions: {allow: [write]}")
	w.ends(w.calls("write", `{"path":"a","content":"one\n"}`)) // records 1 to 4
	empty, err := w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: 4, DryRun: true})
	newsMust(t, err)
	shown, err := w.UndoFiles(t.Context(), w.id, UndoOptions{DryRun: true})
	newsMust(t, err)
	w.ends(w.calls("write", `{"path":"b","content":"one\n"}`)) // 5 to 8
	if _, err := w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: 4, State: empty.State}); !errors.Is(err, ErrUndoStale) {
		t.Error("nothing was shown, and something was done:", err)
	}
	if _, err := w.UndoFiles(t.Context(), w.id, UndoOptions{State: shown.State}); !errors.Is(err, ErrUndoStale) || ProblemOf(err).Code != CodeStale {
		t.Error(err)
	}
	if w.text("a") != "one\n" || w.text("b") != "one\n" {
		t.Errorf("a is %q, b is %q", w.text("a"), w.text("b"))
	}
	shown, err = w.UndoFiles(t.Context(), w.id, UndoOptions{UntilSeq: 4, DryRun: true})
	newsMust(t, err)
	done, err := w.UndoFiles(t.Context(), w.id, UndoOptions{UntilSeq: 4, State: shown.State})
	if err != nil || w.text("a") != "(none)" || w.text("b") != "one\n" {
		t.Errorf("%v: a is %q, b is %q", err, w.text("a"), w.text("b"))
	}
	w.ends(w.calls("write", `{"path":"c","content":"one\n"}`))
	_, err = w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: *done.CommittedSeq - 1, UntilSeq: *done.CommittedSeq})
	if err != nil || w.text("a") != "one\n" || w.text("c") != "one\n" {
		t.Errorf("%v: a is %q, c is %q", err, w.text("a"), w.text("c"))
	}
}

// TestUndoWithoutTools asks for the session's folder alone.
func TestUndoWithoutTools(t *testing.T) {
	w := atWork(t, "permissions: {allow: [write]}")
	w.ends(w.calls("write", `{"path":"a","content":"one\n"}`))
	w.mu.Lock()
	w.config.Tools.Enabled = false
	w.mu.Unlock()
	if _, err := w.folder(w.id); !errors.Is(err, errToolsOff) {
		t.Fatal(err)
	}
	_, err := w.UndoFiles(t.Context(), w.id, UndoOptions{})
	if err != nil || w.text("a") != "(none)" {
		t.Errorf("%v: a is %q", err, w.text("a"))
	}
	newsMust(t, os.RemoveAll(w.dir))
	if _, err := w.UndoFiles(t.Context(), w.id, UndoOptions{DryRun: true}); err == nil || !strings.Contains(err.Error(), "is not there") {
		t.Error(err)
	}
}

// TestCommandsThatWereDenied are not counted: they changed nothing.
func TestCommandsThatWereDenied(t *testing.T) {
	w := atWork(t, `permissions: {allow: [write, "bash(true)"], deny: ["bash(false)"]}`)
	w.ends(w.calls("write", `{"path":"a","content":"one\n"}`))
	w.ends(w.calls("bash", `{"command":"false"}`))
	u := w.calls("bash", `{"command":"false x"}`)
	w.asked(u)
	w.answers(u, AnswerNo, "better not")
	w.ends(u)
	w.ends(w.calls("bash", `{"command":"true"}`))
	if dry, err := w.UndoFiles(t.Context(), w.id, UndoOptions{DryRun: true}); err != nil || dry.Commands != 1 {
		t.Errorf("%d, %v", dry.Commands, err)
	}
}

// TestUndoOfWhatIsNoText: its lines are not known, and are no part of the numbers.
func TestUndoOfWhatIsNoText(t *testing.T) {
	w := atWork(t, "permissions: {allow: [write]}")
	w.ends(w.calls("write", `{"path":"b","content":"one\n"}`))
	w.ends(w.calls("write", `{"path":"b","content":"\u0000\n\n"}`))
	sums := func(want session.Edits) {
		t.Helper()
		if got, err := w.Get(w.id); err != nil || got.Summary == nil || *got.Summary != want {
			t.Errorf("%+v, %v", got.Summary, err)
		}
	}
	sums(session.Edits{Additions: 1, Files: 1})
	done, err := w.UndoFiles(t.Context(), w.id, UndoOptions{SinceSeq: 4})
	if err != nil || w.text("b") != "one\n" || done.Files[0].Additions != nil || done.Files[0].Deletions != nil {
		t.Errorf("%+v, %v", done, err)
	}
	sums(session.Edits{Additions: 1, Files: 1})
}
