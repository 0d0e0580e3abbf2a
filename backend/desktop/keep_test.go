package desktop

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// rig is a keeper of a window that shows itself as seen.
func rig(t *testing.T, seen *view) *keeper {
	return &keeper{
		path: filepath.Join(t.TempDir(), "palimpsest", "window.json"),
		look: func(context.Context) (view, bool) { return *seen, true },
		warn: func(err error) { t.Error(err) },
		last: at,
	}
}

func TestKeeperWritesOnlyChanges(t *testing.T) {
	seen := view{place: at}
	k := rig(t, &seen)
	k.keep(t.Context())
	if _, err := os.Stat(k.path); !os.IsNotExist(err) {
		t.Errorf("a window that did not move was written down (%v)", err)
	}
	seen.X = 300
	k.keep(t.Context())
	if got := load[place](k.path); got != seen.place {
		t.Errorf("kept %+v, want %+v", got, seen.place)
	}
	if err := os.Remove(k.path); err != nil {
		t.Fatal(err)
	}
	k.keep(t.Context())
	if _, err := os.Stat(k.path); !os.IsNotExist(err) {
		t.Errorf("what is written already was written again (%v)", err)
	}
}

func TestKeeperRunsUntilTheEnd(t *testing.T) {
	seen := view{place: at}
	seen.Width = 900
	k := rig(t, &seen)
	ctx, cancel := context.WithCancel(t.Context())
	ticks, done := make(chan time.Time), make(chan struct{})
	go func() { defer close(done); k.run(ctx, ticks) }()
	ticks <- time.Time{}
	ticks <- time.Time{} // taken when the first is done
	if got := load[place](k.path); got.Width != 900 {
		t.Errorf("kept %+v", got)
	}
	cancel()
	<-done
}

func TestKeeperSaysOnceThatItCannotWrite(t *testing.T) {
	seen := view{place: at}
	seen.X = 300
	k := rig(t, &seen)
	blocker := filepath.Dir(k.path)
	if err := os.WriteFile(blocker, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	said := 0
	k.warn = func(error) { said++ }
	k.keep(t.Context())
	k.keep(t.Context())
	if said != 1 {
		t.Errorf("said %d times", said)
	}
}

func TestLoadOfNonsense(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	for _, text := range []string{"", "[]", `{"width":900,"height":"tall"}`, "{\"width\":900}\x00"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := load[place](path); got != (place{}) {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
