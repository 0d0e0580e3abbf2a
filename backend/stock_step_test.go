package backend

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestTheScanStepsBack: what is read for the window has the machine to itself, yet not for ever, whatever the window asks for; the scan goes
// on at once when that has ended, and notices soon that it is ended itself.
func TestTheScanStepsBack(t *testing.T) {
	goOn := func() error { return nil }
	ended := errors.New("ended")
	for name, one := range map[string]struct {
		busy time.Duration
		pass func() error
		want error
		took func(time.Duration) bool
	}{
		"nothing is read":         {0, goOn, nil, func(d time.Duration) bool { return d == 0 }},
		"for a moment":            {time.Second, goOn, nil, func(d time.Duration) bool { return d == time.Second }},
		"without a pause":         {time.Hour, goOn, nil, func(d time.Duration) bool { return d >= 2*time.Second && d < 4*time.Second }},
		"while the scan is ended": {time.Hour, func() error { return ended }, ended, func(d time.Duration) bool { return d < time.Second }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				settled := func(ctx context.Context) error {
					select {
					case <-time.After(one.busy - time.Since(began)):
						return nil
					case <-ctx.Done():
						return context.Cause(ctx)
					}
				}
				if err := stepBack(t.Context(), settled, one.pass); !errors.Is(err, one.want) || !one.took(time.Since(began)) {
					t.Errorf("%v after %v", err, time.Since(began))
				}
			})
		})
	}
}
