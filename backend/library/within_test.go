package library

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
)

// TestWithin: a session that stands in a file with others is what it is as long as its source says so, whatever else is written there, and none of
// what is done with the whole of a file is done with it.
func TestWithin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Repeat("one\n", openFrom))
	l := Open(Options{Cache: t.TempDir(), Home: t.TempDir(), Getenv: func(string) string { return "" }})
	t.Cleanup(l.Close)
	f := sources.Found{Agent: "shop", ID: "s", Within: "0 4", Files: []string{path}, Bytes: compareFrom, CreatedAt: time.UnixMilli(1e12)}
	mark, stamp := l.Mark(&f), l.stampOf(&f)
	write("another")
	if l.Mark(&f) != mark || l.stampOf(&f) != stamp {
		t.Error("it is another one when something else is written")
	}
	write(strings.Repeat("one\n", openFrom))
	if _, err := l.Edge(&f); !errors.Is(err, ErrSmall) || inPart(&f) || growsOn(&f) {
		t.Errorf("its file is taken for its own: %v", err)
	}
	f.Within = "0 8"
	if l.Mark(&f) == mark || l.stampOf(&f) == stamp {
		t.Error("it is the same when it stands elsewhere")
	}
}
