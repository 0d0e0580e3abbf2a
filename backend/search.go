package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/index"
	"palimpsest/backend/query"
	"palimpsest/backend/session"
)

// SearchOptions of [Backend.Search] and [Backend.SearchIn].
type SearchOptions struct {
	// Text is what is in the search box; package query says how it is read.
	Text string
	// Scopes are the names of those to look at; nil for all.
	Scopes []string
	// Case minds upper and lower case. Regex takes all of the text that is no filter for one expression.
	Case, Regex bool
	// Limit is how many sessions are wanted, and Cursor goes on where an answer ended.
	Limit  int
	Cursor string
	// Count goes on for the counts of everything.
	Count bool
}

// Search is what a search found.
type Search struct {
	Query query.Query `json:"query"`
	// Hits are sessions, the newest first, each with its best place.
	Hits []SearchHit `json:"hits"`
	// Scopes says how many places there are in each scope; Counted that this and the counts of the hits are of everything.
	Scopes  map[string]int `json:"scopes"`
	Counted bool           `json:"counted"`
	// Complete says that there is no session behind these; else Cursor goes on, or if there is none, an expression took too long for some text.
	Complete bool         `json:"complete"`
	Cursor   *string      `json:"cursor"`
	Skipped  []Unsearched `json:"skipped"`
	// Took is how long it took, in milliseconds.
	Took int64 `json:"took"`
}

// SearchHit is a session in which something was found.
type SearchHit struct {
	ID            string  `json:"id"`
	Agent         string  `json:"agent"`
	Title         *string `json:"title"`
	Cwd           *string `json:"cwd"`
	Model         string  `json:"model"`
	LastMessageAt string  `json:"lastMessageAt"`
	Gone          bool    `json:"gone"`
	// Count is how many places there are, as far as was counted; 0 for a session that filters alone have chosen.
	Count int          `json:"count"`
	Hit   *SearchPlace `json:"hit"`
}

// SearchPlace is a place in a session. Of its name Seq and Index are nil.
type SearchPlace struct {
	Seq   *int64  `json:"seq"`
	Index *int    `json:"index"`
	Scope string  `json:"scope"`
	Time  *string `json:"time"`
	// State is context, summary or dropped; nil where it is not known.
	State   *string `json:"state"`
	Excerpt Excerpt `json:"excerpt"`
}

const (
	// SearchDefault is how many sessions an answer has where no limit is asked for.
	SearchDefault = 50
	searchMost    = 200
	// searchTime is how long is looked for an answer, furtherTime for more of it, and countTime for its counts.
	searchTime  = 400 * time.Millisecond
	furtherTime = time.Second
	countTime   = 5 * time.Second
	// wordsMost is the longest text of a query, in bytes.
	wordsMost = query.Most
)

// Search looks through all sessions, ours and those of other agents, but for the trash. There is no text that it fails for, unless it
// is too long.
func (b *Backend) Search(ctx context.Context, opts SearchOptions) (Search, error) {
	return again(ctx, b, func() (Search, error) { return b.search(ctx, opts) })
}

func (b *Backend) search(ctx context.Context, opts SearchOptions) (Search, error) {
	begun := time.Now()
	s, err := b.searching(ctx, opts)
	if err != nil {
		return Search{}, err
	}
	out := Search{Query: s.query, Hits: []SearchHit{}, Scopes: map[string]int{}, Counted: true, Complete: true, Skipped: []Unsearched{}}
	switch {
	case s.index == nil:
		out.Complete = false
	case s.listsOnly():
		err = s.list(&out)
	case s.finds():
		err = s.find(ctx, &out)
	}
	if err != nil {
		return Search{}, err
	}
	if s.index != nil {
		out.Skipped, err = s.skipped(ctx)
	}
	out.Query = s.query
	out.Took = time.Since(begun).Milliseconds()
	return out, err
}

// searching is a search on its way.
type searching struct {
	b     *Backend
	opts  SearchOptions
	query query.Query
	index *index.Index // nil if there is none
	chooser
	scopes []index.Scope // nil for all
}

