package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/sourcetest"
)

// TestWhatWasSpilledIsThereLater: a session is read again when the file of an output that was too long is there, which it was not, or is another one,
// and is not when that of another session is.
func TestWhatWasSpilledIsThereLater(t *testing.T) {
	const session, place = "p0000000", ".claude/projects/-w/"
	row := func(n int, kind, more string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"u%d","parentUuid":"u%d","sessionId":%q,"timestamp":"2026-01-02T10:00:%02dZ","cwd":"/w","message":%s}`+"\n", kind, n, n-1, session, n, more)
	}
	text := strings.Replace(row(1, "user", `{"role":"user","content":"list"}`), `"u0"`, "null", 1) +
		row(2, "assistant", `{"id":"m2","role":"assistant","model":"m","content":[{"type":"tool_use","id":"c","name":"Bash","input":{"command":"ls"}}]}`) +
		row(3, "user", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"<persisted-output>\nFull output saved to: /x/a.txt\n\nPreview"}]}`)
	home := t.TempDir()
	path := sourcetest.Write(t, home, place+session+".jsonl", text)
	counted := &counting{Follower: claudecode.Source{}}
	b := scanOf(t, home, t.TempDir(), counted)
	for _, c := range []struct {
		name, file, text string
		same             bool
	}{
		{name: "nothing", file: "", text: ""},
		{name: "its file", file: session, text: "walnut"},
		{name: "another text of the same length", file: session, text: "almond"},
		{name: "that of another session", file: "p0000001", text: "cherry", same: true},
	} {
		if c.file != "" {
			sourcetest.Write(t, home, place+c.file+"/tool-results/a.txt", c.text)
		}
		before := counted.times.Load()
		scanNow(t, b, "claudecode:"+session)
		if read := counted.times.Load() > before; read == c.same {
			t.Errorf("%s: it was read: %t", c.name, read)
		}
		log := readNow(t, b, "claudecode:"+session).Log
		if c.file == session && (!strings.Contains(log, `"blob"`) || hits(t, b, c.text) != 1) {
			t.Errorf("%s: %d hits, %s", c.name, hits(t, b, c.text), log)
		}
	}
	for _, words := range []string{"pecan", "peanut"} { // while it is appended to, and only that is read
		add(t, filepath.FromSlash(path), row(4+len(words), "user", `{"role":"user","content":"more"}`))
		scanNow(t, b, "claudecode:"+session)
		newsMust(t, os.WriteFile(filepath.Join(home, filepath.FromSlash(place), session, "tool-results", "a.txt"), []byte(words), 0o600))
		scanNow(t, b, "claudecode:"+session)
		if n := hits(t, b, words); n != 1 {
			t.Errorf("%s: %d hits", words, n)
		}
	}
}
