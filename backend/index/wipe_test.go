package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestForgetWhatMoved: where rows that shrink, grow and go make others move between pages, of none that is forgotten a copy stays behind.
func TestForgetWhatMoved(t *testing.T) {
	dir := t.TempDir()
	x := openAt(t, dir, tiny)
	random := rand.New(rand.NewPCG(7, 2))
	word := func(i int) string { return fmt.Sprintf("unforgettable%04d", i) }
	put := func(i int) {
		s := sample(i)
		s.ID = word(i)
		s.Digest = []byte(strings.Repeat(word(i)+" ", 1+random.IntN(70)))
		if err := x.Touch(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	const sessions = 40
	for i := range sessions {
		put(i)
	}
	for range 20 * sessions {
		put(random.IntN(sessions))
	}
	for _, i := range random.Perm(sessions) {
		if err := x.Forget(t.Context(), word(i)); err != nil {
			t.Fatal(err)
		}
		if in := written(t, dir, word(i)); len(in) > 0 {
			t.Fatalf("%s is still in %v", word(i), in)
		}
	}
}

// TestForgetInAnIndexOfBefore: one that was written to by a program that overwrote nothing is written anew, once.
func TestForgetInAnIndexOfBefore(t *testing.T) {
	const word = "unforgettable"
	dir := t.TempDir()
	lived(t, dir)
	x := openAt(t, dir, tiny)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var off int
	must(x.store.write.QueryRowContext(t.Context(), "PRAGMA secure_delete = 0").Scan(&off))
	must(x.store.write.exec(t.Context(), "DROP TABLE overwrites"))
	secret := sample(50)
	secret.Digest = []byte(word)
	must(x.Put(t.Context(), secret, texts(Text{Seq: 1, Line: 1, Scope: User, Text: word})))
	must(x.Remove(t.Context(), secret.ID))
	must(x.Close())
	if len(written(t, dir, word)) == 0 {
		t.Fatal("it was overwritten, and there is nothing to test")
	}
	x = openAt(t, dir, tiny)
	must(x.Forget(t.Context(), secret.ID))
	if in := written(t, dir, word); len(in) > 0 {
		t.Errorf("it is still in %v", in)
	}
	x.store.write.from = killing{x.store.write.from, "VACUUM", func() { t.Error("it is written anew again") }}
	must(x.Forget(t.Context(), "none"))
}
