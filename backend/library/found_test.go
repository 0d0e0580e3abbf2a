package library

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
)

// looking is a source of one file, which it remembers, and counts its looks at it.
type looking struct {
	shop
	looks int
}

func (s *looking) Find(_ context.Context, env sources.Env, visit func(sources.Found) error) error {
	path := filepath.Join(env.Home, "file")
	return visit(env.Memory.Recall(s.name, path, func() (sources.Told, bool) {
		s.looks++
		return sources.Told{Found: sources.Found{ID: "one", Files: []string{path}}}, true
	}).Found)
}

// TestTheNextProgramForgetsNothing: what cheap reads told is known to the next program that reads as the one before did.
func TestTheNextProgramForgetsNothing(t *testing.T) {
	home, cache := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	source := &looking{shop: shop{name: "shop"}}
	for range 2 {
		l := Open(Options{Cache: cache, Home: home, Getenv: func(string) string { return "" }, Sources: []sources.Source{source}})
		listing, err := l.List(t.Context())
		if err != nil || len(listing.Found) != 1 {
			t.Errorf("%+v, %v", listing, err)
		}
		l.Close()
	}
	if source.looks != 1 {
		t.Errorf("%d looks at a file that stayed", source.looks)
	}
}
