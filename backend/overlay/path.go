package overlay

import (
	"errors"
	"fmt"
	"io"

	"palimpsest/backend/record"
)

// item is a record in range, newest first while walking.
type item struct {
	rec    *record.Record
	seq    int64
	offset int64
	fresh  bool // behind the compaction in force
	pruned bool
	// instead is what a pruned result shows as, where the prune says it.
	instead string
	light   bool // rec is without its texts
	own     *own // of a light one, what rec has not, for it is that of many
	tokens  int  // of its messages, once they are measured
}

// walk is the state of one way back along the path.
type walk struct {
	items      []item
	compaction *item // the one in force
	model      *record.Model
	branch     *record.Model // activeModel of the newest branch, the last resort
	repairs    []Repair

	reverts  map[int64][]Entry // by target, still looking for it
	prunes   map[int64][]pruned
	allPrune []*pruning
	reverted map[int64]bool // offsets of overlays taken back

	path []Place // newest first
	last int64

	light, pathless, unmeasured bool // as [Options] has them
	alike                       map[alike]*record.Record

	skipping bool
	skipTo   int64
	complete bool // the walk came to the start of the path
}

// pruning is a prune on its way to the results it names.
type pruning struct {
	entry   Entry
	hits    int
	pending int
}

// pruned is one of the results that a prune names, and what it shows as.
type pruned struct {
	*pruning
	text string
}

func newWalk() *walk {
	return &walk{reverts: map[int64][]Entry{}, prunes: map[int64][]pruned{}, reverted: map[int64]bool{}, alike: map[alike]*record.Record{}}
}

// run walks until the context is complete.
func (w *walk) run(log Log) error {
	for done := false; !done; {
		entry, err := log.Prev()
		if errors.Is(err, io.EOF) {
			w.complete = true
			break
		}
		if err != nil {
			return err
		}
		if w.last == 0 {
			w.last = entry.Seq
		}
		if w.skipping && entry.Seq > w.skipTo {
			continue
		}
		w.skipping = false
		if w.compaction != nil && entry.Seq < w.compaction.rec.Compaction.FirstKeptSeq {
			break
		}
		if done, err = w.take(log, entry); err != nil {
			return err
		}
	}
	w.settle()
	return nil
}

// take puts one record of the path where it belongs, and says whether the walk ends with it.
func (w *walk) take(log Log, entry Entry) (done bool, err error) {
	rec, err := recordOf(entry)
	if err != nil {
		return false, err
	}
	entry.Line, entry.Record = nil, nil
	w.targeted(entry)
	it := item{rec: rec, seq: entry.Seq, offset: entry.Offset, fresh: w.compaction == nil}
	if !w.pathless {
		w.path = append(w.path, Place{Type: entry.Type, Seq: entry.Seq, Offset: entry.Offset, Time: entry.Time})
	}
	if w.light && (rec.Message != nil || rec.Note != nil) { // of others there are few
		it.rec, it.own = w.lightened(rec)
		it.light = true
	}
	it.pruned, it.instead = w.prunedBy(entry)
	if rec.Newer {
		w.repair(entry, "written by a newer version, left out")
		return false, nil
	}
	switch rec.Type {
	case record.TypeMessage, record.TypeNote:
		w.items = append(w.items, it)
	case record.TypeCompaction:
		return w.takeCompaction(it), nil
	case record.TypeBranch:
		return w.takeBranch(log, it, entry), nil
	case record.TypeRevert:
		w.items = append(w.items, it)
		w.reverts[rec.Revert.TargetSeq] = append(w.reverts[rec.Revert.TargetSeq], entry)
	case record.TypePrune:
		w.items = append(w.items, it)
		w.takePrune(entry, rec.Prune)
	case record.TypeModel:
		w.items = append(w.items, it)
		if w.model == nil {
			w.model = rec.Model
		}
	case record.TypeLabel:
	}
	return false, nil
}

