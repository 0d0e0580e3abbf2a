package codex

import (
	"context"
	"fmt"
	"os"
	"slices"

	"palimpsest/backend/inode"
	"palimpsest/backend/sources"
)

// Codex writes the rollouts of its earlier versions anew, with a number in each line, and may leave the earlier file, compressed or put
// away. What was said is the same in both, though hardly a line is.

// migratedContinues tells whether one of two files, of which only one has numbers, says all that the other one does. One that goes on from
// another file's history is not read for it. To read them takes time, so it is remembered.
func migratedContinues(ctx context.Context, env sources.Env, longer, shorter string) bool {
	long, err1 := headOf(longer)
	short, err2 := headOf(shorter)
	info, err3 := os.Lstat(shorter)
	if err1 != nil || err2 != nil || err3 != nil || long.numbered == short.numbered || long.base != "" || short.base != "" {
		return false
	}
	asked := fmt.Sprintf("%s says all of %s %d %d %d", agent, shorter, info.Size(), info.ModTime().UnixNano(), inode.Changed(info))
	return len(env.Memory.Recall(asked, longer, func() (sources.Told, bool) {
		yes, known := saysAll(ctx, env, longer, shorter)
		if yes {
			return sources.Told{Notes: []string{"yes"}}, known
		}
		return sources.Told{}, known
	}).Notes) > 0
}

func saysAll(ctx context.Context, env sources.Env, longer, shorter string) (yes, known bool) {
	said := func(path string) ([]sources.Sum, error) {
		return sources.SaidSums(ctx, alone{}, env, sources.Found{Agent: agent, Files: []string{path}})
	}
	begin, err1 := said(shorter)
	all, err2 := said(longer)
	return len(begin) > 0 && len(begin) <= len(all) && slices.Equal(begin, all[:len(begin)]), err1 == nil && err2 == nil
}

// alone reads a file by itself, whatever thread it is of.
type alone struct{ Source }

// Read is that of [Source], of one file.
func (alone) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	h, err := headOf(found.Files[0])
	if err != nil {
		return err
	}
	t := thread{ctx: ctx, env: env, reader: newReader(log), visiting: map[string]bool{}}
	if err := t.lines(found.Files[0], -1, h, nil); err != nil {
		return err
	}
	return log.Err()
}
