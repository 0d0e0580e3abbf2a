package sqlite

import (
	"context"
	"maps"
	"os"
	"slices"
	"testing"
)

// TestOwned: the rows of a table by what they belong to are those that can be read from either end, each once, whichever page is damaged; and
// a pass that was not ended is made again.
func TestOwned(t *testing.T) {
	path := forCut(t, "delete")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lacking := 0
	for page := 0; page < len(whole)/cutPage; page++ {
		text := slices.Clone(whole)
		if page > 0 { // the first says what tables there are
			clear(text[page*cutPage : (page+1)*cutPage])
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		db, cleanup, err := uncached.Open(t.Context(), t.TempDir(), path)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]int64{}
		lost := FromEnds(t.Context(), db.DB, func(scan func(...any) error) error {
			var n int64
			var owner Text
			if err := scan(&n, &owner); err != nil {
				return err
			}
			if !slices.Contains(want[string(owner)], n) {
				want[string(owner)] = append(want[string(owner)], n)
			}
			return nil
		}, "SELECT n, text FROM a NOT INDEXED")
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if db.Owned(ended, "a", "text").Lost == nil {
			t.Error("a pass that was ended is whole")
		}
		all := db.Owned(t.Context(), "a", "text")
		got := map[string][]int64{}
		for owner := range want {
			got[owner] = all.Of(owner)
		}
		if all.rows.Len() < cutRows {
			lacking++
		}
		if !maps.EqualFunc(got, want, slices.Equal) || (all.Lost == nil) != (lost == nil) || len(all.Of("nobody")) > 0 {
			t.Errorf("page %d: %v %v, not %v %v", page, got, all.Lost, want, lost)
		}
		if db.Owned(t.Context(), "a", "text") != all {
			t.Error("the second who asks has another pass made")
		}
		if err := cleanup(); err != nil {
			t.Error(err)
		}
	}
	if lacking == 0 {
		t.Error("no page was missed")
	}
}
