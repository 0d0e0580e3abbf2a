package picoclaw

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// reader is the reading of one session.
type reader struct {
	log     *sources.Log `keep:"-"`
	summary string
	// kept is where the first line begins that the summary does not hide from the model; count is how many there were.
	kept, count int64
	compacted   bool
	seen        many.IDs
	// recall is what a database says of what the model sees; nil where the file alone tells.
	recall *recall `keep:"-"`
	// tools tells that a tool was used in the turn.
	tools bool
	chain chain
}

// approximate is how PicoClaw says a summary, at the end of its system prompt. Its first releases, of early 2026, had a heading there instead;
// no file says which one wrote it.
var approximate = &record.Frame{
	Before: "CONTEXT_SUMMARY: The following is an approximate summary of prior conversation for reference only. " +
		"It may be incomplete or outdated — always defer to explicit instructions.\n\n",
}

// compact writes the summary, once.
func (r *reader) compact() {
	if r.compacted {
		return
	}
	r.compacted, r.chain = true, atBegin
	at := sources.Meta{Entry: "summary"}
	switch {
	case r.summary != "":
		r.log.Compaction(sources.Compaction{Meta: at, Summary: r.summary, Frame: approximate, Trigger: "unknown"})
	case r.kept > 0 && r.count > 0: // hidden without one
		r.log.Branch(sources.Branch{Meta: at})
	}
	if r.recall != nil && r.log.Next() > 1 { // which has neither that summary nor what it stands for
		r.log.Branch(sources.Branch{Meta: sources.Meta{Entry: "seahorse"}})
	}
}

// begin counts a line.
func (r *reader) begin(offset int64) {
	if offset >= r.kept {
		r.compact()
	}
	r.count++
}

// broken keeps a line that nobody can read.
func (r *reader) broken(line sources.Line) {
	r.begin(line.Offset)
	r.chain = behindUnread
	jsonl.Broken(r.log)(line)
}

func (r *reader) message(rec gjson.Result, offset int64) error {
	r.begin(offset)
	if r.recall != nil && offset >= r.kept {
		return r.remembered(rec)
	}
	return r.write(rec)
}

// write writes a message, or what is none as a note.
func (r *reader) write(rec gjson.Result) error {
	if m, is := r.said(rec); is {
		m.Meta = r.meta(rec)
		sent := r.chain.next(&m)
		m.Aside = !sent && r.recall == nil
		r.heed(&m, sent)
		m.More = jsonl.Rest(rec, "role", "content", "content_parts", "model_name", "created_at", "reasoning_content", "tool_calls", "tool_call_id", "media", "attachments")
		r.log.Message(m)
		return r.log.Err()
	}
	note := sources.Note{Meta: r.meta(rec), Namespace: "picoclaw.message", Data: glean.Raw(rec), Display: true}
	if jsonl.Text(rec.Get("role")) == "system" { // PicoClaw makes its own for each request, and leaves these out
		note.Namespace = "picoclaw.system"
	}
	r.log.Note(note)
	return r.log.Err()
}

func (r *reader) meta(rec gjson.Result) sources.Meta {
	return sources.Meta{Time: jsonl.Time(rec.Get("created_at")), Entry: r.entry(rec)}
}

// said is what a person, the model or a tool said; false for other roles.
func (r *reader) said(rec gjson.Result) (sources.Message, bool) {
	m := sources.Message{Content: r.blocks(rec), Role: roleOf(rec)}
	switch m.Role {
	case record.RoleUser:
	case record.RoleAssistant:
		m.Model = jsonl.Text(rec.Get("model_name"))
	case record.RoleToolResult:
		m.ToolCallID = jsonl.Text(rec.Get("tool_call_id"))
		m.IsError = failed(jsonl.Text(rec.Get("content")))
	}
	return m, m.Role != ""
}

// roleOf is ours for a message's, and empty for others.
func roleOf(message gjson.Result) record.Role {
	switch message.Get("role").Str {
	case "user":
		return record.RoleUser
	case "assistant":
		return record.RoleAssistant
	case "tool":
		return record.RoleToolResult
	}
	return ""
}

// heeds are the models that PicoClaw tells what they thought, and that only of turns in which tools were used.
var heeds = regexp.MustCompile(`(?i)deepseek|mimo`)

