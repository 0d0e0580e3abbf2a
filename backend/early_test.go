package backend

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// idsEarly asks for the list as a page does first, and says whether it is the one that was begun.
func idsEarly(t *testing.T, b *Backend) (ids []string, begun bool) {
	t.Helper()
	b.early.mu.Lock()
	list := b.early.list
	b.early.mu.Unlock()
	rows, err := b.List(t.Context(), earlyOptions)
	newsMust(t, err)
	for i := range rows {
		ids = append(ids, rows[i].ID)
	}
	return ids, list != nil && len(rows) > 0 && &rows[0] == &list.rows[0]
}

func TestBegunListIsHandedOutOnce(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	id := newsSession(t, b)
	b.BeginList()
	for _, want := range []bool{true, false} {
		if ids, begun := idsEarly(t, b); begun != want || !slices.Equal(ids, []string{id}) {
			t.Errorf("%v, begun %v and not %v", ids, begun, want)
		}
	}
}

func TestBegunListIsReadAnewAfterNews(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	id := newsSession(t, b)
	events, cancel := b.Subscribe()
	defer cancel()
	b.BeginList()
	<-b.early.list.done
	newsMust(t, os.RemoveAll(filepath.Join(b.home, "sessions", id)))
	newsOf(t, events, EventRemoved, id)
	if ids, _ := idsEarly(t, b); len(ids) > 0 {
		t.Errorf("%v are gone", ids)
	}
}

func TestBegunListIsForWhoWantsAllOfIt(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	id := newsSession(t, b)
	b.BeginList()
	opts := earlyOptions
	opts.Query = "nothing has this"
	if rows, err := b.List(t.Context(), opts); err != nil || len(rows) > 0 {
		t.Errorf("%v, %v", rows, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.List(gone, earlyOptions); err == nil {
		t.Error("who has left is answered")
	}
	if ids, _ := idsEarly(t, b); !slices.Equal(ids, []string{id}) {
		t.Errorf("%v", ids)
	}
}

// TestBegunListEnds by being closed (newsBackend looks at what is left at work), or because nobody comes.
func TestBegunListEnds(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	newsSession(t, b)
	b.BeginList()
	list := b.early.list
	b.early.drop(list)
	if _, begun := idsEarly(t, b); begun {
		t.Error("it was dropped")
	}
	b.BeginList()
	b.Close()
	b.BeginList()
	if b.early.list != nil {
		t.Error("begun by who has closed")
	}
}
