package index

import (
	"errors"
	"testing"
)

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
