package states

import (
	"io"
	"sort"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// State says what became of a line: whether the model sees it and, if not, why.
type State string

// The states of lines. See docs/http.md.
const (
	Kept       State = "kept"
	Fresh      State = "fresh"
	Pruned     State = "pruned"
	Superseded State = "superseded"
	Dropped    State = "dropped"
	OffPath    State = "offPath"
	InForce    State = "inForce"
	Folded     State = "folded"
	Reverted   State = "reverted"
	Meta       State = "meta"
	Newer      State = "newer"
	Later      State = "later"
)

// span is a run of lines, from the first index up to but without the second.
type span struct{ from, to int }

// Table knows what became of each line of a log, as of its newest record or, see [ResolveAsOf], of an earlier one.
type Table struct {
	// Model are the lines that the model sees.
	Model Lines

	path     []span // in order
	seen     map[int64]State
	reasons  map[int64]string
	reverted map[int]bool  // compactions and prunes taken back, by index
	inForce  int64         // offset of the compaction in force, -1 if none
	spared   map[int]State // what became of lines before that which it has replaced by the same words, by index
	standing map[int]bool  // prunes whose words the model sees, by index
	lines    int           // how many lines there were at the moment that it is of; 0 for all there are
	// outlook is set if no context was resolved for this: then it tells, alone or with an account; told is what an earlier one has told.
	outlook *Outlook
	told    *told
}

// Of tells it from a context that was resolved.
func Of(log io.ReaderAt, x *session.Index, c *overlay.Context) (*Table, error) {
	s := &Table{seen: map[int64]State{}, reasons: c.Dropped, inForce: c.CompactionOffset}
	for _, m := range c.All() {
		if m.Overlay == overlay.OverlayCompaction || m.Overlay == overlay.OverlayRepair {
			continue
		}
		s.seen[m.Offset] = stateOf(&m)
	}
	s.path = pathOf(x)
	s.reverted = s.revertedOf(x)
	var model Lines
	for offset := range s.seen {
		model.add(lineAt(x, offset))
	}
	if s.inForce >= 0 {
		at := lineAt(x, s.inForce)
		model.add(at)
		s.spare(x, at)
		if err := s.mute(log, x, c.Compaction); err != nil {
			return nil, err
		}
		for i, state := range s.spared {
			if state == Kept {
				model.add(i)
			}
		}
	}
	o := OutlookOf(x)
	o.prune()
	s.standing = o.standing(func(result int) bool { return s.seen[x.Lines.At(result).Offset] == Pruned })
	for i := range s.standing {
		model.add(i)
	}
	s.Model = model.counted()
	return s, nil
}

func stateOf(m *overlay.Message) State {
	switch {
	case m.Overlay == overlay.OverlayPrune:
		return Pruned
	case m.Part == overlay.PartFresh:
		return Fresh
	}
	return Kept
}

// lineAt is the index of the line that starts at a byte offset.
func lineAt(x *session.Index, offset int64) int {
	return x.Lines.From(offset)
}

// pathOf follows the branches from the end to the start, by the rules of package overlay.
func pathOf(x *session.Index) []span {
	var path []span
	end := x.Lines.Len()
	for i := len(x.Overlays) - 1; i >= 0; i-- {
		at, rec := x.Overlays[i].Index, &x.Overlays[i].Record
		if at >= end || rec.Branch == nil || rec.Branch.FromSeq >= rec.Seq {
			continue
		}
		path = append(path, span{at, end})
		end = origin(x, at, rec.Branch)
	}
	path = append(path, span{0, end})
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// origin is the index behind the record that a branch came from.
func origin(x *session.Index, at int, branch *record.Branch) int {
	if branch.FromSeq == 0 {
		return 0
	}
	if offset := branch.FromOffset; 0 < offset && offset <= x.Lines.At(at).Offset {
		from := lineAt(x, offset) - 1
		if from >= 0 && x.Lines.At(from).Seq == branch.FromSeq && x.Lines.At(from).Offset+x.Lines.At(from).Length+1 == offset {
			return from + 1
		}
	}
	for i := at - 1; i >= 0; i-- {
		if seq := x.Lines.At(i).Seq; seq > 0 && seq <= branch.FromSeq {
			return i + 1
		}
	}
	return 0
}

// OnPath tells whether line i is part of the conversation as it stands.
func (s *Table) OnPath(i int) bool {
	at := sort.Search(len(s.path), func(k int) bool { return s.path[k].to > i })
	return at < len(s.path) && s.path[at].from <= i
}

// revertedOf finds what the reverts on the path take back: the nearest earlier record there with the seq they name, if
// that is a compaction or a prune.
func (s *Table) revertedOf(x *session.Index) map[int]bool {
	reverted := map[int]bool{}
	for _, indexed := range x.Overlays {
		revert := indexed.Record.Revert
		if revert == nil || !s.OnPath(indexed.Index) {
			continue
		}
		target := s.Target(x, indexed.Index, revert.TargetSeq)
		if rec := OverlayAt(x, target); rec != nil && (rec.Compaction != nil || rec.Prune != nil) {
			reverted[target] = true
		}
	}
	return reverted
}

// Target is the index of the nearest record before index i on the path that has this seq, -1 if there is none.
func (s *Table) Target(x *session.Index, i int, seq int64) int {
	for i--; i >= 0; i-- {
		if x.Lines.At(i).Seq == seq && s.OnPath(i) {
			return i
		}
	}
	return -1
}

// OverlayAt is what the record at index i does if it is a compaction, a branch, a prune or a revert, else nil.
func OverlayAt(x *session.Index, i int) *record.Record {
	at := sort.Search(len(x.Overlays), func(k int) bool { return x.Overlays[k].Index >= i })
	if i < 0 || at == len(x.Overlays) || x.Overlays[at].Index != i {
		return nil
	}
	return &x.Overlays[at].Record
}

// Of says what became of line i, and why if it was dropped.
func (s *Table) Of(x *session.Index, i int) (State, string) {
	if s.lines > 0 && i >= s.lines {
		return Later, ""
	}
	line := x.Lines.At(i)
	switch {
	case line.Kind == session.LineAside && s.OnPath(i):
		return Dropped, overlay.Aside
	case s.outlook == nil || s.told != nil && line.Kind == session.LineDamaged:
	case s.told != nil && s.outlook.dropped.has(i):
		return Dropped, s.told.why(x, i)
	case s.told != nil && s.outlook.Of(i) == Dropped:
		return Dropped, muteReason
	default:
		return s.outlook.Of(i), ""
	}
	if line.Kind == session.LineNewer {
		return Newer, ""
	}
	if state, ok := s.seen[line.Offset]; ok {
		return state, ""
	}
	if reason, ok := s.reasons[line.Offset]; ok {
		return Dropped, reason
	}
	if state, ok := s.spared[i]; ok {
		if state == Dropped {
			return state, muteReason
		}
		return state, ""
	}
	if line.Kind == session.LineOverlay {
		return s.ofOverlay(x, i), ""
	}
	if s.OnPath(i) {
		return Superseded, ""
	}
	return OffPath, ""
}

func (s *Table) ofOverlay(x *session.Index, i int) State {
	rec := OverlayAt(x, i)
	switch {
	case rec != nil && rec.Compaction != nil && x.Lines.At(i).Offset == s.inForce:
		return InForce
	case !s.OnPath(i):
		return OffPath
	case s.reverted[i]:
		return Reverted
	case rec == nil: // it changes nothing
		return Meta
	case rec.Compaction != nil:
		return Folded
	case rec.Branch != nil && rec.Branch.Summary != "" && rec.Branch.FromSeq < rec.Seq:
		return Superseded
	case s.standing[i] && s.inForce >= 0 && x.Lines.At(i).Offset > s.inForce:
		return Fresh
	case s.standing[i]:
		return Kept
	}
	return Meta
}

// Reverted tells that the compaction or prune at index i was taken back.
func (s *Table) Reverted(i int) bool { return s.reverted[i] }

// Outlook is what all of it comes from if the context was too large to resolve, so that it is not known why something was dropped; else nil.
func (s *Table) Outlook() *Outlook {
	if s.told != nil {
		return nil
	}
	return s.outlook
}
