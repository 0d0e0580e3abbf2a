package opencode

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestWhereItGrows: while a session in files goes on, opencode writes messages and parts and leaves the session's own file as it is; who looks
// whether a session has changed is given what has. Of one that rests it is that file alone, as in a copy of it.
func TestWhereItGrows(t *testing.T) {
	home := chat(asked(1, "ask"), answered(2, "answer")).home(t, conversation.newer)
	storage := filepath.Join(home, ".local/share/opencode/storage")
	session := filepath.Join(storage, "session/p/ses_2.json")
	noted := time.UnixMilli(1767348060000)
	touch := func(at time.Time, paths ...string) {
		t.Helper()
		for _, path := range paths {
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	grown := []string{filepath.Join(storage, "message/ses_2/msg_002.json"), filepath.Join(storage, "part/msg_002/prt_0020.json")}
	for dir, want := range map[time.Duration][]string{-time.Second: {session}, 0: {session}, time.Second: append([]string{session}, grown...)} {
		touch(noted, session)
		touch(noted.Add(dir), filepath.Join(storage, "message/ses_2"))
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home)))
		if !slices.Equal(f.Files, want) || !f.UpdatedAt.Equal(time.UnixMilli(1000)) {
			t.Errorf("%v: %v, %v", dir, f.UpdatedAt, f.Files)
		}
		if beside := (Source{}).Beside(t.Context(), sourcetest.Env(t, home), f); len(beside)+len(f.Files) != 5 {
			t.Errorf("%v: %v beside %v", dir, beside, f.Files)
		}
	}
}

// TestMessagesComeAndGo: as long as the session's own file stays as it is, its messages say when something was said last and what was asked first, and
// one that is gone makes it another session to read.
func TestMessagesComeAndGo(t *testing.T) {
	home := chat(asked(1, "ask"), answered(2, "answer"), asked(3, "more")).home(t, conversation.newer)
	const messages = ".local/share/opencode/storage/message/ses_2/"
	path := func(name string) string { return filepath.Join(home, messages, name) }
	env := sourcetest.Env(t, home)
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "")
	last := time.UnixMilli(1767348060000)
	change := func(text string, away ...string) {
		t.Helper()
		for _, name := range away {
			if err := os.Remove(path(name)); err != nil {
				t.Fatal(err)
			}
		}
		if text != "" {
			sourcetest.Write(t, home, messages+"msg_004.json", text)
		}
		last = last.Add(time.Minute)
		for _, at := range []string{"msg_004.json", ""} {
			if err := os.Chtimes(path(at), last, last); err != nil && text != "" {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chtimes(filepath.Join(home, messages, "../../session/p/ses_2.json"), last, last); err != nil {
		t.Fatal(err)
	}
	change("")
	seen := map[string]bool{}
	for _, step := range []struct {
		name, text string
		away       []string
		said       int64
		first      string
	}{
		{"an answer begins", `{"id":"msg_004","role":"assistant","modelID":"m","time":{"created":1767348004000}}`, nil, 1767348004000, "ask"},
		{"it ends", `{"id":"msg_004","role":"assistant","modelID":"m","time":{"created":1767348004000,"completed":1767348009000}}`, nil, 1767348009000, "ask"},
		{"the first one goes", "", []string{"msg_001.json"}, 1767348009000, "more"},
		{"and the last one", "", []string{"msg_004.json"}, 1767348003000, "more"},
	} {
		before := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		change(step.text, step.away...)
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if !f.UpdatedAt.Equal(time.UnixMilli(step.said)) || f.FirstMessage != step.first || f.Beside == before.Beside || seen[f.Beside] {
			t.Errorf("%s: %v, %q, %q", step.name, f.UpdatedAt, f.FirstMessage, f.Beside)
		}
		seen[f.Beside] = true
	}
}
