package states

import (
	"palimpsest/backend/session"
)

// spare finds the lines that the compaction at index i has replaced by the same words: the model still sees them. An agent may have taken
// them from anywhere; where a number stands for several, that on the path is meant.
func (s *Table) spare(x *session.Index, i int) {
	rec := OverlayAt(x, i)
	if rec == nil || rec.Compaction == nil || len(rec.Compaction.Replacement) == 0 || len(rec.Compaction.KeptSeqs) == 0 {
		return
	}
	wanted := map[int64]bool{}
	for _, seq := range rec.Compaction.KeptSeqs {
		wanted[seq] = true
	}
	s.spared = map[int]State{}
	for _, onPath := range []bool{true, false} {
		for at := i - 1; at >= 0 && len(wanted) > 0; at-- {
			line := x.Lines.At(at)
			if !wanted[line.Seq] || s.OnPath(at) != onPath {
				continue
			}
			delete(wanted, line.Seq)
			switch rec := OverlayAt(x, at); {
			case isMessage(line), line.Kind == session.LineNote, rec != nil && rec.Branch != nil && rec.Branch.Summary != "":
				s.spared[at] = Kept
			case rec != nil && rec.Compaction != nil: // its summary is a part of this one
				s.spared[at] = Folded
			}
		}
	}
}
