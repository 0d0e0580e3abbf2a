package codex

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

func home(env sources.Env) string { return env.Or("CODEX_HOME", ".codex") }

// Roots are the folders of sessions in use and of those put away.
func (Source) Roots(env sources.Env) []string {
	return []string{filepath.Join(home(env), "sessions"), filepath.Join(home(env), "archived_sessions")}
}

// rollout is a file, by what its name tells.
type rollout struct {
	path string
	// start is its time, as in the name: it sorts.
	start string
	// thread is the id of its session; segment is that of a revert, empty for a first file.
	thread, segment string
	archived        bool
	// apart are files of the same name that hold something else.
	apart []rollout
}

// begun is when the file was begun, by its name and in the time of the place; the zero time if that does not tell.
func (r rollout) begun() time.Time {
	at, _ := time.ParseInLocation("2006-01-02T15-04-05", r.start, time.Local) // the zero time for anything else
	return at
}

var rolloutName = regexp.MustCompile(`^rollout-(\d{4}-\d\d-\d\d(?:T\d\d-\d\d-\d\d)?)-([0-9A-Za-z-]+?)(?:_([0-9A-Za-z-]+))?(?:\.jsonl|\.json)(?:\.zst)?$`)

// rollouts lists the files of sessions, those of a thread in the order they were begun. Of a file that is there twice, compressed and
// not, or put away and not, only the one that Codex would read is given, with those that differ.
func rollouts(ctx context.Context, env sources.Env) []rollout {
	const folders = 4
	named := map[string][]rollout{}
	var names []string
	for i, root := range (Source{}).Roots(env) {
		for path := range jsonl.Walk(env, root, folders, ".jsonl", ".jsonl.zst", ".json") {
			name := filepath.Base(path)
			parts := rolloutName.FindStringSubmatch(name)
			if parts == nil {
				if !strings.HasPrefix(name, "rollout-") {
					continue
				}
				parts = []string{name, name, name, ""} // renamed by hand: its header says whose it is
			}
			key := strings.TrimSuffix(name, ".zst")
			if len(named[key]) == 0 {
				names = append(names, key)
			}
			named[key] = append(named[key], rollout{path: path, start: parts[1], thread: parts[2], segment: parts[3], archived: i > 0})
		}
	}
	all := make([]rollout, 0, len(names))
	for _, name := range names {
		file := named[name][0]
		if len(named[name]) > 1 {
			file, file.apart = once(ctx, env, named[name])
		}
		all = append(all, file)
	}
	slices.SortStableFunc(all, func(a, b rollout) int { return strings.Compare(a.start+a.segment, b.start+b.segment) })
	return all
}
