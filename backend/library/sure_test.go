package library

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// large is worth to be compared.
var large = strings.Repeat(strings.Repeat("x", 1<<10)+"\n", 300)

func grownOf(kept slip, edge uint32) slip {
	kept.Grew, kept.Edge = "another", edge
	return kept
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
