package openclaw

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// peek gathers what the ends of a transcript tell.
type peek struct {
	found *sources.Found
	// id is the header's.
	id              string
	begun, stranger bool
	// named tells that a name was given, or taken away.
	named bool
	// messages are all that stand there, told those that the reading has as messages.
	messages, told int
	compactions    int
	active         time.Time
}

// peekFile reads the ends of a transcript; of one that is compressed the beginning.
func peekFile(path string, f *sources.Found) (*peek, error) {
	file, err := jsonl.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f.Bytes, f.UpdatedAt = file.Size, file.ModTime
	p := &peek{found: f}
	if strings.HasSuffix(path, ".zst") {
		in, err := decompress(file)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		for line := range jsonl.Forward(in) {
			p.line(line)
		}
		return p, nil
	}
	for line := range file.Forward() {
		if p.line(line); p.stranger {
			return p, nil
		}
	}
	if file.Size > jsonl.Edge {
		if f.FirstMessage == "" {
			p.line(file.Cut())
		}
		if !p.fromEnd(file.Backward()) { // what is known is of the beginning
			p.active = file.TimeBeyond(func(line []byte) time.Time { return lastIn(line).active })
		}
	} else {
		f.Messages, f.Compactions = &p.told, &p.compactions
	}
	if !p.active.IsZero() {
		f.UpdatedAt = p.active
	}
	if p.stranger = !p.begun; p.stranger {
		f.Problem = file.Strange()
	}
	return p, nil
}

// packedEnd puts in what the end of a compressed transcript tells, once all of it was read. Until then the time is that of its file.
func (s Source) packedEnd(env sources.Env, path string, f *sources.Found) {
	told, known := env.Memory.KnownOrLater(s.Agent()+" packed end", path, func(ctx context.Context) (told sources.Told, whole bool) {
		file, err := jsonl.Open(path)
		if err != nil {
			return told, false
		}
		defer file.Close()
		in, err := decompress(file)
		if err != nil {
			return told, false
		}
		defer in.Close()
		p := peek{found: &told.Found}
		p.fromEnd(jsonl.Ending(ctx, in))
		told.Found.UpdatedAt = p.active
		return told, ctx.Err() == nil
	})
	if known || f.Bytes > jsonl.Edge {
		f.Model = told.Found.Model // that of the beginning may not be the last
	}
	if !known {
		return
	}
	f.Title = cmp.Or(told.Found.Title, f.Title)
	if at := told.Found.UpdatedAt; !at.IsZero() {
		f.UpdatedAt = at
	}
}

// lastIn is what a line at the end tells.
func lastIn(line []byte) peek {
	end := peek{found: &sources.Found{}, begun: true}
	end.line(line)
	return end
}

// fromEnd takes the name, the model and the time that stand last, of lines of which the last one comes first; false if none has a time.
func (p *peek) fromEnd(lines iter.Seq[[]byte]) (dated bool) {
	named, model := false, ""
	for line := range lines {
		end := lastIn(line)
		if end.named && !named {
			p.found.Title, named = end.found.Title, true
		}
		if model == "" {
			model = end.found.Model
		}
		dated = dated || !end.active.IsZero()
		if end.active.After(p.active) {
			p.active = end.active
		}
	}
	p.found.Model = model // that of the beginning may not be the last
	return dated
}

func (p *peek) line(line []byte) {
	value, whole := jsonl.Whole(line)
	rec := gjson.ParseBytes(value)
	if !whole || !rec.IsObject() {
		return
	}
	kind := jsonl.Text(rec.Get("type"))
	if !p.begun {
		if p.stranger = kind == ""; p.stranger {
			return
		}
		p.begun = true
	}
	switch kind {
	case "session":
		if p.id == "" {
			p.id, p.found.Cwd, p.found.CreatedAt = jsonl.Text(rec.Get("id")), jsonl.Text(rec.Get("cwd")), jsonl.Time(rec.Get("timestamp"))
			p.parent(jsonl.Text(rec.Get("parentSession")))
		}
	case "message":
		p.message(rec)
	case "compaction":
		p.compactions++
	case "session_info":
		p.found.Title, p.named = jsonl.OneLine(jsonl.Text(rec.Get("name"))), true
	case "model_change":
		p.found.Model = jsonl.Text(rec.Get("modelId"))
	}
}

// parent takes the id out of the name of the file that a session was made from, if nothing else has told where it came from.
func (p *peek) parent(path string) {
	name := strings.TrimSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".jsonl")
	if at := strings.LastIndexByte(name, '_'); at >= 0 {
		name = name[at+1:]
	}
	if name != "" && p.found.Parent == "" {
		p.found.Parent, p.found.Relation = name, sources.Fork
	}
}

func (p *peek) message(rec gjson.Result) {
	message := rec.Get("message")
	p.messages++
	if counts(message) {
		p.told++
	}
	if at := timeOf(rec); at.After(p.active) {
		p.active = at
	}
	switch message.Get("role").Str {
	case "assistant":
		if model := jsonl.Text(message.Get("model")); model != "" && !mirrored(message) {
			p.found.Model = model
		}
	case "user":
		if p.found.FirstMessage == "" && !notTyped(message) && !aside(message) {
			p.found.FirstMessage = typed(plain(message.Get("content")))
		}
	}
}

// counts tells whether the reading has a message for it, and no note.
func counts(message gjson.Result) bool {
	role := message.Get("role").Str
	return role == "user" && !notTyped(message) || role == "assistant" || role == "toolResult"
}

// plain is the text of a content, which may be a string or blocks.
func plain(content gjson.Result) string {
	if content.Type == gjson.String {
		return content.Str
	}
	var parts []string
	for _, block := range jsonl.Items(content) {
		if block.Get("type").Str == "text" {
			parts = append(parts, jsonl.Text(block.Get("text")))
		}
	}
	return strings.Join(parts, "\n")
}

// timeOf is when an entry was written.
func timeOf(rec gjson.Result) time.Time {
	if at := jsonl.Time(rec.Get("timestamp")); !at.IsZero() {
		return at
	}
	return jsonl.Time(rec.Get("message.timestamp"))
}
