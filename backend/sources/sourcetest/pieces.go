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
	var reading sources.Reading
	var log []byte // without what is written again
	for _, cut := range cuts {
		if err := os.WriteFile(path, whole[:min(cut, len(whole))], 0o600); err != nil {
			t.Fatalf("%v", err)
		}
		var want, more bytes.Buffer
		wantErr := source.Read(context.Background(), env, found, newLog(&want, found))
		var again []byte
		err := sources.ErrAnew
		if reading != nil {
			again = reading.Again()
			on := newLog(&more, found)
			on.Behind(reading.Seq())
			err = reading.More(context.Background(), found, on)
		}
		switch {
		case reading != nil && err == nil && bytes.HasPrefix(more.Bytes(), again):
			went++
		case err == nil || errors.Is(err, sources.ErrAnew):
			more.Reset()
			log = nil
			reading, err = source.Follow(context.Background(), env, found, newLog(&more, found))
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%d of %d bytes: %v, and the whole %v", cut, len(whole), err, wantErr)
		}
		if err != nil {
			reading = nil
			continue
		}
		if got := append(bytes.Clone(log), more.Bytes()...); !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("%d of %d bytes:\n%s\n%s\n%s", cut, len(whole), whole[:min(cut, len(whole))], got, want.Bytes())
		}
		if reading == nil {
			continue
		}
		stands := more.Len() - len(reading.Again())
		log = append(log, more.Bytes()[:stands]...)
		reading = between(reading)
	}
	return went
}

func newLog(out *bytes.Buffer, found sources.Found) *sources.Log {
	return sources.NewLog(found.Agent, found.ID, out, func([]byte) (string, error) { return "sha", nil })
}

// Grown is a session of one file, copied to where a test may write.
func Grown(t testing.TB, found sources.Found) (sources.Found, bool) {
	t.Helper()
	const most = 256 << 10
	if len(found.Files) != 1 || found.Problem != "" || found.Bytes > most {
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
