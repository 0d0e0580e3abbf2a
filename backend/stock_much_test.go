package backend

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources/pi"
)

// TestMuchIsAppended: more than is held of what is new is in the index once, as if all had been read at once.
func TestMuchIsAppended(t *testing.T) {
	before := heldMost
	t.Cleanup(func() { heldMost = before })
	heldMost = 256 << 10
	home := t.TempDir()
	const id = "pi:s1"
	line := func(i int, text string) string {
		return fmt.Sprintf(`{"type":"message","id":"m%d","parentId":"m%d","timestamp":"2026-01-02T10:00:00Z","message":{"role":"user","content":[{"type":"text","text":"%s"}]}}`+"\n", i, i-1, text)
	}
	var log strings.Builder
	log.WriteString(`{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}` + "\n" + line(1, "firstofall"))
	writePi(t, home, log.String())
	b := scanOf(t, home, t.TempDir(), pi.Source{})
	scanNow(t, b, id)
	filler := strings.Repeat("word ", 10_000)
	more := 2 * int(heldMost) / len(filler)
	log.WriteString(line(2, "firstofmore"))
	for i := range more {
		log.WriteString(line(3+i, filler))
	}
	log.WriteString(line(3+more, "lastofmore"))
	writePi(t, home, log.String())
	got := scanNow(t, b, id)
	if want := scanNow(t, scanOf(t, home, t.TempDir(), pi.Source{}), id); !bytes.Equal(got, want) {
		t.Errorf("%s\n%s", got, want)
	}
	for _, text := range []string{"firstofall", "firstofmore", "lastofmore"} {
		if n := hits(t, b, text); n != 1 {
			t.Errorf("%q is found %d times", text, n)
		}
	}
}
