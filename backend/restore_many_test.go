package backend

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestRestoreMany(t *testing.T) {
	b, err := Open(Options{Home: t.TempDir()})
	newsMust(t, err)
	defer b.Close()
	var ids []string
	for range 4 {
		s, err := b.New(NewSession{})
		newsMust(t, err)
		newsMust(t, b.Trash(t.Context(), s.ID))
		ids = append(ids, s.ID)
	}
	newsMust(t, b.Purge(ids[1]))
	got, err := b.RestoreMany(t.Context(), ids[:3])
	if err != nil || !slices.Equal(got.IDs, []string{ids[0], ids[2]}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if got.FailedCount != 1 || len(got.Failed) != 1 || got.Failed[0].ID != ids[1] || got.Failed[0].Problem.Code != CodeNotFound {
		t.Errorf("what was deleted for good: %+v", got.Failed)
	}
	for _, id := range got.IDs {
		if _, err := b.Get(id); err != nil {
			t.Error(err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if got, err := b.RestoreMany(ended, ids[3:]); !errors.Is(err, context.Canceled) || len(got.IDs) > 0 {
		t.Errorf("nobody waits any more: %+v, %v", got, err)
	}
}

// TestRestoreManyHasABound: of however many fail, only the first are told whole.
func TestRestoreManyHasABound(t *testing.T) {
	b, err := Open(Options{Home: t.TempDir()})
	newsMust(t, err)
	defer b.Close()
	got, err := b.RestoreMany(t.Context(), make([]string, 3*cleanedFailures))
	if err != nil || got.FailedCount != 3*cleanedFailures || len(got.Failed) != cleanedFailures || got.IDs == nil {
		t.Errorf("%d failed, %d told, %v", got.FailedCount, len(got.Failed), err)
	}
}
