package claudecode

import (
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

func (l *looker) line(line []byte) {
	row, ok := briefly(line, l.members)
	if !ok || l.isBeside(&row) {
		return
	}
	l.any(row)
	f := &l.found
	if row.kind == "summary" && row.leaf != "" {
		l.named[row.leaf] = row.title
	}
	if row.kind != "user" && row.kind != "assistant" && row.kind != "system" {
		return
	}
	if f.Cwd == "" {
		f.Cwd = row.cwd
	}
	if at := jsonl.Time(row.time); f.CreatedAt.IsZero() || !at.IsZero() && at.Before(f.CreatedAt) {
		f.CreatedAt = at
	}
	if !l.opened {
		l.opened, l.after = true, strings.Clone(row.after)
	}
	if l.first == "" && spoke(row.kind) {
		l.first = row.uuid
	}
	l.ancestry(row)
	if row.kind != "user" || f.FirstMessage != "" || row.meta || row.summary {
		return
	}
	if text := typed(row.message.Get("content")); text != "" {
		f.FirstMessage = jsonl.OneLine(text)
		l.warmup = l.sub && text == "Warmup"
	}
}

// ancestry is where a file goes on from: a fork says so, and files of older versions begin with the rows of the session before.
func (l *looker) ancestry(row brief) {
	switch {
	case l.sub:
		if l.session == "" {
			l.session = row.session
		}
	case l.found.Parent != "":
	case row.origin != "" && row.origin != l.session:
		l.found.Parent, l.found.Relation = row.origin, sources.Fork
	case row.session != "" && row.session != l.session:
		l.found.Parent, l.found.Relation = row.session, sources.Continuation
	}
}

// any takes what may stand at either end, the later the better.
func (l *looker) any(row brief) {
	if at := jsonl.Time(row.time); at.After(l.last) {
		l.last = at
	}
	if row.version != "" {
		l.found.Version = row.version
	}
	switch row.kind {
	case "custom-title":
		l.custom = row.title
	case "ai-title":
		l.made = row.title
	case "user":
		l.spoken = true
	case "system":
		l.spoken = l.spoken || row.boundary
	case "assistant":
		l.spoken = true
		if row.model != "" && row.model != synthetic {
			l.model = row.model
		}
	}
}

// rowsMost is how many of the last rows may be what another file names a session by.
const rowsMost = 6

// isBeside takes note of a row of a subagent in the session's own file, which is another session.
func (l *looker) isBeside(row *brief) bool {
	beside := row.beside && !l.sub
	l.mixed = l.mixed || beside
	return beside
}

// fromEnd takes a line from the end, the last one first: what an earlier one tells counts only where no later one did.
func (l *looker) fromEnd(line []byte) {
	row, ok := briefly(line, l.members)
	if !ok || l.isBeside(&row) {
		return
	}
	if row.uuid != "" && len(l.rows) < rowsMost {
		l.rows = append(l.rows, row.uuid)
	}
	var end looker
	end.any(row)
	if l.spoken = l.spoken || end.spoken; end.last.After(l.last) {
		l.last = end.last
	}
	l.ended.time = l.ended.time || !end.last.IsZero()
	if !end.last.IsZero() && (!l.ended.said || end.last.After(l.said)) && row.said() {
		l.said, l.ended.said = end.last, true
	}
	take := func(to *string, from string, done *bool) {
		if from != "" && !*done {
			*to, *done = from, true
		}
	}
	take(&l.custom, end.custom, &l.ended.custom)
	take(&l.made, end.made, &l.ended.made)
	take(&l.model, end.model, &l.ended.model)
	take(&l.found.Version, end.found.Version, &l.ended.version)
}
