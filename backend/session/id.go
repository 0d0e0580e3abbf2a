package session

import (
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// Errors that callers tell apart.
var (
	ErrInvalidID = errors.New("not a session id")
	ErrNotFound  = errors.New("not found")
	ErrBusy      = errors.New("busy")

	// ErrNoRecord is the [ErrNotFound] of a record of a session that is there.
	ErrNoRecord = fmt.Errorf("%w", ErrNotFound)
)

var idPattern = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)

// CheckID returns [ErrInvalidID] unless id is a ULID as we write them. Nothing else may come near a path.
func CheckID(id string) error {
	if !idPattern.MatchString(id) {
		return fmt.Errorf("%w: %q (26 characters of 0-9 A-Z without I L O U)", ErrInvalidID, shorten(id))
	}
	return nil
}

func shorten(s string) string {
	const most = 60
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

// idSource gives out ULIDs that rise even within one millisecond.
type idSource struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
}

func newIDSource() *idSource {
	return &idSource{entropy: ulid.Monotonic(rand.Reader, 0)}
}

// next is an id of now or, where the clock is behind the id that it has to come after, of a moment later than that one.
func (s *idSource) next(now time.Time, after string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := ulid.New(ulid.Timestamp(now), s.entropy)
	if earlier, badID := ulid.ParseStrict(after); err == nil && badID == nil && id.Compare(earlier) <= 0 && earlier.Time() < ulid.MaxTime() {
		id, err = ulid.New(earlier.Time()+1, s.entropy)
	}
	if err != nil {
		return "", fmt.Errorf("making a session id: %w", err)
	}
	return id.String(), nil
}

// createdAt is the time an id was made, in UTC.
func createdAt(id string) time.Time {
	parsed, err := ulid.ParseStrict(id)
	if err != nil {
		return time.Time{}
	}
	return ulid.Time(parsed.Time()).UTC()
}
