package codex

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"palimpsest/backend/sources"
)

// A thread that goes on from another one holds none of what stands before: that is read from the other's file, up to where the thread left. So it
// is another one to read when that changes, and it is the same however much is appended behind: what is compared is a checksum of what is lent.

// note is what is remembered of what a header says that a thread goes on from, and noted reads it.
func (h *head) note() string {
	return fmt.Sprintf("%d %s %s", h.end, h.at.Format(time.RFC3339Nano), h.base)
}

func noted(note string) (h head) {
	end, rest, _ := strings.Cut(note, " ")
	at, base, _ := strings.Cut(rest, " ")
	h.base = base
	h.end, _ = strconv.ParseInt(end, 10, 64)   // as it was written
	h.at, _ = time.Parse(time.RFC3339Nano, at) // and so was this
	return h
}

// loan is what stands in a file before an ordinal.
type loan struct {
	path string
	end  int64
}

// lentTo says what is like that others lend to each thread, by what was told of it; empty for those that stand for themselves.
func lentTo(ctx context.Context, env sources.Env, files []rollout, all []sources.Told) []string {
	t := thread{ctx: ctx, env: env, listed: files}
	loans, ends := make([][]loan, len(all)), map[string][]int64{}
	for i := range all {
		for _, note := range all[i].Notes {
			loans[i] = append(loans[i], t.loans(noted(note))...)
		}
		for _, l := range loans[i] {
			ends[l.path] = append(ends[l.path], l.end)
		}
	}
	paths := slices.Collect(maps.Keys(ends))
	for _, path := range paths {
		slices.Sort(ends[path])
		ends[path] = slices.Compact(ends[path])
	}
	said := make([][]string, len(paths))
	_ = sources.SideBySide(ctx, len(paths), func(n int) { // who gave up is told by what asked
		said[n] = lends(ctx, env, paths[n], t.heads[paths[n]], ends[paths[n]])
	})
	is := map[loan]string{}
	for n, path := range paths {
		for i, state := range said[n] {
			is[loan{path, ends[path][i]}] = state
		}
	}
	lent := make([]string, len(all))
	for i := range all {
		if len(all[i].Notes) > 0 {
			lent[i] = "lent"
		}
		for _, l := range loans[i] {
			lent[i] += " " + is[l]
		}
	}
	return lent
}

// loans are what a history stands in, as [thread.inherit] follows it.
func (t *thread) loans(h head) (all []loan) {
	t.visiting = map[string]bool{}
	for h.base != "" && len(all) < generations {
		path, base, ok := t.base(h)
		if !ok {
			break
		}
		t.visiting[path] = true
		all = append(all, loan{path, h.end})
		base.end = min(base.end, h.end)
		h = base
	}
	return all
}

// keptLent is what others lend to a thread or, of one that lacks a part, what they did when it did not: what was read then stays.
func keptLent(env sources.Env, found *sources.Found, lent string) string {
	const kept = agent + " lent"
	if lent == "" || found.Problem != "" {
		return lent
	}
	path := found.Files[0]
	if found.Lacks != "" {
		if before, some := env.Memory.Earlier(kept, path); some && len(before.Notes) > 0 {
			return before.Notes[0]
		}
		return lent
	}
	env.Memory.RecallIn(lent, &sources.Told{}, kept, path, func() (sources.Told, bool) { return sources.Told{}, true })
	return lent
}
