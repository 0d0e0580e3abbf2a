//go:build !race

package backend

import (
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/drawn"
	"palimpsest/backend/session"
)

func TestAMessageIsInAPageAsOfAMomentIfItsContextHoldsIt(t *testing.T) {
	b, err := Open(Options{Home: t.TempDir()})
	newsMust(t, err)
	t.Cleanup(b.Close)
	drawn.Few(t, func(t *rapid.T) {
		m, err := b.store.Import(session.New{}, []byte(randomLog(t)))
		if err != nil {
			t.Fatal(err)
		}
		outline, err := b.Outline(m.ID)
		if err != nil || outline.Total == 0 {
			return
		}
		for _, complaint := range momentComplaints(b, m.ID, int64(2*outline.Total)) {
			t.Error(complaint)
		}
	})
}
