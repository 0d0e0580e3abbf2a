package states

import (
	"palimpsest/backend/session"
)

// spare finds the lines that the compaction at index i has replaced by the same words: the model still sees them.
func (s *Table) spare(x *session.Index, i int) {
	rec := OverlayAt(x, i)
	if rec == nil || rec.Compaction == nil || len(rec.Compaction.Replacement) == 0 || len(rec.Compaction.KeptSeqs) == 0 {
		return
	}
	wanted := map[int64]bool{}
	for _, seq := range rec.Compaction.KeptSeqs {
		wanted[seq] = true
	}
	s.spared = map[int]bool{}
	for i--; i >= 0 && len(wanted) > 0; i-- {
		line := x.Lines.At(i)
		if !wanted[line.Seq] || !s.OnPath(i) {
			continue
		}
		delete(wanted, line.Seq)
		if rec := OverlayAt(x, i); isMessage(line) || rec != nil && rec.Note != nil {
			s.spared[i] = true
		}
	}
}
