package backend

import (
	"os"
	"testing"

	"palimpsest/backend/digest"
	"palimpsest/backend/sources/sourcetest"
)

// accounted is how many of the sessions a search finds or says that it has not looked through.
func accounted(t *testing.T, b *Backend, text string) int {
	t.Helper()
	found := look(t, b, text)
	n := len(found.Hits)
	for _, s := range found.Skipped {
		if s.Reason == notYetScanned {
			n += s.Count
		}
	}
	return n
}

// TestWhatComesAfterACancelIsTold: nothing is read any more, so a search and the status say what they don't know.
func TestWhatComesAfterACancelIsTold(t *testing.T) {
	home, cache := t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	b := residing(t, home, t.TempDir(), cache)
	awaitIndex(t, b, "whole", ready(1))
	_, err := b.ControlIndex(t.Context(), indexCancel)
	newsMust(t, err)
	writePi(t, home, piSession()+piMore)
	writePiAs(t, home, "s2")
	b.wantScan()
	awaitIndex(t, b, "behind", func(s IndexStatus) bool { return s.Sessions == 2 && s.Waiting == 2 && s.State == stateEnded })
	if n := accounted(t, b, "grown"); n != 2 {
		t.Errorf("of two sessions it tells of %d", n)
	}
	if s := statisticsOf(t, b); s.Coverage != (Coverage{Sessions: 2, Indexed: 1}) {
		t.Errorf("%+v", s.Coverage)
	}
	_, err = b.ControlIndex(t.Context(), indexResume)
	newsMust(t, err)
	awaitIndex(t, b, "whole again", ready(2))
}

func statisticsOf(t *testing.T, b *Backend) Statistics {
	t.Helper()
	s, err := b.Statistics(t.Context(), StatisticsOptions{})
	newsMust(t, err)
	return s
}

// TestAllIsAccountedFor: whatever becomes of the index while it is searched, a session is found or said not to have been read.
func TestAllIsAccountedFor(t *testing.T) {
	const sessions = 5
	home, cache := t.TempDir(), t.TempDir()
	for _, id := range []string{"s1", "s2", "s3", "s4", "s5"} {
		writePiAs(t, home, id)
	}
	b := residing(t, home, t.TempDir(), cache)
	awaitIndex(t, b, "whole", ready(sessions))
	for name, harm := range map[string]func() error{
		"rebuilt": func() error { _, err := b.ControlIndex(t.Context(), indexRebuild); return err },
		"deleted": func() error { return os.RemoveAll(cache) },
	} {
		newsMust(t, harm())
		whole := false
		for i := 0; i < 40 || !whole; i++ {
			if n := accounted(t, b, "first"); n < sessions {
				t.Errorf("%s: it tells of %d", name, n)
				break
			}
			s, err := b.IndexStatus(t.Context())
			newsMust(t, err)
			whole = s.Waiting == 0 && s.State == stateIdle
		}
		awaitIndex(t, b, "whole again", ready(sessions))
	}
}

// TestUnreadCountsNowhere: what could not be read is told by the coverage, and not as sessions in which nothing was said.
func TestUnreadCountsNowhere(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	sourcetest.Write(t, home, ".pi/agent/sessions/--w--/2026-01-04T10-00-00-000Z_s3.jsonl", "")
	b := abroad(t, home)
	newsMust(t, b.Scan(t.Context(), false, nil))
	s := statisticsOf(t, b)
	if s.Totals.Sessions != 1 || s.Unknown.Usage != 0 || s.Coverage != (Coverage{Sessions: 2, Indexed: 1}) {
		t.Errorf("%+v", s)
	}
	if status, err := b.IndexStatus(t.Context()); err != nil || len(status.Skipped) != 1 || status.Skipped[0].Reason != digest.SkipUnreadable {
		t.Errorf("%+v, %v", status, err)
	}
}