//nolint:contextcheck,nolintlint // the index that it opens outlives this request
func (b *Backend) searching(ctx context.Context, opts SearchOptions) (*searching, error) {
	words := opts.Text
	if !opts.Regex {
		words = strings.TrimSpace(words) // in an expression blanks mean something
	}
	if len(words) > wordsMost {
		return nil, fmt.Errorf("%w: what to look for may be %d bytes long, and is %d", session.ErrInput, wordsMost, len(words))
	}
	if opts.Limit <= 0 {
		opts.Limit = SearchDefault
	}
	opts.Limit = min(opts.Limit, searchMost)
	s := &searching{b: b, opts: opts, query: query.Parse(opts.Text, opts.Regex)}
	x, err := b.openIndex()
	if errors.Is(err, errIndexOff) {
		s.query.Problems = append(s.query.Problems, "This program was opened without an index: nothing was looked through.")
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	b.startIndexing()
	s.index = x
	all, err := b.digests(ctx)
	if err != nil {
		return nil, err
	}
	s.chooser = chooser{filters: s.query.Filters, all: all, now: b.now()}
	if err := s.resolve(ctx, b); err != nil {
		return nil, err
	}
	s.query.Problems = append(s.query.Problems, s.unknownAgents()...)
	s.scopes, err = s.scopesOf(opts.Scopes)
	s.finding = s.finds()
	return s, err
}

// scopesOf are the scopes that are wanted both by the door and by filters; nil for all.
func (s *searching) scopesOf(names []string) ([]index.Scope, error) {
	wanted := slices.Clone(index.Scopes)
	drop := func(keep func(index.Scope) bool) {
		wanted = slices.DeleteFunc(wanted, func(one index.Scope) bool { return !keep(one) })
	}
	if len(names) > 0 {
		for _, name := range names {
			if _, ok := index.ParseScope(name); !ok {
				return nil, fmt.Errorf("%w: scope is %q, not one of %v", session.ErrInput, name, index.Scopes)
			}
		}
		drop(func(one index.Scope) bool { return slices.Contains(names, one.String()) })
	}
	if asked, ok := s.alternatives(query.Scope); ok {
		drop(func(one index.Scope) bool { return slices.Contains(asked, one.String()) })
	}
	for _, f := range s.filters {
		if f.Name == query.Scope && f.Not {
			drop(func(one index.Scope) bool { return !slices.Contains(f.Values(), one.String()) })
		}
	}
	if len(wanted) == len(index.Scopes) {
		return nil, nil
	}
	return wanted, nil
}

// finds tells whether there is something to look for in texts: terms, or filters that choose texts.
func (s *searching) finds() bool {
	return len(s.query.Terms) > 0 || s.scopes != nil && len(s.query.Filters) > 0 || s.aboutTexts()
}

// listsOnly tells that the filters choose sessions, and nothing is looked for in them.
func (s *searching) listsOnly() bool { return len(s.query.Filters) > 0 && !s.finds() }

// indexQuery is the query as the index takes it.
func (s *searching) indexQuery() index.Query {
	q := index.Query{Scopes: s.scopes, Tools: s.tools()}
	for _, t := range s.query.Terms {
		p := index.Pattern{Text: t.Text, Regexp: t.Regex, Case: s.opts.Case}
		if spaced, ok := t.Spaced(); ok {
			p.Text, p.Regexp = spaced, true
		}
		if t.Not {
			q.None = append(q.None, p)
		} else {
			q.All = append(q.All, p)
		}
	}
	if len(s.filters) > 0 {
		q.Keep = s.keeps
	}
	fates, times := s.aboutFates(), s.aboutTimes()
	if fates || times {
		q.KeepText = func(id string, line, part int, at time.Time) bool {
			return (!times || s.keepsTime(id, at)) && (!fates || s.keepsFate(id, line, part))
		}
	}
	return q
}

// lookUp asks the index. An expression that it can't take after all is a problem of what was typed.
func (s *searching) lookUp(ctx context.Context, q index.Query, opts index.Options) (index.Found, error) {
	found, err := s.index.Search(ctx, q, opts)
	if errors.Is(err, index.ErrPattern) || errors.Is(err, index.ErrCursor) {
		return index.Found{}, fmt.Errorf("%w: %w", session.ErrInput, err)
	}
	return found, err
}
