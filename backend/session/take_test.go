package session

import (
	"testing"

	"palimpsest/backend/record"
)

// TestTakeKeepsNoSilentNotes: agents write notes with every answer, and a long log has a million.
func TestTakeKeepsNoSilentNotes(t *testing.T) {
	var x Index
	for seq := int64(1); seq <= 3; seq++ {
		rec := record.Record{Header: record.Header{Seq: seq, Type: record.TypeNote}, Note: &record.Note{Namespace: "agent.event"}}
		if seq == 2 {
			rec.Note.Content = []record.Block{{Kind: record.BlockText}}
		}
		if i, line := x.Take(seq*100, 99, &rec); i != int(seq)-1 || line.Kind != LineOverlay {
			t.Errorf("note %d is line %d of kind %d", seq, i, line.Kind)
		}
	}
	if len(x.Overlays) != 1 || x.Overlays[0].Index != 1 {
		t.Errorf("of three notes these are kept: %+v", x.Overlays)
	}
}
