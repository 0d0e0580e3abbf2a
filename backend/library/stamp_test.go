package library

import (
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
