package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"palimpsest/backend/compaction"
	"palimpsest/backend/session"
)

// Measure is a summary to be measured, and what it would replace: see [Compact].
type Measure struct {
	Cut
	Summary  string      `json:"summary"`
	Previous PreviousSeq `json:"previousSeq"`
}

// Measure tells what a summary keeps of what it would replace. Nothing is written.
func (b *Backend) Measure(ctx context.Context, id string, m Measure) (*compaction.Fidelity, error) {
	_, plan, err := b.planned(ctx, id, m.Cut, m.Previous)
	if nothing, ok := errors.AsType[*compaction.Nothing](err); ok {
		return nil, fmt.Errorf("%w: session %s: %w", session.ErrInput, id, nothing)
	}
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(m.Summary) == "" {
		return fidelityOf(id, plan, "")
	}
	return fidelityOf(id, plan, plan.WithTags(m.Summary))
}

func fidelityOf(id string, plan *compaction.Plan, summary string) (*compaction.Fidelity, error) {
	kept := plan.Fidelity(summary)
	if err := plan.Unread(); err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	return kept, nil
}

// measuredMost bounds the records that are held in memory to measure a compaction: a window asks for each that comes into view.
const measuredMost = 64 << 20

// sinceCompaction is how many bytes of the log a compaction was made of: those since the one before it that was not taken back.
func (v *view) sinceCompaction(i int) int64 {
	from := int64(0)
	for k := range v.index.Overlays {
		earlier := &v.index.Overlays[k]
		if earlier.Index >= i {
			break
		}
		if state, _ := v.states.Of(&v.index, earlier.Index); earlier.Record.Compaction != nil && state != StateReverted && state != StateOffPath {
			from = v.index.Lines.At(earlier.Index).Offset
		}
	}
	return v.index.Lines.At(i).Offset - from
}

// Fidelity tells what a compaction that was made kept of what it replaced; nil if nobody can read its summary.
func (b *Backend) Fidelity(id string, seq int64) (*compaction.Fidelity, error) {
	v, err := b.view(id)
	if err != nil {
		return nil, err
	}
	defer v.close()
	i, err := v.index.Find(seq)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	rec, err := v.overlayAt(i)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	if rec == nil || rec.Compaction == nil {
		return nil, fmt.Errorf("%w: session %s: record %d is no compaction", session.ErrInput, id, seq)
	}
	if size := v.sinceCompaction(i); size > measuredMost {
		return nil, fmt.Errorf("%w: session %s: compaction %d was made of %d MiB of records; what up to %d MiB lose is measured", session.ErrInput, id, seq, size>>20, measuredMost>>20)
	}
	c, err := v.resolve(v.index.Lines.At(i).Offset)
	if err != nil {
		return nil, err
	}
	kept, err := compaction.FidelityOf(&c, rec.Compaction)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	return kept, nil
}
