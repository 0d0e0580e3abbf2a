package all

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

var stamp = regexp.MustCompile(`2026-01-02T10:\d\d:\d\dZ`)

// TestLastMessageIsLong: a list tells when a session was written last, however long what was written then is.
func TestLastMessageIsLong(t *testing.T) {
	when := time.Date(2026, 1, 2, 11, 0, 0, 0, time.UTC)
	tried := 0
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		if s.main == "" {
			t.Skip("it has a file for each message")
		}
		updated := func(before, last int) time.Time {
			files := s.files([]string{"one"}, strings.Repeat("x", before))
			text := strings.TrimSuffix(files[s.main], "\n")
			at := strings.LastIndex(text, "\n") + 1
			line := strings.Replace(text[at:], "the last word", strings.Repeat("y", last), 1)
			files[s.main] = text[:at] + stamp.ReplaceAllString(line, "2026-01-02T11:00:00Z") + "\n"
			return sourcetest.Only(t, sourcetest.Find(t, source, sourcetest.Env(t, sourcetest.Home(t, files)))).UpdatedAt
		}
		if !updated(1, 1).Equal(when) {
			t.Skip("its lines do not say when")
		}
		tried++
		for _, before := range []int{1, 100 << 10} {
			for _, last := range []int{60 << 10, 75 << 10, 300 << 10, 3 << 20} {
				if got := updated(before, last); !got.Equal(when) {
					t.Errorf("%d bytes before, then %d: %v", before, last, got)
				}
			}
		}
	})
	if tried < 6 {
		t.Errorf("only %d agents say when", tried)
	}
}
