package desktop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// watched is a watch over a window, and what came of it.
type watched struct {
	watch
	said     strings.Builder
	warnings []error
	restarts [][]setting
}

func watching(t *testing.T, a attempt, env map[string]string) *watched {
	w := &watched{}
	w.watch = watch{
		attempt: a, version: "v1", path: filepath.Join(t.TempDir(), "palimpsest", "renderer.json"),
		lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		say:    &w.said,
		warn:   func(err error) { w.warnings = append(w.warnings, err) },
		restart: func(more []setting) error {
			w.restarts = append(w.restarts, more)
			return errors.New("no such program")
		},
	}
	return w
}

// over runs a watch for which nothing is painted in time, until something is, or the program ends.
func (w *watched) over(t *testing.T, painted bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	frame, late := make(chan struct{}), make(chan time.Time)
	go func() {
		late <- time.Now()
		if painted {
			close(frame)
		} else {
			cancel()
		}
	}()
	w.run(ctx, frame, late)
}

func shut() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

func TestBlankStartsAgainOnce(t *testing.T) {
	all := map[string]string{}
	for _, s := range retried.settings() {
		all[s.name] = "0"
	}
	for name, c := range map[string]struct {
		attempt  attempt
		env      map[string]string
		restarts int
	}{
		"first time":                {attempt{plain, true}, nil, 1},
		"second time":               {attempt{retried, false}, nil, 0},
		"remembered":                {attempt{safe, false}, nil, 0},
		"the user has chosen":       {attempt{plain, false}, nil, 0},
		"nothing is left to choose": {attempt{plain, true}, all, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := watching(t, c.attempt, c.env)
			w.over(t, false)
			if len(w.restarts) != c.restarts {
				t.Fatalf("%d restarts, want %d", len(w.restarts), c.restarts)
			}
			if c.restarts > 0 && !slices.Contains(w.restarts[0], setting{rendererVariable, "retried"}) {
				t.Errorf("the next start will not know that it is the second: %v", w.restarts[0])
			}
			if len(w.warnings) != c.restarts {
				t.Errorf("a restart that fails is not warned of: %v", w.warnings)
			}
			if !strings.Contains(w.said.String(), "palimpsest serve") {
				t.Errorf("no way out is named: %q", w.said.String())
			}
		})
	}
}

func TestPaintedIsRemembered(t *testing.T) {
	for name, c := range map[string]struct {
		attempt attempt
		before  worked
		want    renderer
	}{
		"plain":                  {attempt{plain, true}, worked{}, ""},
		"plain, safe once":       {attempt{plain, true}, worked{Renderer: safe, Version: "v0"}, ""},
		"plain by choice":        {attempt{plain, false}, worked{Renderer: safe, Version: "v1"}, safe},
		"safe, after plain":      {attempt{retried, false}, worked{}, safe},
		"safe by choice":         {attempt{safe, false}, worked{}, ""},
		"safe, as is remembered": {attempt{safe, false}, worked{Renderer: safe, Version: "v1"}, safe},
	} {
		t.Run(name, func(t *testing.T) {
			w := watching(t, c.attempt, nil)
			if c.before != (worked{}) {
				if err := store(w.path, c.before); err != nil {
					t.Fatal(err)
				}
			}
			w.run(t.Context(), shut(), nil)
			if got := load[worked](w.path); got.Renderer != c.want {
				t.Errorf("remembers %q, want %q", got.Renderer, c.want)
			}
			if w.said.Len() > 0 || len(w.warnings) > 0 {
				t.Errorf("said %q, warned of %v", w.said.String(), w.warnings)
			}
			if name == "safe, after plain" && begin("", load[worked](w.path), "v1", time.Now()).renderer != safe {
				t.Error("what is remembered does not decide the next start")
			}
		})
	}
}

// TestPaintedLateIsRemembered: a page that a busy machine was too slow for was painted all the same.
func TestPaintedLateIsRemembered(t *testing.T) {
	w := watching(t, attempt{retried, false}, nil)
	w.over(t, true)
	if got := load[worked](w.path); got.Renderer != safe || w.stuck {
		t.Errorf("remembers %q; stuck: %v", got.Renderer, w.stuck)
	}
}

func TestWatchEndsWithTheProgram(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := watching(t, attempt{plain, true}, nil)
	w.run(ctx, nil, nil)
	if w.said.Len() > 0 {
		t.Errorf("said %q", w.said.String())
	}
	if _, err := os.Stat(w.path); !os.IsNotExist(err) {
		t.Errorf("something was remembered (%v)", err)
	}
}
