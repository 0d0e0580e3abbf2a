package claudecode

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Up to 1.0 Claude Code wrote what subagents said into the file of the session that started them, in rows that say so. Each of them is a session
// of its own here, which begins with a row below none of a subagent's, and has the rows below that.

// sideMark stands in the id of a subagent between that of the session and that of its first row.
const sideMark = ".side-"

// sides are the subagents in a session's own file.
type sides struct {
	of     many.IDs // the numbers of subagents, by the ids of their rows
	begins []string // the ids of their first rows
	last   int      // the one that spoke last
}

// take says which of them a row is of. Rows come as they stand in the file. An answer, or a result, begins none: where nothing says what it
// follows, it is of the one that spoke last.
func (s *sides) take(id, parent, kind string, content gjson.Result) int {
	if n, again := s.of.Get(id); again {
		return n
	}
	n, known := s.of.Get(parent)
	switch {
	case known:
	case len(s.begins) > 0 && (kind == "assistant" || kind == "user" && hasResult(content)):
		n = s.last
	default:
		n = len(s.begins)
		s.begins = append(s.begins, id)
	}
	s.of.Put(id, n)
	s.last = n
	return n
}

// begin is the first row of the subagent that has a row.
func (s *sides) begin(id string) string {
	if n, known := s.of.Get(id); known {
		return s.begins[n]
	}
	return ""
}

// rowID is the id of a row, or one for it where it has none.
func rowID(uuid string, number int) string {
	if uuid == "" {
		return "line " + strconv.Itoa(number)
	}
	return uuid
}

// besides are how a row says that it is a subagent's.
var besides = []string{`"isSidechain":true`, `"isSidechain": true`}

func hasSide(line []byte) bool {
	return slices.ContainsFunc(besides, func(word string) bool { return bytes.Contains(line, []byte(word)) })
}

// mixes tells of versions that wrote what subagents said into the session's own file.
func mixes(version string) bool {
	return version == "" || strings.HasPrefix(version, "0.") || strings.HasPrefix(version, "1.") || strings.HasPrefix(version, "2.0.")
}

// inside are the subagents in the file of a session. A list can't wait for all of a longer one: there they are what is known of them, until
// somebody has the time to look.
func inside(ctx context.Context, env sources.Env, t *told) (all []sources.Found) {
	const key = agent + "\nsides"
	path := t.found.Files[0]
	known, now := env.Memory.KnownBeside(t.from, key, path)
	switch {
	case now:
	case t.found.Bytes > 2*jsonl.Edge && env.Memory != nil:
		known, _ = env.Memory.Earlier(key, path)
		env.Memory.Later(key, path, func(ctx context.Context) (sources.Told, bool) { return lookInside(ctx, path) })
	default:
		known = env.Memory.Recall(key, path, func() (sources.Told, bool) { return lookInside(ctx, path) })
	}
	for _, note := range known.Notes {
		var f sources.Found
		if json.Unmarshal([]byte(note), &f) == nil {
			f.Files = []string{path}
			all = append(all, f)
		}
	}
	return all
}

// side is a subagent as it is found, and what it was asked.
type side struct {
	found  sources.Found
	spoken bool
	asked  string
}

// task is a call that started a subagent.
type task struct{ id, title string }

// tasks are such calls by what they asked.
type tasks map[string][]task

// lookInside finds the subagents in a file, each with the first call that asked the same and started none before it.
func lookInside(ctx context.Context, path string) (told sources.Told, whole bool) {
	file, err := jsonl.Open(path)
	if err != nil {
		return told, false
	}
	defer file.Close()
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	var members jsonl.Fields
	var of sides
	var all []side
	calls := tasks{}
	if err := sources.Lines(ctx, file, func(line sources.Line) error {
		if !hasSide(line.Text) && !hasTask(line.Text) {
			return nil
		}
		text, ok := jsonl.Whole(line.Text)
		if !ok {
			return nil
		}
		row, _ := briefly(text, &members)
		if !row.beside {
			calls.take(&row)
			return nil
		}
		id := rowID(row.uuid, line.Number)
		n := of.take(id, row.after, row.kind, row.message.Get("content"))
		if n == len(all) {
			all = append(all, side{found: sources.Found{Agent: agent, ID: sideMark + id, Row: name + sideMark + id, Relation: sources.Subagent}})
		}
		all[n].take(&row, line.Length)
		return nil
	}); err != nil {
		return told, false
	}
	for i := range all {
		one := &all[i]
		if !one.spoken || one.asked == "Warmup" {
			continue
		}
		if same := calls[one.asked]; len(same) > 0 {
			one.found.Call, one.found.Title = same[0].id, same[0].title
			calls[one.asked] = same[1:]
		}
		note, err := json.Marshal(one.found)
		if err != nil {
			return told, false
		}
		told.Notes = append(told.Notes, string(note))
	}
	return told, true
}

func (s *side) take(row *brief, bytes int64) {
	f := &s.found
	f.Bytes += bytes
	s.spoken = s.spoken || spoke(row.kind)
	if at := jsonl.Time(row.time); !at.IsZero() {
		if f.CreatedAt.IsZero() || at.Before(f.CreatedAt) {
			f.CreatedAt = at
		}
		if at.After(f.UpdatedAt) {
			f.UpdatedAt = at
		}
	}
	if f.Cwd == "" {
		f.Cwd = row.cwd
	}
	if row.version != "" {
		f.Version = row.version
	}
	if row.model != "" && row.model != synthetic {
		f.Model = row.model
	}
	if row.kind == "user" && s.asked == "" && !row.meta && !row.summary {
		s.asked = typed(row.message.Get("content"))
		f.FirstMessage = jsonl.OneLine(s.asked)
	}
}

// taskNames are what the tool was called that starts subagents.
var taskNames = []string{"Task", "Agent"}

func hasTask(line []byte) bool {
	return slices.ContainsFunc(taskNames, func(name string) bool { return bytes.Contains(line, []byte(`"`+name+`"`)) })
}

// take takes the calls of a row.
func (t tasks) take(row *brief) {
	if row.kind != "assistant" {
		return
	}
	jsonl.Listed(row.message.Get("content"), func(block gjson.Result) bool {
		input := block.Get("input")
		asked := strings.TrimSpace(jsonl.Text(input.Get("prompt")))
		if block.Get("type").Str == "tool_use" && slices.Contains(taskNames, block.Get("name").Str) && asked != "" {
			t[asked] = append(t[asked], task{jsonl.Text(block.Get("id")), jsonl.OneLine(jsonl.Text(input.Get("description")))})
		}
		return true
	})
}
