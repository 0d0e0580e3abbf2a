package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/oklog/ulid/v2"

	"palimpsest/backend/agent"
	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
)

// ErrNoDraft is returned for a draft that is not, or no longer, there.
var ErrNoDraft = errors.New("there is no such draft")

// DraftStatus is how far a draft is.
type DraftStatus string

// The states of drafts.
const (
	DraftRunning   DraftStatus = "running"
	DraftReady     DraftStatus = "ready"
	DraftFailed    DraftStatus = "failed"
	DraftCancelled DraftStatus = "cancelled"
)

// DraftRequest is what a draft is asked for with.
type DraftRequest struct {
	Cut
	Offline      bool        `json:"offline"`
	Instructions string      `json:"instructions"`
	Previous     PreviousSeq `json:"previousSeq"`
}

// DraftState is a draft that is being written, or was.
type DraftState struct {
	DraftID   string      `json:"draftId"`
	SessionID string      `json:"sessionId"`
	State     DraftStatus `json:"state"`
	// N is the number of its last event, and Text what was written up to it, of part Part of Parts.
	N     int64    `json:"n"`
	Text  string   `json:"text"`
	Part  int      `json:"part"`
	Parts int      `json:"parts"`
	Plan  *Plan    `json:"plan"`
	Draft *Draft   `json:"draft"`
	Error *Problem `json:"error"`
}

// drafts are those being written and the last ones that were, newest last.
type drafts struct {
	mu     sync.Mutex
	all    []*draftJob
	closed bool
	work   sync.WaitGroup
}

// draftsKept is how many finished drafts are kept, for pages that come back to them.
const draftsKept = 8

type draftJob struct {
	id, session string
	request     DraftRequest
	cancel      context.CancelFunc
	events      *agent.Emitter

	// The rest belongs to drafts.mu.
	state       DraftStatus
	part, parts int
	plan        *Plan
	draft       *compaction.Draft
	fidelity    *compaction.Fidelity
	err         *Problem
}

// StartDraft has a summary written in the background. What is wrong with the plan is said at once.
func (b *Backend) StartDraft(ctx context.Context, id string, r DraftRequest) (DraftState, error) {
	c, plan, err := b.planned(ctx, id, r.Cut, r.Previous)
	if nothing, ok := errors.AsType[*compaction.Nothing](err); ok {
		return DraftState{}, fmt.Errorf("%w: session %s: %w", session.ErrInput, id, nothing)
	}
	if err != nil {
		return DraftState{}, err
	}
	job := &draftJob{id: ulid.Make().String(), session: id, request: r, state: DraftRunning, part: 1, parts: 1, plan: planOf(plan)}
	job.events = agent.NewEmitter(id, job.id, b.news.turn, nil)
	writing, cancel := context.WithCancel(context.WithoutCancel(ctx)) // it goes on when who asked for it has gone
	job.cancel = cancel
	if !b.drafts.start(job, func() { b.write(writing, job, c, plan) }) {
		cancel()
		return DraftState{}, agent.ErrClosed
	}
	return b.Draft(id, job.id)
}

// Draft is how far a draft is.
func (b *Backend) Draft(id, draftID string) (DraftState, error) {
	job := b.drafts.find(id, draftID)
	if job == nil {
		return DraftState{}, fmt.Errorf("session %s: draft %.30q: %w", id, draftID, ErrNoDraft)
	}
	snapshot := job.events.Snapshot()
	b.drafts.mu.Lock()
	defer b.drafts.mu.Unlock()
	out := DraftState{
		DraftID: job.id, SessionID: id, State: job.state, N: snapshot.N, Text: snapshot.Answer, Part: job.part, Parts: job.parts,
		Plan: job.plan, Error: job.err,
	}
	if job.draft != nil {
		plan, after := *job.plan, compaction.TokensAfter(job.draft.Summary)
		plan.TokensAfter = &after
		out.Plan, out.Draft = &plan, draftOf(job.draft, job.fidelity)
	}
	return out, nil
}

// CancelDraft stops a draft and forgets it.
func (b *Backend) CancelDraft(id, draftID string) error {
	job := b.drafts.find(id, draftID)
	if job == nil {
		return fmt.Errorf("session %s: draft %.30q: %w", id, draftID, ErrNoDraft)
	}
	job.cancel()
	b.drafts.forget(job)
	return nil
}

// write has the summary written and tells how it goes on.
func (b *Backend) write(ctx context.Context, job *draftJob, c *overlay.Context, plan *compaction.Plan) {
	defer job.cancel()
	defer b.leanFor(job.session)()
	draft, err := b.compose(ctx, job, c, plan)
	state, end := DraftReady, agent.Drafting{State: string(DraftReady)}
	var problem *Problem
	var fidelity *compaction.Fidelity
	if err == nil {
		fidelity, err = fidelityOf(job.session, plan, draft.Summary)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		state, end.State = DraftCancelled, string(DraftCancelled)
	case err != nil:
		p := ProblemOf(err)
		problem, state = &p, DraftFailed
		told := agentProblem(err).Told()
		end = agent.Drafting{State: string(DraftFailed), Error: &told}
	}
	if err != nil {
		draft = nil
	}
	b.drafts.mu.Lock()
	job.state, job.draft, job.fidelity, job.err = state, draft, fidelity, problem
	b.drafts.mu.Unlock()
	job.events.Send(agent.KindCompaction, end)
}

func (b *Backend) compose(ctx context.Context, job *draftJob, c *overlay.Context, plan *compaction.Plan) (*compaction.Draft, error) {
	draft, err := b.draftFor(ctx, job.session, c, plan, Compact{
		Offline: job.request.Offline, Instructions: job.request.Instructions,
		Progress: compaction.Progress{
			Part: func(part, parts int) { b.restart(job, part, parts) },
			Text: func(piece string) { job.events.Text(agent.KindCompaction, piece) },
		},
		Retry: func(r llm.Retry) {
			again := agent.RetryingOf(r)
			job.events.Send(agent.KindCompaction, agent.Drafting{State: "retry", Retrying: &again})
		},
	})
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", job.session, err)
	}
	return draft, nil
}

// restart begins a part: what was written so far is void.
func (b *Backend) restart(job *draftJob, part, parts int) {
	b.drafts.mu.Lock()
	job.part, job.parts = part, parts
	b.drafts.mu.Unlock()
	job.events.Restart(agent.KindCompaction, agent.Drafting{State: "restart", Part: part, Parts: parts})
}

func (d *drafts) start(job *draftJob, write func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.all = append(d.all, job)
	finished := 0
	for i, other := range slices.Backward(d.all) {
		if other.state == DraftRunning {
			continue
		}
		if finished++; finished > draftsKept {
			d.all = slices.Delete(d.all, i, i+1)
		}
	}
	d.work.Go(write)
	return true
}

func (d *drafts) find(session, id string) *draftJob {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.all, func(job *draftJob) bool { return job.id == id && job.session == session })
	if i < 0 {
		return nil
	}
	return d.all[i]
}

// finished is a draft of this session that can be committed, nil if there is none of this id.
func (d *drafts) finished(session, id string) *draftJob {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.all, func(job *draftJob) bool { return job.id == id && job.session == session && job.draft != nil })
	if i < 0 {
		return nil
	}
	return d.all[i]
}

func (d *drafts) forget(job *draftJob) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = slices.DeleteFunc(d.all, func(other *draftJob) bool { return other == job })
}

// close cancels what is being written and waits for it.
func (d *drafts) close() {
	d.mu.Lock()
	d.closed = true
	for _, job := range d.all {
		job.cancel()
	}
	d.mu.Unlock()
	d.work.Wait()
}