// heed marks the thinking in an answer that its model is not told again.
func (r *reader) heed(m *sources.Message, sent bool) {
	switch {
	case m.Role == record.RoleUser:
		r.tools = false
	case sent && r.chain != behindAnswer:
		r.tools = true
	}
	for i := range m.Content {
		if m.Content[i].Type == "thinking" {
			m.Content[i].Aside = !r.tools || !heeds.MatchString(m.Model)
		}
	}
}

// entry is when a message was written, which stays when those before it go; else its place.
func (r *reader) entry(rec gjson.Result) string {
	id := jsonl.Text(rec.Get("created_at"))
	if id == "" {
		return fmt.Sprintf("#%d", r.count)
	}
	before, again := r.seen.Get(id)
	r.seen.Put(id, before+1)
	if again {
		id = fmt.Sprintf("%s#%d", id, before+1)
	}
	return id
}

func (r *reader) blocks(rec gjson.Result) []sources.Block {
	var out []sources.Block
	if thinking := jsonl.Text(rec.Get("reasoning_content")); thinking != "" {
		out = append(out, sources.Block{Type: "thinking", Text: thinking})
	}
	content := rec.Get("content")
	if parts := rec.Get("content_parts"); len(jsonl.Items(parts)) > 0 { // some versions say them in its place
		content = parts
	}
	switch {
	case content.Type == gjson.String && content.Str != "":
		out = append(out, r.log.Text(content.Str))
	case content.IsArray():
		for _, part := range jsonl.Told(r.log, "content", content) {
			if text := part.Get("text"); text.Type == gjson.String {
				out = append(out, r.log.Text(text.Str))
			} else if image, is := r.log.DataURL(jsonl.Text(part.Get("image_url.url"))); is {
				out = append(out, image)
			} else {
				out = append(out, jsonl.Unknown(part))
			}
		}
	}
	for _, item := range jsonl.Told(r.log, "media", rec.Get("media")) {
		out = append(out, r.attached(item))
	}
	for _, item := range jsonl.Told(r.log, "attachments", rec.Get("attachments")) { // which a person alone was shown
		block := r.attached(item)
		block.Aside, block.SentAsIs = block.Type == "image", false
		out = append(out, block)
	}
	for _, call := range jsonl.Told(r.log, "tool_calls", rec.Get("tool_calls")) {
		out = append(out, callBlock(call))
	}
	return out
}

// attached is an image, a recording, or what is kept of a reference to a file that is elsewhere: in a place of PicoClaw's own, as a rule,
// whose name it says in its requests, and no file tells.
func (r *reader) attached(item gjson.Result) sources.Block {
	for _, address := range []string{jsonl.Text(item), jsonl.Text(item.Get("url")), jsonl.Text(item.Get("data"))} {
		if block, ok := r.log.DataURL(address); ok {
			return block
		}
		head, body, encoded := strings.Cut(address, ";base64,")
		if mediaType, is := strings.CutPrefix(head, "data:audio/"); is && encoded {
			if block, ok := r.log.Base64("audio/"+mediaType, body); ok {
				block.Type = "audio"
				return sources.AsIs(block)
			}
		}
	}
	return jsonl.Unknown(item)
}

func callBlock(call gjson.Result) sources.Block {
	b := sources.Block{Type: "toolCall", ID: jsonl.Text(call.Get("id")), Name: jsonl.Text(call.Get("function.name")), Arguments: glean.Raw(call.Get("function.arguments"))}
	if b.Name == "" {
		b.Name = jsonl.Text(call.Get("name"))
	}
	if b.Arguments == nil {
		b.Arguments = glean.Raw(call.Get("arguments"))
	}
	return b
}

// exit is what a command's output says of how it ended.
var exit = regexp.MustCompile(`(?m)^Exit code: (?:exit status )?[1-9]\d*\s*\z`)

// failed tells from the text of a result whether the tool failed: PicoClaw keeps nothing else of it.
func failed(text string) bool {
	const most = 200
	return strings.HasPrefix(text, "Error: ") || strings.HasPrefix(text, "Error executing ") || exit.MatchString(text[max(len(text)-most, 0):])
}