func recordOf(entry Entry) (*record.Record, error) {
	if entry.Record != nil {
		return entry.Record, nil
	}
	rec, err := record.Decode(entry.Line)
	if err != nil {
		return nil, fmt.Errorf("record at byte %d changed while it was read: %w", entry.Offset, err)
	}
	return &rec, nil
}

func (w *walk) takeCompaction(it item) (done bool) {
	if w.compaction != nil || w.reverted[it.offset] {
		return false
	}
	w.compaction = &it
	w.items = append(w.items, it)
	return len(it.rec.Compaction.Replacement) > 0
}

// takeBranch goes on at the nearest earlier record that the branch came from.
func (w *walk) takeBranch(log Log, it item, entry Entry) (done bool) {
	branch := it.rec.Branch
	if branch.FromSeq >= entry.Seq {
		w.repair(entry, fmt.Sprintf("a branch from seq %d, which is not before it: no effect", branch.FromSeq))
		return false
	}
	w.items = append(w.items, it)
	if w.branch == nil {
		w.branch = branch.ActiveModel
	}
	if branch.FromSeq == 0 {
		w.complete = true
		return true
	}
	w.skipping, w.skipTo = true, branch.FromSeq
	if 0 < branch.FromOffset && branch.FromOffset <= entry.Offset {
		if header, ok := log.At(branch.FromOffset); ok && header.Seq == branch.FromSeq {
			log.Jump(branch.FromOffset)
		}
	}
	return false
}

func (w *walk) takePrune(entry Entry, prune *record.Prune) {
	if w.reverted[entry.Offset] {
		return
	}
	p := &pruning{entry: entry}
	w.allPrune = append(w.allPrune, p)
	for i, seq := range prune.Seqs {
		one := pruned{pruning: p}
		if i < len(prune.Texts) {
			one.text = prune.Texts[i]
		}
		w.prunes[seq] = append(w.prunes[seq], one)
		p.pending++
	}
}

// targeted settles the reverts that point at this entry.
func (w *walk) targeted(entry Entry) {
	for _, revert := range w.reverts[entry.Seq] {
		if !entry.Newer && (entry.Type == record.TypeCompaction || entry.Type == record.TypePrune) {
			w.reverted[entry.Offset] = true
			continue
		}
		w.repair(revert, fmt.Sprintf("a revert of seq %d, which is neither compaction nor prune: no effect", entry.Seq))
	}
	delete(w.reverts, entry.Seq)
}

// prunedBy tells whether a prune names this entry and it is a tool result, and what the last that does shows instead.
func (w *walk) prunedBy(entry Entry) (cleared bool, instead string) {
	result := !entry.Newer && entry.Role == record.RoleToolResult
	for _, p := range w.prunes[entry.Seq] { // the last first
		p.pending--
		if result {
			if p.hits++; !cleared {
				cleared, instead = true, p.text
			}
		}
	}
	delete(w.prunes, entry.Seq)
	return cleared, instead
}

// settle lists the overlays that turned out to be without effect. Where the walk ended early, a pointer may still lead
// to something older, so that only what was seen counts.
func (w *walk) settle() {
	if w.complete {
		for target, reverts := range w.reverts {
			for _, revert := range reverts {
				w.repair(revert, fmt.Sprintf("a revert of seq %d, which is not on the path: no effect", target))
			}
		}
	}
	for _, p := range w.allPrune {
		if p.hits == 0 && (w.complete || p.pending == 0) {
			w.repair(p.entry, "a prune that names no tool result on the path: no effect")
		}
	}
}

func (w *walk) repair(entry Entry, reason string) {
	w.repairs = append(w.repairs, Repair{Seq: entry.Seq, Offset: entry.Offset, Reason: reason})
}

// inForce is the model in force at the end of the path.
func (w *walk) inForce(fallback string) record.Model {
	if w.model != nil {
		return *w.model
	}
	if w.compaction != nil && w.compaction.rec.Compaction.ActiveModel != nil {
		return *w.compaction.rec.Compaction.ActiveModel
	}
	if w.branch != nil {
		return *w.branch
	}
	return record.Model{Model: fallback}
}
