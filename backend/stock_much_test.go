package backend

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/digest"
	"palimpsest/backend/edge"
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

// reads counts what is read of a log.
type reads struct {
	bytes.Reader
	bytes int
}

func (r *reads) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.Reader.ReadAt(p, at)
	r.bytes += n
	return n, err
}

// TestMuchIsAppendedToOurs: of a log of ours that was read on already, what stood there is compared in part, also where what is appended is
// read twice.
func TestMuchIsAppendedToOurs(t *testing.T) {
	const most = 640 << 10
	before := heldMost
	t.Cleanup(func() { heldMost = before })
	heldMost = 1 << 10
	b := scanOf(t, t.TempDir(), t.TempDir(), pi.Source{})
	_, err := b.openIndex()
	newsMust(t, err)
	c := b.indexing.stock
	var log []byte
	seq := 0
	stored := func(lines int, sum *edge.Sum) int {
		for range lines {
			seq++
			log = fmt.Appendf(log, `{"recordType":"message","schemaVersion":1,"seq":%d,"role":"user","content":[{"type":"text","text":"x"}]}`+"\n", seq)
		}
		row, _, err := c.index.Session(t.Context(), "one")
		newsMust(t, err)
		row.ID = "one"
		known, _ := digest.Decode(row.Digest)
		r := &reads{Reader: *bytes.NewReader(log)}
		_, err = c.store(t.Context(), row, known, reading{r, int64(len(log)), digest.Options{Own: true, Sum: sum}}, func() error { return nil })
		newsMust(t, err)
		return r.bytes
	}
	sum := &edge.Sum{}
	stored(20_000, sum)
	if len(log) < 3*most {
		t.Fatal(len(log))
	}
	stored(1, sum)
	for range 2 {
		if n := stored(100, sum); n > most {
			t.Errorf("%d bytes of %d are read", n, len(log))
		}
	}
}
