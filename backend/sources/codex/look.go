package codex

import (
	"cmp"
	"iter"
	"regexp"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// unpacked bounds the files that are unpacked at once, or read whole.
var unpacked sources.Few

// look reads the ends of a thread's files, as open gives them. What it notes is what the thread goes on from, see lent.go.
func look(files []rollout, open func(path string) (*text, error)) (told sources.Told) {
	told.Found = sources.Found{Agent: agent, ID: files[0].thread, Archived: files[len(files)-1].archived}
	found, seen := &told.Found, false
	for _, file := range files {
		found.Files = append(found.Files, file.path)
		next := func() { seen = lookAt(file.path, open, &told, seen) }
		if strings.HasSuffix(file.path, ".jsonl") {
			next()
		} else {
			unpacked.Do(next)
		}
	}
	if !seen && found.Problem == "" {
		found.ID = "" // an empty file, or none of Codex's
	}
	if found.CreatedAt.IsZero() {
		found.CreatedAt = files[0].begun()
	}
	return told
}

// lookAt is what one of the files adds; seen tells that it or one before has a line of Codex's.
func lookAt(path string, open func(path string) (*text, error), told *sources.Told, before bool) (seen bool) {
	found := &told.Found
	t, err := open(path)
	if err != nil {
		found.Problem = "A file of the session can't be read: " + err.Error()
		return before
	}
	defer t.Close()
	l := looker{found: found, row: t.file.Fields(), later: before}
	defer func() { told.Notes = append(told.Notes, l.borrows...) }()
	found.Bytes += t.file.Size
	found.UpdatedAt = t.file.ModTime
	if t.plain() {
		if l.fromStart(t.file.Forward()); t.file.Size > jsonl.Edge {
			found.Model = "" // what is known is of the beginning
		}
		if !l.fromEnd(t.file.Backward()) && t.file.Size > jsonl.Edge {
			l.last = t.file.TimeBeyond(timeOf) // what is known is of the beginning
		}
		if at := l.active(); !at.IsZero() {
			found.UpdatedAt = at
		}
	} else {
		l.fromStart(jsonl.Forward(t))
	}
	if seen = before || l.begun || l.ours; !seen {
		found.Problem = t.strange()
	}
	return seen
}

// looker gathers what lines tell.
type looker struct {
	found *sources.Found
	row   *jsonl.Fields
	// later is a further file of the thread; begun tells that the header was seen, ours that some line of Codex's was.
	later, begun, ours bool
	// borrows is what the file goes on from, if that is another thread.
	borrows []string
	// last is the latest time of a line, said that of the last message, where it stands near the end.
	last, said time.Time
}

// active is when something was said last or, if that is not known, when something was written last.
func (l *looker) active() time.Time { return cmp.Or(l.said, l.last) }

// fromStart takes lines until nothing is left to be known.
func (l *looker) fromStart(lines iter.Seq[[]byte]) {
	for line := range lines {
		if l.line(line); l.begun && l.found.FirstMessage != "" && l.found.Model != "" && l.found.Cwd != "" {
			return
		}
	}
}

func (l *looker) line(line []byte) {
	rec := l.row.Read(jsonl.View(line))
	if !rec.IsObject() {
		return
	}
	if at := jsonl.Time(rec.Get("timestamp")); at.After(l.last) {
		l.last = at
	}
	payload, kind := rec.Get("payload"), rec.Get("type").Str
	l.ours = l.ours || kind == "message" && rec.Get("role").Exists() || payload.IsObject() && rec.Get("timestamp").Exists()
	switch {
	case !payload.IsObject():
		if !l.begun && rec.Get("id").Type == gjson.String && rec.Get("role").Type == gjson.Null {
			l.header(rec.Result)
			return
		}
		l.item(rec.Result)
	case kind == "session_meta":
		l.header(payload)
	case kind == "turn_context":
		l.found.Model = jsonl.Text(payload.Get("model"))
		if l.found.Cwd == "" {
			l.found.Cwd = jsonl.Text(payload.Get("cwd"))
		}
	case kind == "response_item":
		l.item(payload)
	case kind == "event_msg":
		l.event(payload)
	}
}

// header takes the first session_meta: further ones are of a thread that this one is a copy of.
func (l *looker) header(meta gjson.Result) {
	if h := headIn(meta); !l.begun && h.base != "" && h.base != h.id {
		l.borrows = []string{h.note()}
	}
	if l.begun || l.later {
		l.begun = true
		return
	}
	l.begun = true
	f := l.found
	if id := jsonl.Text(meta.Get("id")); id != "" {
		f.ID = id
	}
	f.Version, f.Cwd, f.CreatedAt = jsonl.Text(meta.Get("cli_version")), jsonl.Text(meta.Get("cwd")), jsonl.Time(meta.Get("timestamp"))
	f.Parent, f.Relation = parent(meta)
}

// parent says which thread one came from, and how.
func parent(meta gjson.Result) (string, sources.Relation) {
	for _, path := range []string{"parent_thread_id", "source.subagent.thread_spawn.parent_thread_id", "source.subagent.parent_thread_id"} {
		if id := jsonl.Text(meta.Get(path)); id != "" {
			return id, sources.Subagent
		}
	}
	if meta.Get("source.subagent").Exists() {
		return "", sources.Subagent
	}
	for _, path := range []string{"forked_from_id", "history_base.thread_id"} {
		if id := jsonl.Text(meta.Get(path)); id != "" && id != meta.Get("id").Str {
			return id, sources.Fork
		}
	}
	return "", ""
}

func (l *looker) event(event gjson.Result) {
	text := ""
	switch event.Get("type").Str {
	case "user_message":
		text = jsonl.Text(event.Get("message"))
	case "item_completed":
		if item := event.Get("item"); item.Get("type").Str == "UserMessage" {
			item.Get("content").ForEach(func(_, block gjson.Result) bool {
				text = strings.TrimSpace(text + "\n" + jsonl.Text(block.Get("text")))
				return true
			})
		}
	}
	if text = request(text); l.found.FirstMessage == "" && jsonl.Typed(text) && !injected(text, "") {
		l.found.FirstMessage = jsonl.OneLine(text)
	}
}

var workingDirectory = regexp.MustCompile(`(?:<cwd>|Current working directory: )([^<\n]+)`)

func (l *looker) item(item gjson.Result) {
	if l.found.FirstMessage == "" {
		l.found.FirstMessage = jsonl.OneLine(typed(item))
	}
	if l.found.Cwd == "" && item.Get("role").Str == "user" {
		if cwd := workingDirectory.FindStringSubmatch(jsonl.Text(item.Get("content.0.text"))); cwd != nil && injected(jsonl.Text(item.Get("content.0.text")), "") {
			l.found.Cwd = strings.TrimSpace(cwd[1])
		}
	}
}

func timeOf(line []byte) time.Time { return jsonl.Time(jsonl.First(line, "timestamp")) }

// saidIn is when a line was written, if it is of a message: a compaction, and what Codex notes of a turn's end, are none.
func saidIn(line []byte, kind string) time.Time {
	if kind != "response_item" || !speaks(jsonl.First(line, "payload")) {
		return time.Time{}
	}
	return timeOf(line)
}

// fromEnd takes the model and the times from the end of a file, whose lines come with the last one first; false if none has a time.
func (l *looker) fromEnd(lines iter.Seq[[]byte]) (dated bool) {
	model := ""
	for line := range lines {
		if !dated {
			at := timeOf(line)
			if dated = !at.IsZero(); at.After(l.last) {
				l.last = at
			}
		}
		kind := jsonl.First(line, "type").Str
		if l.said.IsZero() {
			l.said = saidIn(line, kind)
		}
		if model == "" && kind == "turn_context" {
			model = jsonl.Text(l.row.Read(jsonl.View(line)).Get("payload.model"))
		}
		if model != "" && !l.said.IsZero() {
			break
		}
	}
	if model != "" {
		l.found.Model = model
	}
	return dated
}
