package claudecode

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// told is what a file told: a session, its first and its last rows, the one that it goes on from, and the names it has for sessions of other
// files, by their rows. Depth is how many subagents deep it is, 0 where nobody says so, and last when a row was written last, be it no message.
type told struct {
	from  *sources.Told // what is remembered of the file
	found sources.Found
	first string
	after string
	rows  []string
	named map[string]string
	depth int
	last  time.Time
}

// told is the same in the form that is remembered: how deep it is, when its last row was written, the first row and what it follows, how many
// rows, the rows, and each name behind its row.
func (t told) told() sources.Told {
	last := ""
	if !t.last.IsZero() {
		last = t.last.Format(time.RFC3339Nano)
	}
	notes := append([]string{strconv.Itoa(t.depth), last, t.first, t.after, strconv.Itoa(len(t.rows))}, t.rows...)
	for _, row := range slices.Sorted(maps.Keys(t.named)) {
		notes = append(notes, row, t.named[row])
	}
	return sources.Told{Found: t.found, Notes: notes}
}

func toldOf(from *sources.Told) told {
	t := told{from: from, found: from.Found}
	const before = 5 // the rows
	if len(from.Notes) < before {
		return t
	}
	t.depth, _ = strconv.Atoi(from.Notes[0]) // as told wrote it, and so are the time and the next number
	t.last, _ = time.Parse(time.RFC3339Nano, from.Notes[1])
	t.first, t.after = from.Notes[2], from.Notes[3]
	rows, _ := strconv.Atoi(from.Notes[4])
	notes := from.Notes[before:]
	rows = min(rows, len(notes))
	t.rows, notes = notes[:rows], notes[rows:]
	if len(notes) > 0 {
		t.named = make(map[string]string, len(notes)/2)
	}
	for i := 0; i+1 < len(notes); i += 2 {
		t.named[notes[i]] = notes[i+1]
	}
	return t
}

// noteSuffix is that of the note beside a subagent's file.
const noteSuffix = ".meta.json"

// recall is what the files tell. Those of subagents without a note, which early versions did not write, are remembered by another name:
// once it is there they are looked at again.
func recall(ctx context.Context, env sources.Env, roots []string) (each []sources.Told, err error) {
	const folders = 6
	var paths []string
	noted := map[string]bool{}
	for _, root := range roots {
		for path := range jsonl.Walk(env, root, folders, ".jsonl", noteSuffix) {
			if name, is := strings.CutSuffix(path, noteSuffix); is {
				noted[name] = true
			} else {
				paths = append(paths, path)
			}
		}
	}
	for _, alone := range []bool{false, true} {
		var some []string
		name := agent
		if alone {
			name += " without a note"
		}
		for _, path := range paths {
			if alone == (inSubagents(path) && !noted[strings.TrimSuffix(path, ".jsonl")]) {
				some = append(some, path)
			}
		}
		of, err := jsonl.RecallAll(ctx, env.Memory, name, some, func(i int, file *jsonl.File, err error) (sources.Told, bool) {
			l := look(some[i], file, err)
			return told{nil, l.found, l.first, l.after, l.rows, l.named, l.depth, l.last}.told(), l.found.Problem == "" && (alone || !l.unnoted)
		})
		if err != nil {
			return nil, err
		}
		if each == nil {
			each = of // all of them, as a rule
			continue
		}
		each = append(each, of...)
	}
	return each, nil
}

func inSubagents(path string) bool { return filepath.Base(filepath.Dir(path)) == "subagents" }
