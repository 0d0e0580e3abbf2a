package crabtalk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// stepNames are the files of a session's folder in order, the metadata first.
func stepNames(dir string) ([]string, error) {
	tree, err := glean.OpenTree(dir)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	entries, err := tree.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, entry := range entries {
		if name := entry.Name(); name == "meta" || strings.HasPrefix(name, "step-") && strings.Trim(name[len("step-"):], "0123456789") == "" {
			out = append(out, name)
		}
	}
	slices.Sort(out) // meta comes before step
	return out, nil
}

// steps reads a folder. A new title has changed its name since, perhaps.
func (r *reader) steps(ctx context.Context, dir, id string) error {
	names, err := stepNames(dir)
	if len(names) == 0 {
		others, _ := os.ReadDir(filepath.Dir(dir)) // where there is none, nothing is found
		for _, other := range others {
			if name, _ := split(other.Name()); name == id && other.Name() != filepath.Base(dir) {
				dir = filepath.Join(filepath.Dir(dir), other.Name())
				names, err = stepNames(dir)
				break
			}
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(names) == 0 {
		return sources.ErrGone
	}
	tree, err := glean.OpenTree(dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	r.last = lastCompaction(tree, names)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := tree.ReadFile(name, sources.LineMost)
		if large, is := errors.AsType[*glean.LargeError](err); is {
			r.overlong(name, large)
			continue
		}
		if err != nil { // the others are worth having
			if r.flush(); !errors.Is(err, glean.ErrNoFile) {
				r.log.Unread(name, err)
			}
			continue
		}
		data = jsonl.Unmarked(data)
		if !json.Valid(data) {
			r.flush()
			r.log.Broken(data)
			continue
		}
		if err := r.record(gjson.ParseBytes(data), name); err != nil {
			return err
		}
	}
	return nil
}

// lastCompaction is the file that has it; empty if there is none.
func lastCompaction(tree *glean.Tree, names []string) string {
	for _, name := range slices.Backward(names) {
		const most = 256 << 10
		data, err := tree.ReadFile(name, most) // one that is longer is a message, and what can't be read is told of later
		if err == nil && kindOf(gjson.ParseBytes(jsonl.Unmarked(data)), false) == compaction {
			return name
		}
	}
	return ""
}

// Beside are the records of a session that has a folder, of which the first and the last are its files; or what stands beside its lines,
// with the summaries that have files of their own.
func (Source) Beside(_ context.Context, env sources.Env, found sources.Found) []string {
	path := found.Files[0]
	if inFolder(path) {
		all := []string{filepath.Join(filepath.Dir(path), eventsName), filepath.Join(filepath.Dir(path), archiveName)}
		summaries, err := memoryOfSession(path).files(cmp.Or(found.Row, found.ID))
		env.Unseen(err)
		return append(all, summaries...)
	}
	if isStore(path) || inDatabase(path) || strings.HasSuffix(path, ".jsonl") {
		return nil
	}
	var all []string
	names, err := stepNames(filepath.Dir(path))
	env.Unseen(err)
	for _, name := range names {
		if file := filepath.Join(filepath.Dir(path), name); !slices.Contains(found.Files, file) {
			all = append(all, file)
		}
	}
	return all
}
