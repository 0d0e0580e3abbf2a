package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// errTurnRuns refuses what has to wait for the end of a turn of this program.
var errTurnRuns = fmt.Errorf("%w: its turn has not ended", session.ErrBusy)

// Revert takes back a compaction or a prune by appending a revert. If the last record that has seq is a revert itself,
// what it took back is appended again. It returns the new record's seq. What is judged and what is written is under one
// lock, so that of two clicks one is refused. While a turn of this program runs it is refused at once: a turn may take long,
// and what it sees of the conversation is not changed under it.
func (b *Backend) Revert(ctx context.Context, id string, seq int64) (int64, error) {
	if b.agent.State(id).Running != nil {
		return 0, fmt.Errorf("session %s: %w", id, errTurnRuns)
	}
	seqs, err := b.store.AppendDerived(ctx, id, func() ([]record.Draft, error) {
		draft, err := b.undoing(id, seq)
		if err != nil {
			return nil, fmt.Errorf("session %s: %w", id, err)
		}
		return []record.Draft{draft}, nil
	})
	if err != nil {
		return 0, err
	}
	return seqs[0], nil
}

// undoing is the record that takes back what seq names.
func (b *Backend) undoing(id string, seq int64) (record.Draft, error) {
	v, err := b.view(id)
	if err != nil {
		return record.Draft{}, err
	}
	defer v.close()
	i, err := v.index.Find(seq)
	if err != nil {
		return record.Draft{}, err
	}
	object, err := v.revertOf(i, seq)
	if err != nil {
		return record.Draft{}, err
	}
	return b.store.Draft(object)
}

// InForce is the seq of the compaction in force, 0 if there is none.
func (b *Backend) InForce(id string) (int64, error) {
	c, err := b.Context(id, ContextOptions{WithoutMessages: true})
	if err != nil || c.CompactionSeq == nil {
		return 0, err
	}
	return *c.CompactionSeq, nil
}

// revertOf is the record that undoes line i: a revert of a compaction or prune, or a copy of what a revert took back.
func (v *view) revertOf(i int, seq int64) ([]byte, error) {
	rec := states.OverlayAt(&v.index, i)
	state, _ := v.states.Of(&v.index, i)
	switch {
	case rec == nil || rec.Compaction == nil && rec.Prune == nil && rec.Revert == nil:
		return nil, fmt.Errorf("%w: record %d is neither a compaction nor a prune; only those can be undone", session.ErrInput, seq)
	case !v.states.OnPath(i):
		return nil, fmt.Errorf("%w: the %s %d is on a branch that was left, it does not apply", session.ErrInput, rec.Type, seq)
	case rec.Revert != nil:
		return v.redo(i, rec.Revert.TargetSeq)
	case state == StateReverted || v.states.Reverted(i):
		return nil, fmt.Errorf("%w: the %s %d is undone already", session.ErrInput, rec.Type, seq)
	}
	return fmt.Appendf(nil, `{"recordType":"revert","targetSeq":%d}`, seq), nil
}

// revertedBy is the seq of the newest revert of the overlay at index i, nil if there is nothing to redo.
func (v *view) revertedBy(i int) *int64 {
	for _, indexed := range slices.Backward(v.index.Overlays) {
		revert := indexed.Record.Revert
		if revert == nil || !v.states.OnPath(indexed.Index) || v.states.Target(&v.index, indexed.Index, revert.TargetSeq) != i {
			continue
		}
		if _, err := v.redo(indexed.Index, revert.TargetSeq); err != nil {
			return nil
		}
		seq := indexed.Record.Seq
		return &seq
	}
	return nil
}

// redo copies what the revert at index i took back.
func (v *view) redo(i int, seq int64) ([]byte, error) {
	rec, err := v.overlayAt(v.states.Target(&v.index, i, seq))
	if err != nil {
		return nil, err
	}
	if rec == nil {
		return nil, fmt.Errorf("%w: the revert took nothing back, there is nothing to redo", session.ErrInput)
	}
	again, err := copyOf(*rec)
	if err != nil {
		return nil, err
	}
	for _, later := range v.index.Overlays {
		if later.Index <= i || !v.states.OnPath(later.Index) || v.states.Reverted(later.Index) || later.Record.Type != rec.Type {
			continue
		}
		copied, err := v.overlayAt(later.Index)
		if err != nil {
			return nil, err
		}
		if copied, err := copyOf(*copied); err == nil && string(copied) == string(again) {
			return nil, fmt.Errorf("%w: the %s %d applies again already, as %d", session.ErrInput, rec.Type, seq, later.Record.Seq)
		}
	}
	return again, nil
}

// copyOf is an overlay as it may be appended again: without its seq and its time, and with what a writer has to give
// even where a reader did without.
func copyOf(rec record.Record) ([]byte, error) {
	members := map[string]any{}
	switch rec.Type {
	case record.TypeCompaction:
		members = map[string]any{"summary": "", "tokensBefore": 0, "readFiles": []string{}, "modifiedFiles": []string{}, "firstKeptSeq": 1}
	case record.TypePrune:
		members = map[string]any{"tokensFreed": 0}
	case record.TypeMessage, record.TypeBranch, record.TypeRevert, record.TypeLabel, record.TypeModel, record.TypeNote:
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal([]byte(rec.JSON), &given); err != nil {
		return nil, fmt.Errorf("copying record %d: %w", rec.Seq, err)
	}
	for name, value := range given {
		members[name] = value
	}
	delete(members, "seq")
	delete(members, "timestamp")
	delete(members, "usage") // which was taken once
	text, err := json.Marshal(members)
	if err != nil {
		return nil, fmt.Errorf("copying record %d: %w", rec.Seq, err)
	}
	return text, nil
}
