package overlay

import (
	"errors"
	"fmt"
	"io"
	"time"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// item is a record in range, newest first while walking.
type item struct {
	seq    int64
	offset int64
	rec    int32 // its number in walk.records
	// instead is the number of what a pruned result shows as, where the prune says it; else 0.
	instead int32
	tokens  int // of its messages, once they are measured
	// What a light one does not share with others that have the same record: what it counts without its thinking, in quarter tokens, and
	// which of walk.ids are those of its calls, or that of the one which it answers.
	quarters, thinking int
	ids, idsEnd        int
	usage              int32 // what was reported with it, from 1 on in walk.usage

	fresh   bool // behind the compaction in force
	pruned  bool
	light   bool // its record is without texts
	counted bool // it is light, and its record that of many
}

// walk is the state of one way back along the path.
type walk struct {
	items      many.List[item]
	near       int // where an item was found last
	records    []*record.Record
	ids        many.Texts
	insteads   []string
	usage      many.List[tokens.Usage] // of the newest answers that are light
	usable     int                     // how many of these can be calibrated by
	compaction *inForce
	model      *record.Model
	branch     *record.Model // activeModel of the newest branch, the last resort
	repairs    []Repair

	reverts  map[int64][]Entry // by target, still looking for it
	prunes   map[int64][]pruned
	allPrune []*pruning
	reverted map[int64]bool   // offsets of overlays taken back
	dropped  map[int64]string // why what is left out is, by offset; nil if nobody asks

	path []Place // newest first
	last int64

	light, pathless, unmeasured bool // as [Options] has them
	rows                        rows
	alike                       map[alike]int32

	skipping bool
	skipTo   int64
	complete bool // the walk came to the start of the path
}

// inForce is the compaction in force.
type inForce struct {
	seq, offset int64
	time        time.Time
	made        *record.Compaction
}

// Aside is why no context holds what is [record.Record.Aside].
const Aside = "only a person sees it"

// AsideBlocks is why no context holds a message of which all that could be sent is [record.Block.Aside].
const AsideBlocks = "nothing in it is sent again"

func newWalk() *walk {
	return &walk{
		reverts: map[int64][]Entry{}, prunes: map[int64][]pruned{}, reverted: map[int64]bool{}, dropped: map[int64]string{}, alike: map[alike]int32{},
		insteads: []string{""}, rows: rows{bodies: map[int32]*Body{}, filter: filter{map[*Body]filtered{}}},
	}
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
		if w.compaction != nil && entry.Seq < w.compaction.made.FirstKeptSeq {
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
	it := item{seq: entry.Seq, offset: entry.Offset, fresh: w.compaction == nil}
	if !w.pathless {
		w.path = append(w.path, Place{Type: entry.Type, Seq: entry.Seq, Offset: entry.Offset})
	}
	w.clear(&it, entry)
	if rec.Newer {
		w.repair(entry, "written by a newer version, left out")
		return false, nil
	}
	if rec.Aside() {
		w.explain(entry.Offset, Aside)
		return false, nil
	}
	if w.light && (rec.Message != nil || rec.Note != nil) { // of others there are few
		w.lighten(&it, rec)
	} else if rec.Type != record.TypeLabel {
		it.rec = w.number(rec)
	}
	switch rec.Type {
	case record.TypeMessage, record.TypeNote:
		w.items.Add(it)
	case record.TypeCompaction:
		return w.takeCompaction(it, rec), nil
	case record.TypeBranch:
		return w.takeBranch(log, it, entry, rec.Branch), nil
	case record.TypeRevert:
		w.items.Add(it)
		w.reverts[rec.Revert.TargetSeq] = append(w.reverts[rec.Revert.TargetSeq], entry)
	case record.TypePrune:
		w.items.Add(it)
		w.takePrune(entry, rec.Prune)
	case record.TypeModel:
		w.items.Add(it)
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

// explain notes why a record gives no message, for who asks.
func (w *walk) explain(offset int64, reason string) {
	if w.dropped != nil {
		w.dropped[offset] = reason
	}
}

// number is where a record is among those of the items.
func (w *walk) number(rec *record.Record) int32 {
	w.records = append(w.records, rec)
	return int32(len(w.records) - 1) //nolint:gosec // nobody holds so many
}

func (w *walk) takeCompaction(it item, rec *record.Record) (done bool) {
	if w.compaction != nil || w.reverted[it.offset] {
		return false
	}
	w.compaction = &inForce{it.seq, it.offset, rec.Time, rec.Compaction}
	w.items.Add(it)
	return len(rec.Compaction.Replacement) > 0
}

// takeBranch goes on at the nearest earlier record that the branch came from.
func (w *walk) takeBranch(log Log, it item, entry Entry, branch *record.Branch) (done bool) {
	if branch.FromSeq >= entry.Seq {
		w.repair(entry, fmt.Sprintf("a branch from seq %d, which is not before it: no effect", branch.FromSeq))
		return false
	}
	w.items.Add(it)
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

func (w *walk) repair(entry Entry, reason string) {
	w.repairs = append(w.repairs, Repair{Seq: entry.Seq, Offset: entry.Offset, Reason: reason})
}

// inForce is the model in force at the end of the path.
func (w *walk) inForce(fallback string) record.Model {
	if w.model != nil {
		return *w.model
	}
	if w.compaction != nil && w.compaction.made.ActiveModel != nil {
		return *w.compaction.made.ActiveModel
	}
	if w.branch != nil {
		return *w.branch
	}
	return record.Model{Model: fallback}
}
