package opencode

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

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
