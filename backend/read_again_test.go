package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/sourcetest"
)

// TestReadAgainOnceItCanBe: a session of several files one of which could not be read is read again when that can be, though nothing else tells that it
// changed, by a program that was started since, too; and it is read no more often than that.
func TestReadAgainOnceItCanBe(t *testing.T) {
	const place, id = ".local/share/opencode/storage/", "opencode:ses_1"
	for _, lost := range []string{"part/msg_1/prt_1.json", "message/ses_1/msg_1.json"} {
		home, cache := t.TempDir(), t.TempDir()
		for name, text := range map[string]string{
			"session/p/ses_1.json":     `{"id":"ses_1","projectID":"p","directory":"/w","title":"T","time":{"created":1767348000000,"updated":1767348060000}}`,
			"message/ses_1/msg_1.json": `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1767348000000}}`,
			"message/ses_1/msg_2.json": `{"id":"msg_2","sessionID":"ses_1","role":"user","time":{"created":1767348001000}}`,
			"part/msg_1/prt_1.json":    `{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"walnut"}`,
			"part/msg_2/prt_2.json":    `{"id":"prt_2","messageID":"msg_2","sessionID":"ses_1","type":"text","text":"almond"}`,
		} {
			sourcetest.Write(t, home, place+name, text)
		}
		file, elsewhere := filepath.Join(home, filepath.FromSlash(place+lost)), filepath.Join(home, filepath.FromSlash(place), "elsewhere")
		text, err := os.ReadFile(file)
		newsMust(t, err)
		newsMust(t, os.Remove(file))
		up, err := filepath.Rel(filepath.Dir(file), elsewhere)
		newsMust(t, err)
		if os.Symlink(up, file) != nil || os.Symlink("elsewhere", elsewhere) != nil { // which leads to itself, and so to nothing that can be read
			t.Skip("no links here")
		}
		counted := &counting{Follower: opencode.Source{}}
		look := func(b *Backend, damaged bool) (times int64) {
			t.Helper()
			before := counted.times.Load()
			scanNow(t, b, id)
			list, err := b.List(t.Context(), ListOptions{})
			newsMust(t, err)
			log := readNow(t, b, id).Log
			if got := strings.Contains(log, "can't be read"); len(list) != 1 || got != damaged || hits(t, b, "almond") != 1 {
				t.Errorf("%s: damaged: %t, %+v\n%s", lost, got, list, log)
			}
			return counted.times.Load() - before
		}
		b := scanOf(t, home, cache, counted)
		look(b, true)
		look(b, true)
		if n := look(b, true); n > 0 {
			t.Errorf("%s: read %d times though nothing changed", lost, n)
		}
		b.Close()
		newsMust(t, os.Remove(elsewhere))
		newsMust(t, os.WriteFile(elsewhere, text, 0o600))
		b = scanOf(t, home, cache, counted)
		look(b, false)
		if n := look(b, false); n > 0 || hits(t, b, "walnut") != 1 {
			t.Errorf("%s: read %d times, %d hits", lost, n, hits(t, b, "walnut"))
		}
		b.Close()
	}
}
