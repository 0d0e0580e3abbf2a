//go:build !race

package backend

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestAnAppendTakesWhatIsNew: what is read and written for a line that is appended to a session that is looked at, of its files, of what was read
// of them, and of the index, is no more for a long one than for a short one: be it long of what is said, or of how often something is.
func TestAnAppendTakesWhatIsNew(t *testing.T) {
	if trafficNow() == (traffic{}) {
		t.Skip("nobody counts what is read here")
	}
	for _, one := range longSessions() {
		for _, of := range []struct {
			name      string
			few, many int
			says      string
			little    int64
		}{
			{"long", 20, 120, strings.Repeat("long ", 16<<10/5), 64 << 10},
			{"short", 4000, 8000, "short", 16 << 10},
		} {
			t.Run(one.source.Agent()+", "+of.name+" messages", func(t *testing.T) {
				few, many := one.takes(t, of.few, of.says), one.takes(t, of.many, of.says)
				if many.read-few.read > of.little {
					t.Errorf("of many %d bytes are read, and of few %d", many.read, few.read)
				}
				if many.written-few.written > of.little {
					t.Errorf("for many %d bytes are written, and for few %d", many.written, few.written)
				}
			})
		}
	}
}

// takes is what is read and written for a line that is appended to so many, once two were: the least of three, for what else the program does
// now and then is counted too.
func (s longSession) takes(t *testing.T, count int, says string) (took traffic) {
	t.Helper()
	home := t.TempDir()
	var text strings.Builder
	text.WriteString(s.head)
	for n := range count {
		text.WriteString(s.line(n, says))
	}
	path := sourcetest.Write(t, home, s.path, text.String())
	b := staying(t, home, s.source)
	awaitIndex(t, b, "scanned", ready(1))
	b.indexing.scanner.Pause()
	const first, lines = 2, 5
	for n := range lines {
		before, err := b.Page(s.id, PageOptions{Limit: 1})
		newsMust(t, err)
		add(t, path, s.line(count+n, "grown"))
		began := trafficNow()
		_, err = b.library.List(t.Context())
		newsMust(t, err)
		page, err := b.Page(s.id, PageOptions{Position: before.Total, Limit: 1})
		newsMust(t, err)
		listing, err := b.indexing.stock.List(t.Context(), nil)
		newsMust(t, err)
		newsMust(t, b.indexing.stock.Read(t.Context(), listing.Items[0], func() error { return nil }))
		switch now := trafficNow().since(began); {
		case n == first:
			took = now
		case n > first:
			took = traffic{read: min(took.read, now.read), written: min(took.written, now.written)}
		}
		if page.Total != before.Total+1 {
			t.Errorf("%d records, and %d before", page.Total, before.Total)
		}
	}
	if n := hits(t, b, "grown"); n != lines {
		t.Errorf("%d lines are in the index", n)
	}
	return took
}
