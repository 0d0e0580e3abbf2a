package backend

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
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
	b := residing(t, t.TempDir(), t.TempDir(), t.TempDir())
	id := newsSession(t, b)
	b.BeginList()
	for _, want := range []bool{true, false} {
		if ids, begun := idsEarly(t, b); begun != want || !slices.Equal(ids, []string{id}) {
			t.Errorf("%v, begun %v and not %v", ids, begun, want)
		}
	}
}

func TestBegunListIsReadAnewAfterNews(t *testing.T) {
	b := residing(t, t.TempDir(), t.TempDir(), t.TempDir())
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
	b := residing(t, t.TempDir(), t.TempDir(), t.TempDir())
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

// TestWhatCameAfterTheFirstListIsNews, also where nothing else tells of it: of the sessions of other agents, nobody listens yet.
func TestWhatCameAfterTheFirstListIsNews(t *testing.T) {
	home := t.TempDir()
	named := func(id string) string { return strings.ReplaceAll(piSession(), `"s1"`, `"`+id+`"`) }
	place := func(id string) string { return ".pi/agent/sessions/--w--/2026-01-03T10-00-00-000Z_" + id + ".jsonl" }
	for _, id := range []string{"stays", "grows", "goes"} {
		sourcetest.Write(t, home, place(id), named(id))
	}
	b := residing(t, home, t.TempDir(), t.TempDir())
	b.BeginList()
	<-b.early.list.done
	sourcetest.Write(t, home, place("comes"), named("comes"))
	sourcetest.Write(t, home, place("grows"), named("grows")+piMore)
	newsMust(t, os.Remove(filepath.Join(home, filepath.FromSlash(place("goes")))))
	news := make(chan Event, eventBuffer)
	b.news.add(news)
	if _, err := b.indexing.stock.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := map[string]EventKind{}
	for len(news) > 0 {
		if e := <-news; e.SessionID != nil {
			got[*e.SessionID] = e.Kind
		}
	}
	if want := (map[string]EventKind{"pi:comes": EventCreated, "pi:grows": EventChanged, "pi:goes": EventRemoved}); !maps.Equal(got, want) {
		t.Errorf("told of %v, and not %v", got, want)
	}
}

// TestBegunListEnds by being closed, or because nobody comes.
func TestBegunListEnds(t *testing.T) {
	b := residing(t, t.TempDir(), t.TempDir(), t.TempDir())
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
