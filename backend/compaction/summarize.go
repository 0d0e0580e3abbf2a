package compaction

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// Completion is what a model answered.
type Completion struct {
	Text string
	// Stop is why it ended: "stop", "length", "toolUse".
	Stop string
	// Calls tells that it called a tool.
	Calls bool
	Usage *record.Usage
	Model string
}

// Summarizer is a model that is asked for a summary. It retries by itself what is worth retrying. An error that wraps
// [ErrOverflow] says that the prompt was too long for it.
type Summarizer interface {
	// Complete sends one question and calls text for each piece of the answer as it comes.
	Complete(ctx context.Context, system, prompt string, text func(string)) (Completion, error)
	// Budget is how its window is divided: a question may have the window less the reserve.
	Budget() tokens.Budget
}

// Progress is told how the work goes on. Its fields may be nil.
type Progress struct {
	// Part is called before each question: what was written so far is void.
	Part func(part, parts int)
	// Text is called for each piece of the summary as it comes.
	Text func(string)
}

func (p Progress) part(part, parts int) {
	if p.Part != nil {
		p.Part(part, parts)
	}
}

func (p Progress) text(s string) {
	if p.Text != nil {
		p.Text(s)
	}
}

// Request of a summary.
type Request struct {
	Plan *Plan
	// Instructions are the user's own, for this summary.
	Instructions string
	// Context is what the user's hook adds to it.
	Context  string
	Progress Progress
}

// Cost says what a summary will take, before it is asked for: the tokens sent, estimated, in how many requests.
func (p *Plan) Cost(budget tokens.Budget) (inputTokens, requests int) {
	in := p.input(budget, Request{})
	for _, part := range in.parts {
		inputTokens += in.frame
		for _, m := range part {
			inputTokens += m.size
		}
	}
	return inputTokens, len(in.parts)
}

// Summarize asks a model for the summary of what a plan takes. What is too long for one question is summarized in parts,
// each merged into the summary of those before it by the update prompt.
func Summarize(ctx context.Context, with Summarizer, r Request) (*Draft, error) {
	unheard := r.hear(with.Budget())
	in := r.Plan.input(with.Budget(), r)
	if r.Plan.unread != nil {
		return nil, r.Plan.unread
	}
	if len(in.parts) == 0 {
		return nil, fmt.Errorf("%w: every message is too long for the summarizer", ErrOverflow)
	}
	draft := &Draft{}
	var notes []string
	for _, name := range in.leftOut {
		notes = append(notes, "not shown to the summarizer, too long for it: "+name)
	}
	previous := r.Plan.previousSummary()
	for i, shown := range in.parts {
		r.Progress.part(i+1, len(in.parts))
		part := messagesOf(shown)
		question := r.Plan.request(part, i, len(in.parts), in.leftOut, r)
		question.previous = previous
		summary, err := draft.ask(ctx, with, r.Plan, question, part, func() { r.Progress.part(i+1, len(in.parts)) }, r.Progress.text)
		if err != nil {
			return nil, err
		}
		previous = summary
	}
	out := DraftOf(r.Plan, previous)
	out.unheard = unheard
	out.Model, out.Usage = draft.Model, draft.Usage
	out.Notes = slices.Concat(notes, draft.Notes, out.Notes)
	return out, nil
}

// hear leaves out the context of a hook if it is more than a quarter of what a question may have: it would be in the way of the
// conversation itself. It says so.
func (r *Request) hear(budget tokens.Budget) (unheard string) {
	size, most := r.Plan.scaled(r.Context), (budget.Window-budget.Reserve)/4
	if size <= most {
		return ""
	}
	r.Context = ""
	return fmt.Sprintf("its context is too long for the summarizer: about %s tokens, of %s that there is room for", tokens.Written(size), tokens.Written(most))
}

// ask asks for one part. If it turns out to be too long after all, the oldest quarter is dropped, and said.
func (d *Draft) ask(ctx context.Context, with Summarizer, p *Plan, q request, part []overlay.Message, again func(), text func(string)) (string, error) {
	for {
		if p.unread != nil {
			return "", p.unread
		}
		answer, err := with.Complete(ctx, SystemPrompt, q.prompt(), text)
		if err == nil {
			d.Model = answer.Model
			d.Usage = d.Usage.Plus(answer.Usage)
			return judge(answer)
		}
		dropped := oldestQuarter(part)
		if !errors.Is(err, ErrOverflow) || dropped == len(part) {
			return "", err
		}
		d.Notes = append(d.Notes, fmt.Sprintf("the conversation was too long for the model: the oldest messages of it, %s, were not shown to it", seqRange(part[:dropped])))
		part = part[dropped:]
		q.conversation = p.serialize(part)
		again()
	}
}

func (p *Plan) previousSummary() string {
	if p.Previous == nil || len(p.replay) > 0 {
		return ""
	}
	return StripTags(p.Previous.Summary)
}

func (p *Plan) request(part []overlay.Message, i, parts int, leftOut []string, asked Request) request {
	last := i == parts-1
	r := request{conversation: p.serialize(part), splitTurn: p.SplitTurn && last, turn: p.turn(), instructions: asked.Instructions, context: asked.Context}
	if last {
		r.leftOut = leftOut
	}
	return r
}

// turn is how the turn that is split began, cut short; empty if none is or it began before what is summarized.
func (p *Plan) turn() string {
	const most = 1000
	for i := range slices.Backward(p.Summarize) {
		if m := &p.Summarize[i]; p.SplitTurn && m.Role == record.RoleUser && m.Overlay == "" {
			for whole := range p.texts(nil, p.Summarize[i:i+1]) {
				return cutText(textOf(whole.Content), most)
			}
		}
	}
	return ""
}

// oldestQuarter is how many messages to drop; all of them if nothing would be left.
func oldestQuarter(messages []overlay.Message) int {
	total, before := sizeOf(messages), 0
	for i := range messages {
		if i > 0 && 4*before >= total && messages[i].Role != record.RoleToolResult {
			return i
		}
		before += messages[i].Tokens
	}
	return len(messages)
}

func seqRange(messages []overlay.Message) string {
	first, last := messages[0].From, messages[len(messages)-1].From
	if first == last {
		return fmt.Sprintf("seq %d", first)
	}
	return fmt.Sprintf("seq %d to %d", first, last)
}
