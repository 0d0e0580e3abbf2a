package codex

import (
	"context"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// endOfPacked is what is remembered of the end of a compressed file, which stands behind all of it: a list can't wait for that.
const endOfPacked = agent + " packed end"

// packedEnd puts in what the end of a thread's last file tells, once that was read. Until then the time is that of the file, to which Codex
// gives that of the one it compressed.
func packedEnd(env sources.Env, path string, found *sources.Found) {
	told, known := env.Memory.KnownOrLater(endOfPacked, path, func(ctx context.Context) (sources.Told, bool) { return lookAtEnd(ctx, path) })
	if known || found.Bytes > jsonl.Edge {
		found.Model = told.Found.Model // that of the beginning may not be the last
	}
	if !known {
		return
	}
	if at := told.Found.UpdatedAt; !at.IsZero() {
		found.UpdatedAt = at
	}
}

// lookAtEnd reads all of a file, and of that the end as that of one which is not compressed. What tells no time tells nothing.
func lookAtEnd(ctx context.Context, path string) (told sources.Told, whole bool) {
	t, err := open(path)
	if err != nil {
		return told, false
	}
	defer t.Close()
	l := looker{found: &told.Found, row: t.file.Fields()}
	l.fromEnd(jsonl.Ending(ctx, t))
	told.Found.UpdatedAt = l.active()
	return told, ctx.Err() == nil
}
