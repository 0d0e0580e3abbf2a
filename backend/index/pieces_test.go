package index

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
)

// asked counts how often something is made that ends with a context, as the rows of each query do.
type asked struct {
	context.Context
	times int
}

func (a *asked) Value(key any) any {
	a.times++
	return a.Context.Value(key)
}

// TestPiecesAreReadWithTheirRows: each row has its own pieces, in whatever order they were written, and those of what is not there are passed
// by; none are asked for while a row is looked at.
func TestPiecesAreReadWithTheirRows(t *testing.T) {
	x := openAt(t, t.TempDir(), tiny)
	put := func(i, pieces int) {
		s := sample(i)
		for n := range pieces {
			s.Pieces = append(s.Pieces, fmt.Append(nil, "piece ", i, n))
		}
		if err := x.Put(t.Context(), s, texts(sampleTexts(i)...)); err != nil {
			t.Fatal(err)
		}
	}
	read := func() (pieces map[string]int, times int) {
		ctx := &asked{Context: t.Context()}
		pieces = map[string]int{}
		if err := x.EachWhole(ctx, func(s *Session) {
			pieces[s.ID] = len(s.Pieces)
			for n, piece := range s.Pieces {
				if want := fmt.Sprint("piece ", s.Offset, n); string(piece) != want {
					t.Errorf("%s: %s, not %s", s.ID, piece, want)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		return pieces, ctx.times
	}
	put(1, 2)
	_, once := read()
	for i := range 20 {
		put(i, i%4)
	}
	put(1, 3)
	if err := x.store.write.exec(t.Context(), "INSERT INTO pieces SELECT piece - 1, row, data FROM pieces WHERE piece & 0xffffff = 0 AND piece > 0x7000000"); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for i := range 20 {
		want[sample(i).ID] = i % 4
	}
	want["session1"] = 3
	if got, times := read(); !reflect.DeepEqual(got, want) || times != once {
		t.Errorf("%v, asked for %d times, %d of one session", got, times, once)
	}
}

// TestAPieceIsMissing: that one is not there is found by who reads them, and by a check; who does not need them reads on.
func TestAPieceIsMissing(t *testing.T) {
	for name, find := range map[string]func(*Index) error{
		"one":   func(x *Index) error { _, _, err := x.Whole(t.Context(), "session2"); return err },
		"all":   func(x *Index) error { _, err := x.Sessions(t.Context()); return err },
		"check": func(x *Index) error { _, err := x.Check(t.Context(), "session2"); return err },
	} {
		for _, statement := range []string{
			"DELETE FROM pieces WHERE piece = (SELECT max(piece) FROM pieces)", "UPDATE pieces SET data = zeroblob(length(data))",
		} {
			x := openAt(t, t.TempDir(), tiny)
			s := sample(2)
			s.Pieces = [][]byte{[]byte("one"), []byte("two")}
			err := x.Put(t.Context(), s, texts(sampleTexts(2)...))
			if err = errors.Join(err, find(x), x.store.write.exec(t.Context(), statement)); err != nil {
				t.Fatal(err)
			}
			if _, there, err := x.Session(t.Context(), s.ID); err != nil || !there {
				t.Errorf("%s: %v", name, err)
			}
			if err := x.Append(t.Context(), sample(2), texts(sampleTexts(2)...)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := find(x); !errors.Is(err, ErrRebuilt) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestPiecesGoWithTheirSession: nothing is left of those of a session that was put again, or taken out.
func TestPiecesGoWithTheirSession(t *testing.T) {
	x := openAt(t, t.TempDir(), tiny)
	count := func() (n int) {
		if err := x.store.read.QueryRowContext(t.Context(), "SELECT count(*) FROM pieces").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	s := sample(2)
	s.Pieces = [][]byte{[]byte("one"), []byte("two")}
	for range 2 {
		if err := x.Put(t.Context(), s, texts(sampleTexts(2)...)); err != nil || count() != 2 {
			t.Errorf("%d pieces, %v", count(), err)
		}
	}
	if err := x.PutBare(t.Context(), []Session{sample(2)}, nil); err != nil || count() != 0 {
		t.Errorf("%d pieces, %v", count(), err)
	}
	if err := errors.Join(x.Put(t.Context(), s, texts()), x.Remove(t.Context(), s.ID)); err != nil || count() != 0 {
		t.Errorf("%d pieces, %v", count(), err)
	}
}
