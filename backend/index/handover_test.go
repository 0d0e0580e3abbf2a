package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// TestHandOver: what another index has of a session afterwards is all that this one has: texts in pieces, what was appended, and the name as
// it is now.
func TestHandOver(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	lived(t, here)
	before := everything(t, here)
	from, to := openAt(t, here, tiny), openAt(t, there, tiny)
	if err := to.Put(t.Context(), sample(1), texts(sampleTexts(40)...)); err != nil {
		t.Fatal(err)
	}
	for id := range before {
		if err := from.HandOver(t.Context(), to, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := from.HandOver(t.Context(), to, "none"); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	if lost := faithful(t, before, everything(t, there)); len(lost) > 0 {
		t.Errorf("lost %v", lost)
	}
}

// TestHandOverOfDamaged: that a text can't be read is the fault of the index that has it, and what the other had stays.
func TestHandOverOfDamaged(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	lived(t, here)
	before := everything(t, here)
	from, to := openAt(t, here, tiny), openAt(t, there, tiny)
	for id := range before {
		if err := from.HandOver(t.Context(), to, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := from.store.write.exec(t.Context(), "DELETE FROM bodies"); err != nil {
		t.Fatal(err)
	}
	from.texts.clear()
	if err := from.HandOver(context.Background(), to, "session2"); !errors.Is(err, ErrRebuilt) {
		t.Error(err)
	}
	if lost := faithful(t, before, everything(t, there)); len(lost) > 0 || to.opened.Load() != 1 || from.opened.Load() != 2 {
		t.Errorf("lost %v; opened %d times, and %d", lost, to.opened.Load(), from.opened.Load())
	}
}

// TestHandOverToDamaged: that it can't be taken is no fault of the index that has it.
func TestHandOverToDamaged(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	lived(t, here)
	from, to := openAt(t, here, tiny), openAt(t, there, tiny)
	if err := to.store.write.exec(t.Context(), "DROP TABLE sessions"); err != nil {
		t.Fatal(err)
	}
	if err := from.HandOver(t.Context(), to, "session2"); !errors.Is(err, ErrRebuilt) {
		t.Error(err)
	}
	if from.opened.Load() != 1 || to.opened.Load() != 2 {
		t.Errorf("opened %d times, and %d: %v", from.opened.Load(), to.opened.Load(), asides(filepath.Dir(from.store.path)))
	}
	if err := from.HandOver(t.Context(), to, "session2"); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprint(textsOf(t, to, "session2")); got != fmt.Sprint(textsOf(t, from, "session2")) {
		t.Error(got)
	}
}
