package library

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources"
)

// named is a source of sessions that have nothing but ids.
type named struct{ ids []string }

func (named) Agent() string                      { return "pi" }
func (named) Roots(sources.Env) []string         { return nil }
func (named) Capabilities() []sources.Capability { return nil }

func (n named) Find(_ context.Context, _ sources.Env, visit func(sources.Found) error) error {
	for _, id := range n.ids {
		if err := visit(sources.Found{ID: id}); err != nil {
			return err
		}
	}
	return nil
}

func (named) Read(context.Context, sources.Env, sources.Found, *sources.Log) error {
	return sources.ErrGone
}

// TestShortsAreComplete: whatever ids there are, what is shown of one is completed to it, and is no shorter than it has to be.
func TestShortsAreComplete(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[abé]{1,4}(same-beginning-)?[abé]{0,12}`), 1, 30, rapid.ID).Draw(t, "ids")
		l := Open(Options{Cache: dir, Home: dir, Sources: []sources.Source{named{ids}}, Getenv: func(string) string { return "" }})
		defer l.Close()
		if _, err := l.List(context.Background()); err != nil {
			t.Fatal(err)
		}
		shorts := l.Shorts()
		for _, id := range ids {
			short := shorts[Ref{"pi", id}]
			if got, err := l.Complete(context.Background(), Ref{"pi", short}); err != nil || got.ID != id {
				t.Fatalf("%q of %q is %q, %v", short, id, got.ID, err)
			}
			if len(short) > shortest && short != id {
				if others := beginningWith(ids, short[:len(short)-1]); others < 2 {
					t.Fatalf("%q is longer than it has to be for %q", short, id)
				}
			}
		}
	})
}

func beginningWith(ids []string, text string) (count int) {
	for _, id := range ids {
		if strings.HasPrefix(id, text) {
			count++
		}
	}
	return count
}
