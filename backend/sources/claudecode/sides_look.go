package claudecode

import (
	"bytes"
	"context"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// sidesLook finds the subagents in a file while that is looked through, each with the first call that asked the same and has started none.
type sidesLook struct {
	sides
	// name is that of the file, and own where the first row stands that says it is of that session, none if it is negative.
	name  string
	own   int64
	calls []task
	row   jsonl.Fields
}

// task is a call that started a subagent, with a number of what it asked.
type task struct {
	asked     uint64
	id, title string
}

// callsMost is how many calls wait for a subagent: few do, in files that are whole.
const callsMost = 1000

// taskWord is in each row with such a call.
var taskWord = []byte(`"Task"`)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Line is as [jsonl.Along] has it.
func (l *sidesLook) Line(line sources.Line) bool {
	beside := mayBeBeside(line.Text)
	if !beside && !bytes.Contains(line.Text, taskWord) && (l.own >= 0 || !bytes.Contains(line.Text, []byte(l.name))) {
		return true
	}
	text, ok := jsonl.Whole(line.Text)
	if !ok {
		return true
	}
	rec := l.row.Read(jsonl.View(text))
	if !rec.IsObject() {
		return true
	}
	if l.own < 0 && rec.Get("sessionId").Str == l.name && spoke(rec.Get("type").Str) {
		l.own = line.Offset
	}
	if !beside || !isBeside(rec) {
		l.started(rec)
		return true
	}
	row := sideRowOf(rec, line.Offset)
	if len(l.all) == 0 && !spoke(row.kind) {
		return true // the session's own, as [own] has it
	}
	n, ok := l.take(&row)
	if !ok {
		return false
	}
	one := &l.all[n]
	one.to, one.bytes, one.rows = line.Offset+line.Length, one.bytes+line.Length, one.rows+1
	one.sum = crc32.Update(one.sum, castagnoli, text)
	one.tell(&row)
	l.match(n)
	return true
}

// tell takes what a row tells of the subagent.
func (s *side) tell(row *sideRow) {
	if at := jsonl.Time(row.Get("timestamp")); !at.IsZero() {
		if s.began.IsZero() || at.Before(s.began) {
			s.began = at
		}
		if at.After(s.ended) {
			s.ended = at
		}
	}
	if cwd := jsonl.Text(row.Get("cwd")); s.cwd == "" {
		s.cwd = cwd
	}
	if version := jsonl.Text(row.Get("version")); version != "" {
		s.version = version
	}
	if model := jsonl.Text(row.Get("message.model")); row.kind == "assistant" && model != "" && model != synthetic {
		s.model = model
	}
	if s.asked == 0 && row.begins() && !row.Get("isMeta").Bool() {
		if prompt := strings.TrimSpace(plain(row.Get("message.content"))); prompt != "" {
			s.asked, s.warmup, s.prompt = numberOf(prompt), prompt == "Warmup", jsonl.OneLine(prompt)
		}
	}
}

// started takes the calls of a row, each for the first subagent that was asked the same, if that is there already.
func (l *sidesLook) started(rec jsonl.Object) {
	if rec.Get("type").Str != "assistant" {
		return
	}
	jsonl.Listed(rec.Get("message.content"), func(block gjson.Result) bool {
		input := block.Get("input")
		prompt, id := strings.TrimSpace(jsonl.Text(input.Get("prompt"))), jsonl.Text(block.Get("id"))
		if block.Get("type").Str != "tool_use" || block.Get("name").Str != "Task" || prompt == "" || l.knows(id) {
			return true
		}
		if len(l.calls) == callsMost {
			l.calls = slices.Delete(l.calls, 0, 1)
		}
		l.calls = append(l.calls, task{numberOf(prompt), id, jsonl.OneLine(jsonl.Text(input.Get("description")))})
		if n := slices.IndexFunc(l.all, func(one side) bool { return one.call == "" && one.asked == numberOf(prompt) }); n >= 0 {
			l.match(n)
		}
		return true
	})
}

// knows tells of a call that is there again.
func (l *sidesLook) knows(id string) bool {
	return slices.ContainsFunc(l.calls, func(one task) bool { return one.id == id }) ||
		slices.ContainsFunc(l.all, func(one side) bool { return one.call == id })
}

// match gives a subagent the call that started it, if that is known.
func (l *sidesLook) match(n int) {
	one := &l.all[n]
	if one.call != "" || one.asked == 0 {
		return
	}
	if at := slices.IndexFunc(l.calls, func(call task) bool { return call.asked == one.asked }); at >= 0 {
		one.call, one.title = l.calls[at].id, l.calls[at].title
		l.calls = slices.Delete(l.calls, at, at+1)
	}
}

// lookForSides looks through a file that is not too long to do so at once; nothing is told where that can't be.
func lookForSides(ctx context.Context, name string, file *jsonl.File) []string {
	l := newSidesLook(name)
	err := sources.LinesFrom(ctx, file.File, 0, file.Size, func(line sources.Line) error {
		l.Line(line)
		return nil
	})
	if err != nil {
		return nil
	}
	return l.Notes()
}

func newSidesLook(name string) *sidesLook { return &sidesLook{name: name, own: -1} }
