package backend

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestWhatCameAfterTheFirstListIsNews, also where nothing else tells of it: of the sessions of other agents, nobody listens yet.
func TestWhatCameAfterTheFirstListIsNews(t *testing.T) {
	home := t.TempDir()
	named := func(id string) string { return strings.ReplaceAll(piSession(), `"s1"`, `"`+id+`"`) }
	place := func(id string) string { return ".pi/agent/sessions/--w--/2026-01-03T10-00-00-000Z_" + id + ".jsonl" }
	for _, id := range []string{"stays", "grows", "goes"} {
		sourcetest.Write(t, home, place(id), named(id))
	}
	b := residing(t, home, t.TempDir(), t.TempDir())
	if _, err := b.foreignRows(t.Context(), ListOptions{Quick: true}); err != nil {
		t.Fatal(err)
	}
	sourcetest.Write(t, home, place("comes"), named("comes"))
	sourcetest.Write(t, home, place("grows"), named("grows")+piMore)
	newsMust(t, os.Remove(filepath.Join(home, filepath.FromSlash(place("goes")))))
	news := make(chan Event, eventBuffer)
	b.news.add(news)
	_, err := b.openIndex()
	newsMust(t, err)
	if _, err := b.indexing.stock.List(t.Context(), nil); err != nil {
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

// TestManyNewsAreAGap: of more sessions than anybody would ask for one by one, who listens asks for all.
func TestManyNewsAreAGap(t *testing.T) {
	b, err := Open(Options{Home: t.TempDir(), Resident: true})
	newsMust(t, err)
	t.Cleanup(b.Close)
	for n, want := range map[int]int64{tellMost: tellMost, tellMost + 1: 1} {
		now := map[string]int{}
		for i := range n {
			now[fmt.Sprint(i)] = i
		}
		before := b.news.count()
		if tell(b, nil, now, func(a, b int) bool { return a == b }, nil); b.news.count()-before != want {
			t.Errorf("of %d, %d are told", n, b.news.count()-before)
		}
	}
}
