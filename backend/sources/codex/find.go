package codex

import (
	"context"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Find tells of each thread, whose files may be several.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	given := s.given(ctx, env)
	files := rollouts(ctx, env)
	threads, at := threadsOf(files)
	all, err := recallAll(ctx, env, threads)
	if err != nil {
		return err
	}
	told := make([]sources.Found, 0, len(all))
	lent := lentTo(ctx, env, files, all)
	for i := range all {
		found := all[i].Found
		if found.ID == "" {
			continue
		}
		if g := given[found.ID]; g.name != "" {
			found.Title = g.name
		}
		if found.Archived {
			found.ArchivedAt = given[found.ID].away
		}
		found.Lacks = lacks(&found, func(thread string) *sources.Found {
			if i, there := at[thread]; there {
				return &all[i].Found
			}
			return nil
		})
		found.Beside = keptLent(env, &found, lent[i])
		told = append(told, found)
	}
	for _, found := range jsonl.Once(told, func(longer, shorter *sources.Found) bool {
		return len(longer.Files) == 1 && len(shorter.Files) == 1 && continues(ctx, env, longer.Files[0], shorter.Files[0])
	}) {
		if err := visit(found); err != nil {
			return err
		}
	}
	return nil
}

// threadsOf puts the files of each thread together, and tells where each is. One that is there in several states is several.
func threadsOf(files []rollout) (threads [][]rollout, at map[string]int) {
	at = map[string]int{}
	for _, file := range files {
		if i, known := at[file.thread]; known {
			threads[i] = append(threads[i], file)
			continue
		}
		at[file.thread] = len(threads)
		threads = append(threads, []rollout{file})
	}
	for _, thread := range slices.Clip(threads) {
		threads = append(threads, variants(thread)[1:]...)
	}
	return threads, at
}

// lacks is the first thread that one was forked from, or from what it was forked from, that is not there.
func lacks(found *sources.Found, of func(thread string) *sources.Found) string {
	for range generations {
		parent := found.Parent
		if found.Relation != sources.Fork || parent == "" {
			break
		}
		if found = of(parent); found == nil {
			return parent
		}
	}
	return ""
}

// recallAll looks at threads, but for those whose only file is as it was. Most have one that is not packed, and these are opened some ahead.
func recallAll(ctx context.Context, env sources.Env, threads [][]rollout) ([]sources.Told, error) {
	all := make([]sources.Told, len(threads))
	var plain, others []int
	var paths []string
	for i, files := range threads {
		if len(files) == 1 && strings.HasSuffix(files[0].path, ".jsonl") {
			plain, paths = append(plain, i), append(paths, files[0].path)
		} else {
			others = append(others, i)
		}
	}
	told, err := jsonl.RecallAll(ctx, env.Memory, agent, paths, func(n int, file *jsonl.File, err error) (sources.Told, bool) {
		return toldOf(look(threads[plain[n]], func(string) (*text, error) { return &text{Reader: file, file: file}, err }))
	})
	for n, i := range plain {
		all[i] = told[n]
	}
	if err != nil {
		return nil, err
	}
	return all, sources.SideBySide(ctx, len(others), func(n int) { all[others[n]] = recall(env, threads[others[n]]) })
}

// recall is look where the only file of a thread is as it was, and tells what only all of a compressed one tells, once that was read.
func recall(env sources.Env, files []rollout) (told sources.Told) {
	if len(files) != 1 {
		told = look(files, open)
	} else {
		told = env.Memory.Recall(agent, files[0].path, func() (sources.Told, bool) { return toldOf(look(files, open)) })
	}
	found := &told.Found
	if last := files[len(files)-1].path; found.ID != "" && found.Problem == "" && strings.HasSuffix(last, ".zst") {
		packedEnd(env, last, found)
	}
	return told
}

// toldOf is what is remembered of a thread, if that is all there is to tell.
func toldOf(told sources.Told) (sources.Told, bool) { return told, told.Found.Problem == "" }
