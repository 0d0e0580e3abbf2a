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
// files, by their rows. Depth is how many subagents deep it is, 0 where nobody says so, last when a row was written last, be it no message, note
// what the note beside it was like, and sides what is remembered of the subagents in its file, nothing where that is too long to tell of them.
type told struct {
	from  *sources.Told // what is remembered of the file
	found sources.Found
	first string
	after string
	rows  []string
	named map[string]string
	depth int
	last  time.Time
	note  string
	sides []string
}

// told is the same in the form that is remembered: how deep it is, when its last row was written, what the note beside it was like, the first row and what it follows, how many
// rows, and how much of its subagents, these, and each name behind its row.
func (t told) told() sources.Told {
	last := ""
	if !t.last.IsZero() {
		last = t.last.Format(time.RFC3339Nano)
	}
	notes := append([]string{strconv.Itoa(t.depth), last, t.note, t.first, t.after, strconv.Itoa(len(t.rows)), strconv.Itoa(len(t.sides))}, t.rows...)
	notes = append(notes, t.sides...)
	for _, row := range slices.Sorted(maps.Keys(t.named)) {
		notes = append(notes, row, t.named[row])
	}
	return sources.Told{Found: t.found, Notes: notes}
}

func toldOf(from *sources.Told) told {
	t := told{from: from, found: from.Found}
	const before = 7 // the rows
	if len(from.Notes) < before {
		return t
	}
	t.depth, _ = strconv.Atoi(from.Notes[0]) // as told wrote it, and so are the time and the next numbers
	t.last, _ = time.Parse(time.RFC3339Nano, from.Notes[1])
	t.note, t.first, t.after = from.Notes[noteAt], from.Notes[3], from.Notes[4]
	notes := from.Notes[before:]
	for i, some := range []*[]string{&t.rows, &t.sides} {
		n, _ := strconv.Atoi(from.Notes[5+i])
		n = min(n, len(notes))
		*some, notes = notes[:n], notes[n:]
	}
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

// noteAt is where what it was like stands in what is remembered.
const noteAt = 2

// recall is what the files tell, and what is like that is spilled beside them. Those of subagents without a note, which early versions did not
// write, are remembered by another name: once it is there they are looked at again.
func recall(ctx context.Context, env sources.Env, roots []string) (each []sources.Told, spills spilled, err error) {
	const folders = 6
	var paths []string
	notes := map[string]string{}
	spills = spilled{}
	for _, root := range roots {
		for path, entry := range jsonl.Walk(env, root, folders, "") {
			if name, is := strings.CutSuffix(path, noteSuffix); is {
				notes[name] = stateOf(entry)
			} else if strings.HasSuffix(path, ".jsonl") {
				paths = append(paths, path)
			}
			spills.add(path, entry)
		}
	}
	for _, alone := range []bool{false, true} {
		var some []string
		name := agent
		if alone {
			name += " without a note"
		}
		for _, path := range paths {
			if alone == (inSubagents(path) && notes[strings.TrimSuffix(path, ".jsonl")] == "") {
				some = append(some, path)
			}
		}
		lookAt := func(i int, file *jsonl.File, err error) (sources.Told, bool) {
			l, note := look(ctx, some[i], file, err), notes[strings.TrimSuffix(some[i], ".jsonl")]
			return told{nil, l.found, l.first, l.after, l.rows, l.named, l.depth, l.last, note, l.sides}.told(), l.found.Problem == "" && (alone || !l.unnoted)
		}
		of, err := jsonl.RecallAll(ctx, env.Memory, name, some, lookAt)
		if err != nil {
			return nil, nil, err
		}
		for i := range of {
			note := notes[strings.TrimSuffix(some[i], ".jsonl")]
			if of[i].Notes[noteAt] == note {
				continue
			}
			of[i] = env.Memory.Recall(agent+" noted\n"+note, some[i], func() (sources.Told, bool) { // it was written anew
				file, err := jsonl.Open(some[i])
				return lookAt(i, file, err)
			})
		}
		if each == nil {
			each = of // all of them, as a rule
			continue
		}
		each = append(each, of...)
	}
	return each, spills, nil
}

func inSubagents(path string) bool { return filepath.Base(filepath.Dir(path)) == "subagents" }
