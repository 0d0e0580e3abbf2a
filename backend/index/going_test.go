package index

import (
	"testing"
)

// TestWhatIsBeingWrittenIsNotDead: beside a long write another one looks for nothing to clean out, which would be to read all that is known of
// blocks each time.
func TestWhatIsBeingWrittenIsNotDead(t *testing.T) {
	x := openAt(t, t.TempDir(), tiny)
	long, steps := roundOf(0, 400), 0
	err := x.Put(t.Context(), Session{ID: "long"}, func(yield func(Text, error) bool) {
		for i, text := range long {
			if i == len(long)-1 {
				steps = stepsOf(t, x, func() error { return x.Put(t.Context(), Session{ID: "short"}, texts(roundOf(0, 1)...)) })
			}
			if !yield(text, nil) {
				return
			}
		}
	})
	if err != nil || steps != 1 {
		t.Fatalf("a short write beside a long one took %d steps, %v", steps, err)
	}
	// What the long one wrote is dead once it is put again.
	if steps := stepsOf(t, x, func() error { return x.Put(t.Context(), Session{ID: "long"}, texts(roundOf(1, 1)...)) }); steps < 2 {
		t.Errorf("nothing was cleaned out of what is dead: %d steps", steps)
	}
}

// stepsOf is how often the index was changed meanwhile.
func stepsOf(t *testing.T, x *Index, f func() error) int {
	t.Helper()
	before, err := readState(t.Context(), x.store.read)
	if err != nil {
		t.Fatal(err)
	}
	if err := f(); err != nil {
		t.Fatal(err)
	}
	after, err := readState(t.Context(), x.store.read)
	if err != nil {
		t.Fatal(err)
	}
	return int(after.version - before.version)
}
