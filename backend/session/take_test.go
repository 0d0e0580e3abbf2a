package session

import (
	"testing"

	"palimpsest/backend/record"
)

// TestTakeKeepsNoNotes: agents write notes with every answer, and a long log has a million. Of one that says something the line tells it.
func TestTakeKeepsNoNotes(t *testing.T) {
	var x Index
	for seq := int64(1); seq <= 3; seq++ {
		rec := record.Record{Header: record.Header{Seq: seq, Type: record.TypeNote}, Note: &record.Note{Namespace: "agent.event"}}
		want := LineOverlay
		if seq == 2 {
			rec.Note.Content, want = []record.Block{{Kind: record.BlockText}}, LineNote
		}
		if i, line := x.Take(seq*100, 99, &rec); i != int(seq)-1 || line.Kind != want {
			t.Errorf("note %d is line %d of kind %d", seq, i, line.Kind)
		}
	}
	if len(x.Overlays) > 0 {
		t.Errorf("of three notes these are kept: %+v", x.Overlays)
	}
}
