package library

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAnEditThatLeavesSizeAndTime is read when the session is opened.
func TestAnEditThatLeavesSizeAndTime(t *testing.T) {
	r, s := newRig(t), &shop{name: "pi"}
	at := time.Unix(1_700_000_000, 0)
	write := func(text string) Reading {
		t.Helper()
		r.write("pi/one", text)
		path := filepath.Join(r.home, "pi", "one")
		must(t, os.Chtimes(path, at, at))
		reading, err := r.open(s).Read(t.Context(), Ref{"pi", "one"})
		must(t, err)
		return reading
	}
	before := write("hello\n")
	after := write("HELLO\n")
	for tries := 0; after.ID == before.ID && tries < 1000; tries++ { // clocks of file systems are coarse
		after = write("HELLO\n")
	}
	if text := r.text(r.open(s), after); !strings.Contains(text, "HELLO") || after.ID == before.ID {
		t.Errorf("it is still %s", text)
	}
}

// TestAWriteElsewhere is read, though the files of a session stay what they were, also where its last reading was taken over as they were
// touched.
func TestAWriteElsewhere(t *testing.T) {
	r, s := newRig(t), &shop{name: "pi"}
	r.write("pi/one", strings.Repeat(strings.Repeat("x", 1<<10)+"\n", compareFrom>>10))
	l, ref := r.open(s), Ref{"pi", "one"}
	for i := range 3 {
		s.wrote = int64(i)
		l.locks.forget(ref) // on a slow machine the last reading does for a while
		_, err := l.List(t.Context())
		must(t, err)
		found, err := l.Lookup(t.Context(), ref)
		must(t, err)
		if _, is := l.Kept()(&found); is || l.isRead(&found) {
			t.Error(i, "is read already")
		}
		must(t, l.Pass(t.Context(), found, nil, func(p Pass) error {
			text := make([]byte, p.Size)
			_, err := p.Log.ReadAt(text, 0)
			if says := strings.Contains(string(text), fmt.Sprint("noted ", i)); says != (i > 0) {
				t.Error(i, "is not passed through")
			}
			return err
		}))
		before, err := l.Read(t.Context(), ref)
		must(t, err)
		must(t, os.Chmod(filepath.Join(r.home, "pi", "one"), 0o640+os.FileMode(i)))
		after, err := l.Read(t.Context(), ref)
		must(t, err)
		if says := strings.Contains(r.text(l, after), fmt.Sprint("noted ", i)); says != (i > 0) || after.ID != before.ID && after.Grew != before.ID {
			t.Errorf("%d is not read, or not taken over: %q, not %q", i, after.Grew, before.ID)
		}
	}
}
