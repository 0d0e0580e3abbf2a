package backend

import (
	"os"
	"slices"
	"sync"
	"testing"

	"palimpsest/backend/scan"
)

// TestVanishedIsNotForgotten: what was read of a session that its agent deletes before that is in the index stays there, whatever else is taken
// away meanwhile, and by whom. Only a listing tells that it is not there.
func TestVanishedIsNotForgotten(t *testing.T) {
	for name, listed := range map[string]bool{"listed before": false, "listed anew": true} {
		t.Run(name, func(t *testing.T) {
			v := newForgetting(t)
			b, other := v.open(), v.open()
			own, err := b.New(NewSession{})
			newsMust(t, err)
			_, err = b.openIndex()
			newsMust(t, err)
			stock := b.indexing.stock
			listing, err := stock.List(t.Context(), nil)
			newsMust(t, err)
			item := listing.Items[slices.IndexFunc(listing.Items, func(item scan.Item) bool { return item.ID == "pi:s1" })]
			vanish := sync.OnceFunc(func() {
				newsMust(t, os.Remove(v.file()))
				newsMust(t, other.Trash(t.Context(), own.ID))
				if listed {
					_, err := stock.List(t.Context(), nil)
					newsMust(t, err)
				}
			})
			events, cancel := b.Subscribe()
			opened := false
			newsMust(t, stock.Read(t.Context(), item, func() error {
				if opened {
					vanish()
				}
				opened = true // it is by the next time
				return nil
			}))
			if _, err := os.Stat(v.file()); err == nil {
				t.Fatal("it did not vanish while it was read")
			}
			if _, there, err := stock.index.Session(t.Context(), "pi:s1"); err != nil || !there {
				t.Errorf("it is not in the index: %v", err)
			}
			cancel()
			for e := range events {
				if !listed && e.Kind == EventRemoved && e.SessionID != nil && *e.SessionID == "pi:s1" {
					t.Error("it is told to be gone")
				}
			}
		})
	}
}

// TestForgottenAndBack: a session that was forgotten since it was listed is stored if its file is there again.
func TestForgottenAndBack(t *testing.T) {
	v := newForgetting(t)
	b := v.open()
	_, err := b.openIndex()
	newsMust(t, err)
	stock := b.indexing.stock
	_, err = stock.List(t.Context(), nil)
	newsMust(t, err)
	newsMust(t, b.lastList.drop("pi:s1"))
	if !stock.wanted(t.Context(), "pi:s1") {
		t.Error("its file is there")
	}
	newsMust(t, os.Remove(v.file()))
	if stock.wanted(t.Context(), "pi:s1") {
		t.Error("its file is not there")
	}
}
