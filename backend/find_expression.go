package backend

import (
	"context"
	"errors"
	"fmt"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/expression"
	"palimpsest/backend/literal"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// expressionTime is how long an expression may take for a line, of its own or all that are on a screen. Only one that the automaton can't decide,
// or that goes through a long text again and again, takes so long.
const expressionTime = 2 * time.Second

// expressionFinder looks for what a regular expression fits.
type expressionFinder struct {
	expression *expression.Expression
	// within is how long a line may take.
	within time.Duration
}

func newExpressionFinder(opts FindOptions) (*expressionFinder, error) {
	e, err := expressionOf(opts.Query, opts.MatchCase)
	if err != nil {
		return nil, err
	}
	return &expressionFinder{e, expressionTime}, nil
}

func expressionOf(text string, matchCase bool) (*expression.Expression, error) {
	e, err := expression.New(text, matchCase)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", session.ErrInput, err)
	}
	return e, nil
}

func (f *expressionFinder) mayBeIn(line []byte) bool { return f.expression.MayBeIn(line) }

// in looks at what is written in the record, as a search of everything does, and where nothing fits there at what is shown of it.
func (f *expressionFinder) in(ctx context.Context, rec *record.Record) (Find, error) {
	limited, cancel := context.WithTimeout(ctx, f.within)
	defer cancel()
	for _, texts := range []func(*record.Record) []string{(*record.Record).Text, rendered, calls} {
		found, err := f.count(limited, texts(rec))
		if err != nil {
			return Find{}, tooSlow(ctx, err)
		}
		if found.Count > 0 {
			return found, nil
		}
	}
	return Find{}, nil
}

// tooSlow is the error of an expression that took its time, unless it was called off.
func tooSlow(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return fmt.Errorf("%w: this expression takes too long; a simpler one may do", session.ErrInput)
	}
	return err
}

func (f *expressionFinder) count(ctx context.Context, parts []string) (Find, error) {
	var found Find
	for _, part := range parts {
		places, text, err := f.expression.Places(ctx, part, countMost-found.Count)
		if err != nil {
			return Find{}, err
		}
		if found.Count == 0 && len(places) > 0 {
			found.Excerpt = excerptOf(text, places[0].Start, places[0].End)
		}
		found.Count += len(places)
	}
	return found, nil
}

// rendered are the texts of a record that are shown otherwise than they are written.
func rendered(rec *record.Record) (texts []string) {
	for _, text := range rec.Text() {
		if shown := literal.Rendered(text); shown != text {
			texts = append(texts, shown)
		}
	}
	return texts
}

// calls are the calls in a record, each as one text with a line for each argument, as the index has them.
func calls(rec *record.Record) (texts []string) {
	if rec.Message == nil {
		return nil
	}
	for _, block := range rec.Message.Content {
		if block.Kind == record.BlockToolCall {
			texts = append(texts, digest.Readable(block.Name, block.Arguments))
		}
	}
	return texts
}
