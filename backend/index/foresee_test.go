package index

import (
	"fmt"
	"testing"
)

// TestForesee: after it a search reads nothing of what is in the index, until that changes; and finds what it finds.
func TestForesee(t *testing.T) {
	x := openAt(t, t.TempDir(), tiny)
	put := func(i int) {
		t.Helper()
		if err := x.Put(t.Context(), Session{ID: fmt.Sprint(i), Stamp: "1"}, texts(Text{Text: "said"})); err != nil {
			t.Fatal(err)
		}
	}
	found := func() int {
		t.Helper()
		f, err := x.Search(t.Context(), Query{All: []Pattern{{Text: "said"}}}, Options{Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return len(f.Hits)
	}
	for i := range 3 {
		put(i)
		if err := x.Foresee(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := x.view
		if n := found(); n != i+1 || before == nil || x.view != before {
			t.Fatalf("%d sessions are found of %d, and the view was made anew: %t", n, i+1, x.view != before)
		}
	}
	put(3)
	if n := found(); n != 4 {
		t.Errorf("%d sessions are found", n)
	}
}
