package session

import (
	"context"
	"math"
	"time"
)

// Spent books the time of a turn, before the writer is closed.
func (w *Writer) Spent(ctx context.Context, d time.Duration) error {
	_, err := w.store.update(ctx, w.id, func(m *Metadata) { m.addActive(d) })
	return err
}

// addActive adds time in turns, in milliseconds.
func (m *Metadata) addActive(d time.Duration) {
	seconds := max(d, 0).Seconds()
	if had := m.ActiveSeconds; had != nil && *had > 0 {
		seconds += *had
	}
	seconds = math.Round(seconds*1000) / 1000
	m.ActiveSeconds = &seconds
}
