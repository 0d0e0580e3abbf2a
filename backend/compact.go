package backend

import (
	"context"
	"errors"
	"fmt"

	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Cut says where a compaction cuts. The zero value leaves it to the rule and the settings.
type Cut struct {
	// Cut is the seq of the first message to keep, a boundary; 0 leaves it to the rule.
	Cut int64 `json:"cut"`
	// KeepRecent replaces the setting, and is not clamped; nil is the setting.
	KeepRecent *int `json:"keepRecent"`
	// Propose cuts at the boundary nearest the middle where the rule finds nothing to compact.
	Propose bool `json:"-"`
}

// Compact is what a compaction is asked for with.
type Compact struct {
	Cut
	// DryRun writes nothing.
	DryRun bool `json:"dryRun"`
	// Offline asks no model.
	Offline bool `json:"offline"`
	// Instructions are the user's own, for the summary.
	Instructions string `json:"instructions"`
	// Summary, if given, is committed as it is, and no model is asked.
	Summary *string `json:"summary"`
	// Previous, if given, must be the compaction in force, or the plan is stale.
	Previous PreviousSeq `json:"previousSeq"`
	// DraftID says which draft the summary comes from.
	DraftID string `json:"draftId"`
	// Progress is told how the draft goes on.
	Progress compaction.Progress `json:"-"`
	// Retry is told of requests that are made again; may be nil.
	Retry func(llm.Retry) `json:"-"`
}

// Plan is a compaction's plan as doors show it.
type Plan struct {
	CutSeq    int64   `json:"cutSeq"`
	Summarize []int64 `json:"summarize"`
	Keep      []int64 `json:"keep"`
	// Goes and Stays are how many of these are messages of the log: notes and summaries of branches are none.
	Goes          int      `json:"goes"`
	Stays         int      `json:"stays"`
	SplitTurn     bool     `json:"splitTurn"`
	TokensBefore  int      `json:"tokensBefore"`
	TokensAfter   *int     `json:"tokensAfter"`
	TokensKept    int      `json:"tokensKept"`
	ReadFiles     []string `json:"readFiles"`
	ModifiedFiles []string `json:"modifiedFiles"`
	PreviousSeq   *int64   `json:"previousSeq"`
	Prune         *Prune   `json:"prune"`
}

// Prune is what has to be cleared so that what is kept fits.
type Prune struct {
	Seqs        []int64 `json:"seqs"`
	TokensFreed int     `json:"tokensFreed"`
}

// Draft is a summary as doors show it.
type Draft struct {
	Summary         string        `json:"summary"`
	Model           *string       `json:"model"`
	Offline         bool          `json:"offline"`
	MissingHeadings []string      `json:"missingHeadings"`
	Notes           []string      `json:"notes"`
	Usage           *record.Usage `json:"usage"`
	// Fidelity is what it keeps of what it replaces.
	Fidelity *compaction.Fidelity `json:"fidelity"`
	// Hook is what compaction.hook did for it, left out if there is none.
	Hook *compaction.Hooked `json:"hook,omitempty"`
}

// Compacted is what came of a compaction. Without a plan there was nothing to compact, and Reason says why.
type Compacted struct {
	Plan         *Plan  `json:"plan"`
	Reason       string `json:"reason,omitempty"`
	Draft        *Draft `json:"draft,omitempty"`
	CommittedSeq *int64 `json:"committedSeq,omitempty"`
}

// Compact plans a compaction, has its summary written, and commits it; with DryRun all but the last. The session is not
// locked while the summary is written: if it has changed by then so that the plan does not hold, nothing is written.
func (b *Backend) Compact(ctx context.Context, id string, r Compact) (Compacted, error) {
	b.follow(id, &r)
	if r.DryRun {
		return b.compact(ctx, id, r)
	}
	alone, end, err := b.compacting.begin(ctx, id)
	if err != nil {
		return Compacted{}, err
	}
	defer end()
	done, err := b.compact(alone, id, r)
	if err != nil && errors.Is(context.Cause(alone), errOvertaken) {
		err = fmt.Errorf("session %s: %w: %w", id, compaction.ErrStale, errOvertaken)
	}
	return done, err
}

func (b *Backend) compact(ctx context.Context, id string, r Compact) (Compacted, error) {
	defer b.leanFor(id)()
	c, plan, err := b.planned(ctx, id, r.Cut, r.Previous)
	if nothing, ok := errors.AsType[*compaction.Nothing](err); ok {
		return Compacted{Reason: nothing.Reason}, nil
	}
	if err != nil {
		return Compacted{}, err
	}
	draft, err := b.draftFor(ctx, id, c, plan, r)
	if err != nil {
		return Compacted{}, fmt.Errorf("session %s: %w", id, err)
	}
	kept, err := fidelityOf(id, plan, draft.Summary)
	if err != nil {
		return Compacted{}, err
	}
	out := Compacted{Plan: planOf(plan), Draft: draftOf(draft, kept)}
	after := compaction.TokensAfter(draft.Summary)
	out.Plan.TokensAfter = &after
	if r.DryRun {
		return out, nil
	}
	made, seq, err := b.commit(ctx, id, plan, b.commitOf(id, plan, draft, r))
	if err != nil {
		return Compacted{}, err
	}
	out.Plan, out.CommittedSeq = planOf(made), &seq
	out.Plan.TokensAfter = &after
	return out, nil
}

// follow makes a summary that comes from a draft stand for what that draft was written for, unless the user says where
// to cut: by the rule the cut may be elsewhere by now, and what lies between would be in neither.
func (b *Backend) follow(id string, r *Compact) {
	from := b.drafts.finished(id, r.DraftID)
	if from == nil || r.Summary == nil || r.Cut.Cut != 0 {
		return
	}
	r.Cut = Cut{Cut: from.plan.CutSeq}
	if !r.Previous.Given {
		r.Previous = PreviousSeq{Given: true}
		if from.plan.PreviousSeq != nil {
			r.Previous.Seq = *from.plan.PreviousSeq
		}
	}
}

// planned makes a plan and, if it was made before, says whether it still holds.
func (b *Backend) planned(ctx context.Context, id string, cut Cut, previous PreviousSeq) (*overlay.Context, *compaction.Plan, error) {
	c, err := b.resolve(id)
	if err != nil {
		return nil, nil, err
	}
	b.learn(ctx, &c, offersWait)
	if previous.Given && previous.Seq != c.CompactionSeq {
		return nil, nil, fmt.Errorf("session %s: %w: another compaction is in force", id, compaction.ErrStale)
	}
	plan, err := b.plan(id, &c, cut, previous.Given)
	if previous.Given && errors.Is(err, compaction.ErrCut) {
		err = fmt.Errorf("%w: seq %d is no place to cut it any more", compaction.ErrStale, cut.Cut) // it was when it was planned
	}
	if err != nil {
		return nil, nil, fmt.Errorf("session %s: %w", id, err)
	}
	return &c, plan, nil
}

// commit appends a compaction, if its plan still holds, and returns the plan as it is by then.
func (b *Backend) commit(ctx context.Context, id string, planned *compaction.Plan, what compaction.Commit) (*compaction.Plan, int64, error) {
	seqs, err := b.store.AppendDerived(ctx, id, func() ([]record.Draft, error) {
		c, err := b.resolve(id)
		if err != nil {
			return nil, err
		}
		if what.Plan, err = compaction.Hold(&c, planned, b.limit(id, &c)); err != nil {
			return nil, fmt.Errorf("session %s: %w", id, err)
		}
		lines, err := compaction.Records(what)
		if err != nil {
			return nil, fmt.Errorf("session %s: %w", id, err)
		}
		return b.draftsOf(lines)
	})
	if err != nil {
		return nil, 0, b.whole(ctx, id, seqs, err)
	}
	return what.Plan, seqs[len(seqs)-1], nil
}

// whole takes back what was written of a compaction that failed in the middle: the prune before it.
func (b *Backend) whole(ctx context.Context, id string, written []int64, err error) error {
	for _, seq := range written {
		if _, revertErr := b.Revert(context.WithoutCancel(ctx), id, seq); revertErr != nil {
			err = fmt.Errorf("%w; record %d, which clears tool results, is in the log and could not be taken back: %w", err, seq, revertErr)
		}
	}
	return err
}

func (b *Backend) plan(id string, c *overlay.Context, cut Cut, again bool) (*compaction.Plan, error) {
	if cut.Cut < 0 || cut.KeepRecent != nil && *cut.KeepRecent < 0 {
		return nil, fmt.Errorf("%w: cut and keepRecent are whole numbers from 0 on", session.ErrInput)
	}
	settings, _ := b.settingsIn(id, c, "") // as it would be at the provider in use, where its own is gone
	keep, messages := b.budgetOf(id, c).KeepRecent, settings.Compaction.KeepRecentMessages
	if cut.KeepRecent != nil {
		keep, messages = *cut.KeepRecent, 0
	}
	return compaction.Make(c, compaction.Options{KeepRecent: keep, KeepMessages: messages, Limit: b.limit(id, c), Cut: cut.Cut, Again: again, Propose: cut.Propose})
}

// limit is what the kept part may count at most.
func (b *Backend) limit(id string, c *overlay.Context) int {
	budget := b.budgetOf(id, c)
	return budget.Window - budget.Reserve
}

func planOf(p *compaction.Plan) *Plan {
	out := &Plan{
		CutSeq: p.CutSeq, Summarize: overlay.Seqs(p.Summarize), Keep: overlay.Seqs(p.Keep), Goes: messagesIn(p.Summarize), Stays: messagesIn(p.Keep),
		SplitTurn:    p.SplitTurn,
		TokensBefore: p.TokensBefore, TokensKept: p.TokensKept, ReadFiles: p.ReadFiles, ModifiedFiles: p.ModifiedFiles,
	}
	if p.Previous != nil {
		out.PreviousSeq = &p.PreviousSeq
	}
	if p.Prune != nil {
		out.Prune = &Prune{p.Prune.Seqs, p.Prune.TokensFreed}
	}
	return out
}

func draftOf(d *compaction.Draft, kept *compaction.Fidelity) *Draft {
	return &Draft{
		Summary: d.Summary, Model: known(d.Model), Offline: d.Offline, Usage: d.Usage, Hook: d.Hooked, Fidelity: kept,
		MissingHeadings: append([]string{}, d.MissingHeadings...), Notes: append([]string{}, d.Notes...),
	}
}
