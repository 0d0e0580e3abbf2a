package llm

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxRetries = 5
	firstWait  = time.Second
	capWait    = 30 * time.Second
	// A server that asks for more than this is not waited for.
	longestWait = 2 * time.Minute
)

// newWaits doubles from a second to half a minute, give or take a half, so that clients which failed together don't
// come back together.
func newWaits() func(asked time.Duration) time.Duration {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval, waits.Multiplier, waits.MaxInterval = firstWait, 2, capWait
	return func(asked time.Duration) time.Duration {
		own := min(waits.NextBackOff(), capWait)
		if asked > 0 {
			return asked
		}
		return own
	}
}

// retryAfter is how long a response asks to wait, 0 if it doesn't or not in a way that can be read.
func retryAfter(header http.Header, now time.Time) time.Duration {
	if d := amount(header.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	value := strings.TrimSpace(header.Get("Retry-After"))
	if d := amount(value, time.Second); d > 0 {
		return d
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

const ages = 1000 * time.Hour // whatever is longer is as good as this

func amount(value string, unit time.Duration) time.Duration {
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(n) || n <= 0 {
		return 0
	}
	return time.Duration(min(n*float64(unit), float64(ages)))
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
