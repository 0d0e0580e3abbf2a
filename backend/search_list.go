package backend

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"palimpsest/backend/session"
)

// list fills in the sessions that filters alone choose, the newest first.
func (s *searching) list(out *Search) error {
	ids := make([]string, 0, len(s.all))
	for id := range s.all {
		if s.keeps(id) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, s.newer)
	if s.opts.Cursor != "" {
		from, err := s.behind(ids)
		if err != nil {
			return err
		}
		ids = ids[from:]
	}
	for i, id := range ids {
		if len(out.Hits) == s.opts.Limit {
			out.Complete, out.Cursor = false, known(s.listCursor(ids[i-1]))
			break
		}
		if row, ok := s.row(id); ok {
			out.Hits = append(out.Hits, row)
		}
	}
	return nil
}

// listCursor goes on behind a session, also if that one is not there any more.
func (s *searching) listCursor(id string) string {
	return fmt.Sprintf("%d.%s", s.all[id].Updated.UnixNano(), id)
}

// behind is where ids go on that are sorted, the newest first.
func (s *searching) behind(ids []string) (int, error) {
	nanos, id, found := strings.Cut(s.opts.Cursor, ".")
	at, err := strconv.ParseInt(nanos, 10, 64)
	if err != nil || !found {
		return 0, fmt.Errorf("%w: %q is not a cursor of this search", session.ErrInput, headOf(s.opts.Cursor))
	}
	last := time.Unix(0, at)
	from := slices.IndexFunc(ids, func(one string) bool {
		order := last.Compare(s.all[one].Updated)
		return order > 0 || order == 0 && one > id
	})
	if from < 0 {
		return len(ids), nil
	}
	return from, nil
}

// notYetScanned is why a session is not looked at that has not been read since it was made or changed.
const notYetScanned = "notYetScanned"

// skipped are the sessions that the filters choose, as far as is known, and that are not looked through to their end.
func (s *searching) skipped(ctx context.Context) ([]Unsearched, error) {
	chosen := s.all
	if len(s.filters) > 0 {
		chosen = map[string]digested{}
		for id, d := range s.all {
			if s.keeps(id) {
				chosen[id] = d
			}
		}
	}
	out := skippedOf(chosen)
	waiting, err := s.b.notScanned(ctx, s.all)
	if waiting.Count > 0 {
		out = append([]Unsearched{waiting}, out...)
	}
	return out, err
}

// notScanned are the sessions that are not in the index as they are now, as far as the last look round has seen.
func (b *Backend) notScanned(ctx context.Context, all map[string]digested) (Unsearched, error) {
	out := Unsearched{Reason: notYetScanned, IDs: []string{}}
	state := b.indexing.scanner.State()
	out.Count = state.Waiting
	if b.keeper() == nil || len(all) == 0 || state.Sessions == 0 || state.Elsewhere {
		var err error
		if _, out.Count, err = b.waiting(ctx); err != nil {
			return out, err
		}
	}
	ids := b.indexing.stock.unread(all)
	out.IDs = ids[:min(len(ids), skippedMost)]
	out.Count = max(out.Count, len(ids)) // some may have been read since the index was asked
	return out, nil
}

// unread are the sessions that the last look round found, and that the index does not have, the newest first.
func (c *stock) unread(all map[string]digested) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	updated := map[string]time.Time{} // of the few that are
	for id, at := range c.own {
		if _, read := all[id]; !read {
			updated[id] = at
		}
	}
	for id, one := range c.theirs {
		if _, read := all[id]; !read {
			updated[id] = lastOf(one.found)
		}
	}
	ids := slices.AppendSeq(make([]string, 0, len(updated)), maps.Keys(updated))
	slices.SortFunc(ids, func(a, b string) int { return updated[b].Compare(updated[a]) })
	return ids
}
