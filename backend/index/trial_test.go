package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestWhatIsTakenBackGoes: however often an end is written anew, no more of it is kept than waits to be joined, nor are the marks that it is dead.
func TestWhatIsTakenBackGoes(t *testing.T) {
	x := openAt(t, t.TempDir(), usual)
	ctx := t.Context()
	if err := x.Put(ctx, Session{ID: "a"}, texts(Text{Scope: User, Text: "what stands"})); err != nil {
		t.Fatal(err)
	}
	var last *Trial
	for n := range 300 {
		added, err := x.Try(ctx, Session{ID: "a"}, last, true, texts(Text{Seq: 1, Line: 1, Scope: Assistant, Text: fmt.Sprintf("so far %d", n)}))
		if err != nil {
			t.Fatal(err)
		}
		last = &added
	}
	found, err := x.Search(ctx, Query{All: []Pattern{{Text: "so far"}}}, Options{Count: true})
	if err != nil || found.Counts["a"] != 1 || found.Hits[0].Match+found.Hits[0].After != "so far 299" {
		t.Fatalf("%+v, %v", found, err)
	}
	err = x.do(ctx, "counting", func(st *store) error {
		var marks, blocks int
		if err := st.read.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM pending), (SELECT count(*) FROM bodies)").Scan(&marks, &blocks); err != nil {
			return err
		}
		if most := usual.small + 1; marks > most || blocks > most {
			t.Errorf("%d marks and %d blocks", marks, blocks)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhatOthersWentOnFrom: an end that somebody else has written behind is not taken back.
func TestWhatOthersWentOnFrom(t *testing.T) {
	dir := t.TempDir()
	x, other := openAt(t, dir, tiny), openAt(t, dir, tiny)
	ctx := t.Context()
	one := func(seq int64, text string) Text { return Text{Seq: seq, Line: int(seq), Scope: User, Text: text} }
	if err := x.Put(ctx, Session{ID: "a"}, texts(one(0, "what stands"))); err != nil {
		t.Fatal(err)
	}
	added, err := x.Try(ctx, Session{ID: "a"}, nil, true, texts(one(1, "so far")))
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Append(ctx, Session{ID: "a"}, texts(one(2, "behind it"))); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Try(ctx, Session{ID: "a"}, &added, true, texts(one(1, "otherwise"))); !errors.Is(err, ErrChanged) {
		t.Fatalf("%v", err)
	}
	found, err := other.Search(ctx, Query{}, Options{Session: "a"})
	if err != nil || len(found.Hits) != 3 {
		t.Fatalf("%+v, %v", found, err)
	}
}

// TestTakenBackAndDamaged: where the marks of what was taken back are lost, a session is not taken for whole with it.
func TestTakenBackAndDamaged(t *testing.T) {
	dir := t.TempDir()
	x := openAt(t, dir, usual)
	ctx := t.Context()
	if err := x.Put(ctx, Session{ID: "a", Stamp: "s"}, texts(Text{Scope: User, Text: "what stands"})); err != nil {
		t.Fatal(err)
	}
	var last *Trial
	for n := range 3 {
		added, err := x.Try(ctx, Session{ID: "a", Stamp: "s"}, last, true, texts(Text{Seq: 1, Line: 1, Scope: Assistant, Text: fmt.Sprintf("so far %d", n)}))
		if err != nil {
			t.Fatal(err)
		}
		last = &added
	}
	var root int64
	err := x.store.write.QueryRowContext(ctx, "SELECT rootpage FROM sqlite_schema WHERE name = 'pending'").Scan(&root)
	if err = errors.Join(err, x.Close()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	clear(data[(root-1)*pageSize : root*pageSize])
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	x = openAt(t, dir, usual)
	if _, err := x.Search(ctx, Query{All: []Pattern{{Text: "so far"}}}, Options{}); !errors.Is(err, ErrRebuilt) {
		t.Fatal(err)
	}
	if err := x.Salvage(ctx, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	row, there, err := x.Session(ctx, "a")
	if err != nil || !there || row.Stamp != "" {
		t.Errorf("%+v, %v", row, err)
	}
}

// TestTriedInAnotherIndex: what was tried in an index that is gone is not taken back in the one in its place, whose numbers are the same.
func TestTriedInAnotherIndex(t *testing.T) {
	ctx := t.Context()
	tried := func(x *Index, last *Trial) (Trial, error) {
		if last == nil {
			if err := x.Put(ctx, Session{ID: "a"}, texts(Text{Scope: User, Text: "what stands"})); err != nil {
				t.Fatal(err)
			}
		}
		return x.Try(ctx, Session{ID: "a"}, last, true, texts(Text{Seq: 1, Line: 1, Scope: Assistant, Text: "so far"}))
	}
	x, other := openAt(t, t.TempDir(), usual), openAt(t, t.TempDir(), usual)
	added, err := tried(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tried(other, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tried(other, &added); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
}
