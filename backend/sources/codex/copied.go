package codex

import (
	"context"
	"io"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// A rollout may be there twice: while Codex compresses it or puts it away, where a backup was laid beside it, or where somebody copied it
// to look at it. Which of two is the session does not depend on where they are, but on what they hold.

// once leaves out the files of one name that another one begins with. What is left is the one that Codex would read first, or what goes on
// from that, and those that went on apart.
func once(ctx context.Context, env sources.Env, same []rollout) (first rollout, apart []rollout) {
	slices.SortStableFunc(same, func(a, b rollout) int { return a.packed() - b.packed() })
	shown := same[:1:1]
	for _, file := range same[1:] {
		if slices.ContainsFunc(shown, func(other rollout) bool { return continues(ctx, env, other.path, file.path) }) {
			continue
		}
		at := slices.IndexFunc(shown, func(other rollout) bool { return continues(ctx, env, file.path, other.path) })
		if at < 0 {
			shown = append(shown, file)
			continue
		}
		shown[at] = file
	}
	return shown[0], shown[1:]
}

// packed is 1 for a compressed file of those in use, and more for one that was put away.
func (r rollout) packed() int {
	n := 0
	if strings.HasSuffix(r.path, ".zst") {
		n++
	}
	if r.archived {
		n += 2
	}
	return n
}

// continues tells whether a file says all that another one holds, however each is kept, and in whatever version.
func continues(ctx context.Context, env sources.Env, longer, shorter string) bool {
	opened := func(path string) (io.ReadCloser, error) { return open(path) }
	return jsonl.Continues(env, agent, longer, shorter, opened) || migratedContinues(ctx, env, longer, shorter)
}

// variants are the threads that a thread is, whose files are there in several states: for each that went on apart its own, with what they
// have in common.
func variants(files []rollout) [][]rollout {
	all := [][]rollout{files}
	for n := 0; ; n++ {
		other, has := slices.Clone(files), false
		for i, file := range files {
			if n < len(file.apart) {
				other[i], has = file.apart[n], true
			}
		}
		if !has {
			return all
		}
		all = append(all, other)
	}
}
