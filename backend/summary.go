package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"palimpsest/backend/agent"
	"palimpsest/backend/compaction"
	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
)

// draftFor has the summary written, or takes the one that was given.
func (b *Backend) draftFor(ctx context.Context, id string, c *overlay.Context, plan *compaction.Plan, r Compact) (*compaction.Draft, error) {
	if r.Summary != nil {
		if strings.TrimSpace(compaction.StripTags(*r.Summary)) == "" {
			return nil, fmt.Errorf("%w: the summary is empty", session.ErrInput)
		}
		return compaction.DraftOf(plan, *r.Summary), nil
	}
	meta, err := b.store.Metadata(id)
	if err != nil {
		return nil, err
	}
	settings, _ := b.Settings()
	return compaction.Compose(ctx, b.hook(settings, id, meta.Cwd), compaction.TriggerManual, compaction.Request{
		Plan: plan, Instructions: r.Instructions, Progress: r.Progress,
	}, func(asked compaction.Request) (*compaction.Draft, error) { return b.summarize(ctx, id, c, r, asked) })
}

// summarize has the summary written by a model or, without one, by rule.
func (b *Backend) summarize(ctx context.Context, id string, c *overlay.Context, r Compact, asked compaction.Request) (*compaction.Draft, error) {
	if r.Offline {
		return compaction.Offline(asked.Plan), nil
	}
	choice, err := b.choose(ctx, id, agent.Wanted{}, c)
	if errors.Is(err, ErrNoModel) {
		return compaction.Offline(asked.Plan), nil
	}
	if err != nil {
		return nil, err
	}
	return compaction.Summarize(ctx, agent.NewSummarizer(choice, r.Retry), asked)
}

// commitOf says what is written of a draft. A given text counts as edited unless it is word for word what the draft
// says that it comes from.
func (b *Backend) commitOf(id string, plan *compaction.Plan, draft *compaction.Draft, r Compact) compaction.Commit {
	out := compaction.Commit{
		Plan: plan, Summary: draft.Summary, Model: draft.Model, Trigger: compaction.TriggerManual,
		Hooked: draft.Hooked, Usage: draft.Usage,
	}
	if !draft.Offline {
		out.Instructions = r.Instructions // by rule nothing is made of them
	}
	if r.Summary == nil {
		return out
	}
	out.Edited = true
	if from := b.drafts.finished(id, r.DraftID); from != nil {
		out.Model, out.Instructions, out.Hooked = from.draft.Model, from.request.Instructions, from.draft.Hooked
		out.Usage = from.draft.Usage
		out.Edited = plan.CutSeq != from.plan.CutSeq || compaction.StripTags(*r.Summary) != compaction.StripTags(from.draft.Summary)
	}
	return out
}
