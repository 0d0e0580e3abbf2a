package library

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
)

// parted is a shop of which one session lacks another when that is gone.
type parted struct{ *shop }

func (p parted) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	return p.shop.Find(ctx, env, func(f sources.Found) error {
		if _, err := os.Stat(filepath.Join(p.Roots(env)[0], "other")); err != nil && f.ID == "part" {
			f.Lacks = "other"
		}
		return visit(f)
	})
}

// TestAnew: all that is there is read again, and what only a reading has stays.
func TestAnew(t *testing.T) {
	r, s := newRig(t), &shop{name: "pi"}
	l := Open(Options{Cache: r.cache, Home: r.home, Getenv: os.Getenv, Sources: []sources.Source{parted{s}}, Warn: func(err error) { t.Error(err) }})
	t.Cleanup(l.Close)
	all := []string{"one", "gone", "part", "other"}
	for _, id := range all {
		r.write("pi/"+id, "hello\n")
	}
	for _, id := range all {
		_, err := l.Read(t.Context(), Ref{"pi", id})
		must(t, err)
	}
	must(t, os.Remove(filepath.Join(r.home, "pi/gone")))
	must(t, os.Remove(filepath.Join(r.home, "pi/other")))
	must(t, l.Anew(t.Context()))
	for id, want := range map[string]int{"one": 0, "gone": 1, "part": 1, "other": 1} {
		if readings, err := l.readingsOf(Ref{"pi", id}); err != nil || len(readings) != want {
			t.Errorf("%s: %v, %v", id, readings, err)
		}
	}
	before := s.readings
	for id, want := range map[string]int{"part": 0, "one": 1} {
		_, err := l.Read(t.Context(), Ref{"pi", id})
		must(t, err)
		if s.readings != before+want {
			t.Errorf("%s was read %d times", id, s.readings-before)
		}
		before = s.readings
	}
}
