package backend

import (
	"context"
	"fmt"

	"palimpsest/backend/session"
)

// MatchOptions of [Backend.Matches].
type MatchOptions struct {
	// Expression is a regular expression, as of [FindOptions].
	Expression string
	MatchCase  bool
	// Texts are what is on a screen.
	Texts []string
}

// Matches are the places in texts that an expression fits.
type Matches struct {
	// Matches are for each text where a place starts and where it ends, one after the other, in UTF-16, as JavaScript counts. Where they
	// are very many, of the last texts nothing is told: those are to be asked about again.
	Matches [][]int `json:"matches"`
}

const (
	// matchTexts bounds how many texts are looked through at once, matchesMost how many places of one are told, and matchesInAll of all.
	matchTexts   = 10_000
	matchesMost  = 2000
	matchesInAll = 20_000
)

// Matches finds what an expression fits in texts that somebody sees: by the same rules as [Backend.Find], and so that no expression can
// hold up who shows them.
func (b *Backend) Matches(ctx context.Context, opts MatchOptions) (Matches, error) {
	if opts.Expression == "" || len(opts.Expression) > queryMost {
		return Matches{}, fmt.Errorf("%w: what to find must be 1 to %d bytes long", session.ErrInput, queryMost)
	}
	if len(opts.Texts) > matchTexts {
		return Matches{}, fmt.Errorf("%w: at most %d texts are looked through at once", session.ErrInput, matchTexts)
	}
	e, err := expressionOf(opts.Expression, opts.MatchCase)
	if err != nil {
		return Matches{}, err
	}
	limited, cancel := context.WithTimeout(ctx, expressionTime)
	defer cancel()
	out := Matches{Matches: make([][]int, 0, len(opts.Texts))}
	left := matchesInAll
	for _, text := range opts.Texts {
		if left < matchesMost {
			break
		}
		units, err := e.Units(limited, text, matchesMost)
		if err != nil {
			return Matches{}, tooSlow(ctx, err)
		}
		out.Matches = append(out.Matches, units)
		left -= len(units) / 2
	}
	return out, nil
}
