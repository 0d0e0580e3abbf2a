package sourcetest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/keep"
	"palimpsest/backend/siphash"
	"palimpsest/backend/sources"
)

// Failer is a test, or one of many.
type Failer interface {
	Fatalf(format string, args ...any)
}

// Pieces reads a session whose file grows to each of these sizes in turn: at each, what was read in pieces is what is read of the whole.
// It returns how often a reading went on. The file is one of the test's own.
func Pieces(t Failer, source sources.Follower, env sources.Env, found sources.Found, cuts []int) (went int) {
	return pieces(t, source, env, found, cuts, func(r sources.Reading) sources.Reading { return r })
}

// KeptPieces is [Pieces] where what is known is kept at the end of each, and the next is read by another program.
func KeptPieces(t Failer, source sources.Follower, env sources.Env, found sources.Found, cuts []int) (went int) {
	return pieces(t, source, env, found, cuts, func(r sources.Reading) sources.Reading {
		var kept bytes.Buffer
		if err := keep.Write(&kept, "v", r); err != nil {
			t.Fatalf("%v", err)
		}
		siphash.TestOnlyAnother()
		taken := taken{source: source, env: env, found: found}
		if err := keep.Read(&kept, "v", &taken); err != nil {
			t.Fatalf("%v", err)
		}
		if taken.err != nil && !errors.Is(taken.err, sources.ErrAnew) {
			t.Fatalf("%v", taken.err)
		}
		return taken.reading
	})
}

// taken is a reading that is taken up.
type taken struct {
	source  sources.Follower
	env     sources.Env
	found   sources.Found
	reading sources.Reading
	err     error
}

// Keep is as [keep.Keeper] has it.
func (k *taken) Keep(s *keep.State) {
	k.reading, k.err = k.source.Resume(context.Background(), k.env, k.found, s)
}

func pieces(t Failer, source sources.Follower, env sources.Env, found sources.Found, cuts []int, between func(sources.Reading) sources.Reading) (went int) {
	path := found.Files[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	g := Growing{t: t, source: source, env: env, found: found}
	for _, cut := range cuts {
		if err := os.WriteFile(path, whole[:min(cut, len(whole))], 0o600); err != nil {
			t.Fatalf("%v", err)
		}
		if g.Look(func() string { return string(whole[:min(cut, len(whole))]) }); g.reading != nil {
			g.reading = between(g.reading)
		}
	}
	return g.Went
}

// Growing is a session that is read on and on.
type Growing struct {
	// Went is how often a reading went on.
	Went int

	t       Failer
	source  sources.Follower
	env     sources.Env
	found   sources.Found
	reading sources.Reading
	// log is without what is written again.
	log []byte
}

// NewGrowing is one that nobody has read yet.
func NewGrowing(t Failer, source sources.Follower, env sources.Env, found sources.Found) *Growing {
	return &Growing{t: t, source: source, env: env, found: found}
}

// Look reads it on, or anew if it has to be: what was read in pieces is what is read of the whole. What it is like is told if it is not.
func (g *Growing) Look(like func() string) {
	var want, more bytes.Buffer
	wantErr := g.source.Read(context.Background(), g.env, g.found, newLog(&want, g.found))
	err := sources.ErrAnew
	if g.reading != nil {
		on := newLog(&more, g.found)
		on.Behind(g.reading.Seq())
		err = g.reading.More(context.Background(), g.found, on)
	}
	switch {
	case g.reading != nil && err == nil:
		g.Went++
	case err == nil || errors.Is(err, sources.ErrAnew):
		more.Reset()
		g.log = nil
		g.reading, err = g.source.Follow(context.Background(), g.env, g.found, newLog(&more, g.found))
	}
	if (err == nil) != (wantErr == nil) {
		g.t.Fatalf("%v, and the whole %v:\n%s", err, wantErr, like())
	}
	if err != nil {
		g.reading = nil
		return
	}
	if got := append(bytes.Clone(g.log), more.Bytes()...); !bytes.Equal(got, want.Bytes()) {
		g.t.Fatalf("%s\n%s\n%s", like(), got, want.Bytes())
	}
	if g.reading != nil {
		stands := more.Len() - len(g.reading.Again())
		g.log = append(g.log, more.Bytes()[:stands]...)
	}
}

func newLog(out *bytes.Buffer, found sources.Found) *sources.Log {
	return sources.LogOf(&found, out, func([]byte) (string, error) { return "sha", nil })
}

// Grown is a session of one file, copied to where a test may write.
func Grown(t testing.TB, found sources.Found) (sources.Found, bool) {
	t.Helper()
	const most = 256 << 10
	if len(found.Files) != 1 || found.Problem != "" || found.Bytes > most || found.InTables() { // a database does not grow at its end
		return found, false
	}
	text, err := os.ReadFile(found.Files[0])
	if err != nil {
		return found, false
	}
	path := filepath.Join(t.TempDir(), filepath.Base(found.Files[0]))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	found.Files = []string{path}
	return found, true
}
