package agent

import (
	"context"
	"fmt"

	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/tokens"
)

// Summarizer lets a model write summaries.
type Summarizer struct {
	choice Choice
	retry  func(llm.Retry)
}

// NewSummarizer returns the summarizer of a turn: the model that answers it, unless another one writes the summaries. Retry
// is told of requests that are made again, and may be nil.
func NewSummarizer(c Choice, retry func(llm.Retry)) *Summarizer {
	if other := c.Compaction.Summarizer; other != nil {
		c = *other
	}
	return &Summarizer{c, retry}
}

// Budget is that of the model.
func (s *Summarizer) Budget() tokens.Budget { return s.choice.Budget }

// Complete asks once, without tools.
func (s *Summarizer) Complete(ctx context.Context, system, prompt string, text func(string)) (compaction.Completion, error) {
	answer, err := s.choice.Asker.Stream(ctx, llm.Request{
		Model: s.choice.Model, System: system,
		Messages: []overlay.Message{overlay.Question(prompt)},
	}, func(d llm.Delta) {
		if d.Text != "" {
			text(d.Text)
		}
		if d.Retry != nil && s.retry != nil {
			s.retry(*d.Retry)
		}
	})
	if llm.ClassOf(err) == llm.ClassOverflow {
		err = fmt.Errorf("%w: %w", compaction.ErrOverflow, err)
	}
	return compaction.Completion{
		Text: answer.Text, Stop: answer.Stop, Calls: len(answer.Calls) > 0, Usage: s.choice.priced(answer.Usage), Model: s.choice.Model,
	}, err
}
