package compaction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"palimpsest/backend/tokens"
)

// Hook is asked about a plan before its summary is written. What goes wrong with it is an error, and never a compaction
// that is lost: [Compose] goes on without it.
type Hook func(ctx context.Context, q Question) (Reply, error)

// Question is what a hook is shown.
type Question struct {
	Plan *Plan
	// Trigger says what made the compaction happen, and Instructions are the user's own for this summary.
	Trigger, Instructions string
}

// Reply is what a hook says; the zero value is nothing.
type Reply struct {
	// Context is added to what the summarizer is told.
	Context string
	// Summary takes the place of the summarizer's.
	Summary string
	// Refuse says why there must be no compaction now.
	Refuse string
}

// Hooked is what a hook did, as the record of the compaction says it.
type Hooked struct {
	// Used is what of its reply was used: "context", "summary" or "none".
	Used string `json:"used"`
	// Problem says what went wrong with it.
	Problem string `json:"problem,omitempty"`
}

// What of a hook's reply was used.
const (
	UsedNone    = "none"
	UsedContext = "context"
	UsedSummary = "summary"
)

// ErrRefused is returned if the user's hook wants no compaction.
var ErrRefused = errors.New("the compaction hook refused")

// Compose has a draft written after the hook, if there is one, was asked.
func Compose(ctx context.Context, hook Hook, trigger string, r Request, write func(Request) (*Draft, error)) (*Draft, error) {
	if hook == nil {
		return write(r)
	}
	reply, err := hook(ctx, Question{Plan: r.Plan, Trigger: trigger, Instructions: r.Instructions})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("asking the compaction hook: %w", context.Cause(ctx))
	}
	if err := r.Plan.Unread(); err != nil {
		return nil, err // it was asked about a part
	}
	hooked := &Hooked{Used: UsedNone}
	switch {
	case err != nil:
		hooked.Problem = oneLine(err.Error(), problemMost)
	case strings.TrimSpace(reply.Refuse) != "":
		return nil, fmt.Errorf("%w: %s", ErrRefused, oneLine(reply.Refuse, problemMost))
	case r.Plan.outgrownBy(reply.Summary) > 0:
		hooked.Problem = fmt.Sprintf("its summary does not fit: it is about %s tokens too long", tokens.Written(r.Plan.outgrownBy(reply.Summary)))
	case strings.TrimSpace(StripTags(reply.Summary)) != "":
		draft := DraftOf(r.Plan, reply.Summary)
		draft.Hooked = &Hooked{Used: UsedSummary}
		return draft, nil
	case strings.TrimSpace(reply.Context) != "":
		hooked.Used, r.Context = UsedContext, reply.Context
	}
	draft, err := write(r)
	if err != nil {
		return nil, err
	}
	if draft.Offline && hooked.Used == UsedContext {
		hooked.Used = UsedNone // by rule nothing is made of it
	}
	if draft.unheard != "" {
		hooked.Used, hooked.Problem = UsedNone, draft.unheard
	}
	if hooked.Problem != "" {
		draft.Notes = slices.Concat([]string{"the compaction hook was not heard: " + hooked.Problem}, draft.Notes)
	}
	draft.Hooked = hooked
	return draft, nil
}

// outgrownBy is by how many tokens a summary is too long for what is kept with it.
func (p *Plan) outgrownBy(summary string) int {
	if p.limit <= 0 || strings.TrimSpace(StripTags(summary)) == "" {
		return 0
	}
	return max(0, p.TokensKept+TokensAfter(p.WithTags(summary))-p.limit)
}

// problemMost bounds what is repeated of what a hook says, in characters.
const problemMost = 500
