package backend

import (
	"errors"
	"slices"
	"testing"
	"time"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

func TestCleanUpPart(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b, err := Open(Options{Home: t.TempDir(), Now: func() time.Time { return now }})
	newsMust(t, err)
	defer b.Close()
	for range 3 {
		_, err := b.New(NewSession{})
		newsMust(t, err)
	}
	now = now.Add(100 * sources.Day)
	rule := Cleanup{OlderThanDays: 90, DryRun: true}
	seen, err := b.CleanUpPart(t.Context(), CleanupPart{Cleanup: rule, From: 1, Rows: 1})
	if err != nil || seen.Count != 3 || len(seen.Sessions) != 1 || len(seen.IDs) != 2 || seen.Next != nil {
		t.Fatalf("%+v, %v", seen, err)
	}
	if _, err := b.CleanUpPart(t.Context(), CleanupPart{Cleanup: rule, From: -1}); !errors.Is(err, session.ErrInput) {
		t.Error("from -1:", err)
	}
	rule.DryRun, rule.Only = false, seen.IDs
	done, err := b.CleanUpPart(t.Context(), CleanupPart{Cleanup: rule})
	if err != nil || !slices.Equal(done.IDs, seen.IDs) || done.FailedCount != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}
