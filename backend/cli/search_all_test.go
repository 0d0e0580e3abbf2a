package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend"
)

// TestSearchGoesOn: an answer that ran out of time is no end, whether a limit is asked for or not.
func TestSearchGoesOn(t *testing.T) {
	broken := errors.New("no disk")
	for name, c := range map[string]struct {
		limit   int
		finds   []int // by each answer
		fails   bool
		found   int
		cursor  bool
		limits  []int // that are asked for
		problem error
	}{
		"nothing, looked for to the end": {finds: []int{0, 0, 0}, limits: []int{0, 50, 50}},
		"late":                           {finds: []int{0, 2, 1}, found: 3, limits: []int{0, 50, 48}},
		"enough":                         {finds: []int{50, 1}, found: 50, cursor: true, limits: []int{0}},
		"as many as asked for":           {limit: 3, finds: []int{1, 2, 5}, found: 3, cursor: true, limits: []int{3, 2}},
		"more than an answer has":        {limit: 300, finds: []int{200, 100, 1}, found: 300, cursor: true, limits: []int{300, 100}},
		"an error":                       {finds: []int{1, 1}, fails: true, limits: []int{0, 49, 48}, found: 2, problem: broken},
	} {
		t.Run(name, func(t *testing.T) {
			var limits []int
			found, err := searchUpTo(t.Context(), func(_ context.Context, opts backend.SearchOptions) (backend.Search, error) {
				limits = append(limits, opts.Limit)
				if len(limits) > len(c.finds) {
					return backend.Search{}, broken
				}
				n := c.finds[len(limits)-1]
				out := backend.Search{Hits: make([]backend.SearchHit, n), Scopes: map[string]int{"user": n}, Complete: true}
				if len(limits) < len(c.finds) || c.fails {
					cursor := "on"
					out.Cursor, out.Complete = &cursor, false
				}
				return out, nil
			}, backend.SearchOptions{Limit: c.limit})
			if !errors.Is(err, c.problem) || len(found.Hits) != c.found || found.Scopes["user"] != c.found {
				t.Errorf("%d found, %v, %v", len(found.Hits), found.Scopes, err)
			}
			if c.problem == nil && (found.Cursor != nil) != c.cursor || found.Complete == c.cursor && c.problem == nil {
				t.Errorf("complete: %v", found.Complete)
			}
			if diff := cmp.Diff(c.limits, limits); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSearchEnds: that there may be more is said where a higher limit shows it, and else that not everything was looked through.
func TestSearchEnds(t *testing.T) {
	cursor := "on"
	for want, found := range map[string]backend.Search{
		"": {Hits: make([]backend.SearchHit, 1), Complete: true},
		"there may be more; --limit shows more\n": {Hits: make([]backend.SearchHit, 1), Cursor: &cursor},
		"not everything was looked through\n":     {Hits: make([]backend.SearchHit, 1)},
	} {
		var out bytes.Buffer
		p := &program{out: bufio.NewWriter(&out)}
		if err := errors.Join(p.searchEnd(&found), p.out.Flush()); err != nil || out.String() != want {
			t.Errorf("%q, not %q, %v", out.String(), want, err)
		}
	}
}
