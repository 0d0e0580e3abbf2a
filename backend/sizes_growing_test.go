//go:build !race

package backend

import (
	"context"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/session"
)

// What was looked up for one answer serves the next, also when the log has grown, behind a line that was torn or one without its newline.
func TestSizesOfALogThatGrows(t *testing.T) {
	t.Parallel()
	b, err := Open(Options{Home: t.TempDir()})
	newsMust(t, err)
	t.Cleanup(b.Close)
	rapid.Check(t, func(t *rapid.T) {
		log := randomLog(t) + randomLog(t)
		m, err := b.store.Import(session.New{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.OpenFile(b.store.LogPath(m.ID), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		points := rapid.IntRange(1, 30).Draw(t, "points")
		from := 0
		for _, to := range growths(t, len(log)) {
			if _, err := file.WriteString(log[from:to]); err != nil {
				t.Fatal(err)
			}
			from = to
			sizes, err := b.sizesWithin(context.Background(), m.ID, points, newsDeadline)
			if err != nil || !sizes.Complete {
				t.Fatalf("%+v, %v", sizes, err)
			}
			for _, complaint := range complaintsAt(b, m.ID, &sizes) {
				t.Errorf("%d bytes of %q: %s", to, log, complaint)
			}
		}
	})
}

// growths are the lengths that a log has in turn, up to all of it.
func growths(t *rapid.T, length int) []int {
	some := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int {
		// In thousandths, for no part of a log to be drawn more than others.
		return int(int64(length) * int64(rapid.Uint16().Draw(t, "part")) / (1 << 16))
	}), 0, 6).Draw(t, "lengths")
	slices.Sort(some)
	return append(some, length)
}
