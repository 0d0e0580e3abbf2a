package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/session"
	"palimpsest/backend/sources/sourcetest"
)

// TestATimeToComeListsNothingFirst: whoever dated a record of it wrongly, a session is as old as its file says, and others stand where
// their records say, however old the files are.
func TestATimeToComeListsNothingFirst(t *testing.T) {
	home := t.TempDir()
	written := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	at := func(path string, when time.Time) { newsMust(t, os.Chtimes(path, when, when)) }
	piPath := filepath.Join(home, filepath.FromSlash(piPlace))
	sourcetest.Write(t, home, piPlace, strings.ReplaceAll(piSession(), "2026-", "9999-"))
	at(piPath, written)
	at(inDatabase(t, home, opencodePlace, strings.ReplaceAll(opencodeRows, "1767348060000", "4102444800000")), written.Add(time.Hour))
	b := abroad(t, home)
	log := said(1, "user", "one")
	for i, text := range []string{strings.Replace(log, "2026-", "9999-", 1), log} {
		m, err := b.store.Import(session.New{Name: text}, []byte(text))
		newsMust(t, err)
		at(filepath.Join(b.home, "sessions", m.ID, "session.jsonl"), written.Add(time.Duration(2-40*24*i)*time.Hour))
	}
	for _, quick := range []bool{true, false} {
		rows, err := b.List(t.Context(), ListOptions{Quick: quick})
		newsMust(t, err)
		var got []string
		for _, row := range rows {
			got = append(got, *row.Agent+" "+row.LastMessageAt)
		}
		want := "palimpsest 2026-03-02T08:00:01Z, palimpsest 2026-01-05T14:00:00Z, pi 2026-01-05T12:00:00Z, opencode 2026-01-02T10:00:00Z, opencode 2026-01-02T10:00:00Z"
		if strings.Join(got, ", ") != want {
			t.Errorf("quick %v: %q", quick, got)
		}
	}
}

// TestMessagesThatNobodyKnowsAreNotNone: a session whose messages have no place in its database has no number of them, read or not.
func TestMessagesThatNobodyKnowsAreNotNone(t *testing.T) {
	home := t.TempDir()
	inDatabase(t, home, opencodePlace, opencodeRows+"; DROP TABLE message")
	b := abroad(t, home)
	for range 2 {
		rows, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		if len(rows) != 2 || rows[0].MessageCount != nil || rows[0].Compactions != nil || rows[0].Problem == nil {
			t.Errorf("%+v", rows)
		}
		newsMust(t, b.Scan(t.Context(), false, nil))
	}
}
