package notify

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestFailuresHoldNobodyUp: who is handed on failures can add watches all the same, and is told that something was lost.
func TestFailuresHoldNobodyUp(t *testing.T) {
	w, err := New()
	if err != nil {
		t.Skip(err)
	}
	defer w.Close()
	for range 3 {
		w.Errors <- errors.New("an overflow") // as fsnotify does, and nobody here reads them
	}
	dir := t.TempDir()
	if err := w.Add(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	timeout := time.After(30 * time.Second)
	for range 2 {
		select {
		case <-w.Lost:
			w.Lost = nil
		case <-w.Events:
			w.Events = nil
		case <-timeout:
			t.Fatal("nothing is told")
		}
	}
}
