package backend

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestForesee: the index is looked at once, when the first list has been shown for a moment; not by a program that has ended by then. What ends in the
// middle is no failure.
func TestForesee(t *testing.T) {
	wrong := errors.New("wrong")
	for _, one := range []struct {
		ends        time.Duration
		looks       int
		fails, want error
	}{
		{time.Hour, 1, nil, nil},
		{time.Hour, 1, wrong, wrong},
		{foreseeAfter / 2, 0, wrong, nil},
		{foreseeAfter + time.Millisecond, 1, wrong, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), one.ends)
			defer cancel()
			looks := 0
			err := foresee(ctx, func(ctx context.Context) error {
				if looks++; one.ends < time.Hour {
					<-ctx.Done()
				}
				return one.fails
			})
			if !errors.Is(err, one.want) || looks != one.looks {
				t.Errorf("%v: %v after %d looks", one, err, looks)
			}
		})
	}
}
