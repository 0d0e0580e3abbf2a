package library

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// large is worth to be compared.
var large = strings.Repeat(strings.Repeat("x", 1<<10)+"\n", 300)

// TestGrownReadingOfSomethingElse: one that another program made, and of which something before its end was edited meanwhile, is no more used
// than opened when the session is indexed.
func TestGrownReadingOfSomethingElse(t *testing.T) {
	r, s := newRig(t), &shop{name: "pi"}
	r.write("pi/one", large)
	ref, l := Ref{"pi", "one"}, r.open(s)
	reading, err := l.Read(t.Context(), ref)
	must(t, err)
	for _, c := range []struct {
		slip  slip
		reads int
	}{{reading.slip, 0}, {grownOf(reading.slip, reading.Edge), 0}, {grownOf(reading.slip, reading.Edge+1), 1}} {
		text, err := json.Marshal(c.slip)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(l.dir(reading.ID), slipName), text, 0o600))
		before := s.readings
		must(t, r.open(s).Pass(t.Context(), reading.Found, nil, func(Pass) error { return nil }))
		if s.readings-before != c.reads {
			t.Errorf("%+v: read %d times", c.slip, s.readings-before)
		}
	}
}

func grownOf(kept slip, edge uint32) slip {
	kept.Grew, kept.Edge = "another", edge
	return kept
}

// TestReadingsOfAnotherThatGrow: of those that another program makes of each other, only the first is compared with the file, and each begins
// with the one before.
func TestReadingsOfAnotherThatGrow(t *testing.T) {
	r := newRig(t)
	l, ref := r.open(&shop{name: "pi"}), Ref{"pi", "one"}
	r.write("pi/one", large)
	found := sources.Found{Agent: "pi", ID: "one", Files: []string{filepath.Join(r.home, "pi/one")}, Bytes: int64(len(large))}
	edge, err := l.Edge(&found)
	must(t, err)
	now := l.stampOf(&found)
	for _, c := range []struct {
		id, grew string
		edge     uint32
		holds    bool
		line     uint64
	}{
		{"b", "a", edge, true, 1},
		{"c", "b", edge + 1, true, 1},
		{"c", "b", edge + 1, true, 1},
		{"d", "c", edge + 1, true, 1},
		{"f", "e", edge + 1, false, 2},
		{"d", "c", edge + 1, true, 3}, // of which nobody knows any more what it grew of
	} {
		kept := slip{Stamp: hex.EncodeToString(now[:]), Grew: c.grew, Edge: c.edge}
		line, _ := l.growing.lineOf(ref, c.id, c.grew)
		if holds := l.holds(&found, c.id, &kept); holds != c.holds || line != c.line {
			t.Errorf("%+v: %v, %d", c, holds, line)
		}
	}
}

// TestAppendedWhileItIsCompared: that tells nothing of what stands before.
func TestAppendedWhileItIsCompared(t *testing.T) {
	r := newRig(t)
	l, path := r.open(&shop{name: "pi"}), filepath.Join(r.home, "pi/one")
	r.write("pi/one", large)
	found := sources.Found{Agent: "pi", ID: "one", Files: []string{path}, Bytes: int64(len(large))}
	edge, err := l.Edge(&found)
	must(t, err)
	now := l.stampOf(&found)
	kept := grownOf(slip{Stamp: hex.EncodeToString(now[:])}, edge)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	_, err = file.WriteString("more\n")
	must(t, err)
	must(t, file.Close())
	if !l.holds(&found, "id", &kept) || l.sure.is(Ref{"pi", "one"}, "id") {
		t.Error("it is judged by what was appended")
	}
}
