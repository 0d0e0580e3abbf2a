package gemini

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// said is what one message of Gemini's says, taken apart.
type said struct {
	role record.Role
	at   time.Time
	// text are the blocks of text, thinking and images; injected and beside those that no person typed, before them and behind.
	text, injected, beside []sources.Block
	calls                  []sources.Block
	results                []sources.Message
	model                  string
	usage                  *record.Usage
	// signatures belong to calls.
	signatures []json.RawMessage
	// unsent tells of what a person typed and the model does not see.
	unsent bool
	raw    gjson.Result
}

func (r *reader) said(m gjson.Result) said {
	s := said{role: roleOf(m), at: r.timeOf(m.Get("timestamp")), raw: m}
	switch s.role {
	case record.RoleUser:
		s.unsent = !r.asSent && unsent(m)
		r.user(&s, m)
	case record.RoleAssistant:
		r.assistant(&s, m)
	case record.RoleToolResult:
	}
	return s
}

// user takes apart what was typed, what was put beside it, and results.
func (r *reader) user(s *said, m gjson.Result) {
	shown := m.Get("displayContent")
	typed := map[string]bool{}
	for _, text := range texts(shown) {
		typed[text] = true
	}
	content := parts(m.Get("content"))
	matches := slices.ContainsFunc(content, func(part gjson.Result) bool { return typed[textOf(part)] })
	answered, first := "", false
	for _, part := range content {
		text, response := textOf(part), part.Get("functionResponse")
		switch {
		case response.Exists():
			answered, first = r.response(s, response, "")
		case answered != "":
			r.behind(s, answered, first, part)
		case text == "":
			s.text = append(s.text, r.part(part))
		case !isContext(text) && (!shown.Exists() || !matches || typed[text]):
			s.text = append(s.text, r.log.Text(text))
		case len(s.text) == 0:
			s.injected = append(s.injected, r.log.Text(text))
		default:
			s.beside = append(s.beside, r.log.Text(text))
		}
	}
}

// assistant takes apart thinking, text and calls. A resumed session has them as parts, one that is not has them in lists of their own.
func (r *reader) assistant(s *said, m gjson.Result) {
	s.model, s.usage = jsonl.Text(m.Get("model")), usage(m.Get("tokens"))
	thoughts := few(m.Get("thoughts"))
	for _, thought := range thoughts {
		text := strings.TrimSpace(jsonl.Text(thought.Get("subject")) + "\n" + jsonl.Text(thought.Get("description")) + jsonl.Text(thought))
		if text != "" {
			s.text = append(s.text, thinking(text))
		}
	}
	calls := callsOf(m)
	for _, part := range parts(m.Get("content")) {
		text := textOf(part)
		if signature := glean.Raw(part.Get("thoughtSignature")); signature != nil {
			s.signatures = append(s.signatures, signature)
		}
		switch call := part.Get("functionCall"); {
		case part.Get("thought").Bool():
			if len(thoughts) == 0 {
				s.text = append(s.text, thinking(text))
			}
		case call.Exists():
			if listed, is := calls.take(call); is {
				call = listed
			}
			s.calls = append(s.calls, callBlock(call))
		case part.Get("functionResponse").Exists():
			r.response(s, part.Get("functionResponse"), "")
		case text != "":
			s.text = append(s.text, r.log.Text(text))
		case part.IsObject():
			s.text = append(s.text, r.part(part))
		}
	}
	for _, call := range calls.left() {
		s.calls = append(s.calls, callBlock(call))
	}
	for _, call := range calls.all {
		r.called(s, call)
	}
}

// thinking is what the model thought, which Gemini shows, keeps, and takes out of every request.
func thinking(text string) sources.Block {
	return sources.Block{Type: "thinking", Text: text, Aside: true}
}

// messages are what the model sees of it.
func (s said) messages() []sources.Message {
	var out []sources.Message
	if s.unsent {
		return s.results
	}
	if len(s.injected) > 0 {
		out = append(out, sources.Message{Role: record.RoleUser, Content: s.injected})
	}
	if m, ok := s.message(); ok {
		out = append(out, m)
	}
	if len(s.beside) > 0 {
		out = append(out, sources.Message{Role: record.RoleUser, Content: s.beside})
	}
	return append(out, s.results...)
}

// message is what a person or the model said; not ok if that is nothing.
func (s said) message() (sources.Message, bool) {
	m := sources.Message{
		Meta: sources.Meta{Time: s.at}, Role: s.role, Content: append(slices.Clip(s.text), s.calls...), Model: s.model, Usage: s.usage,
	}
	if len(s.calls) > 0 {
		m.StopReason = "toolUse"
	}
	if len(s.signatures) > 0 {
		list, err := json.Marshal(s.signatures)
		if err == nil {
			m.More = map[string]json.RawMessage{"thoughtSignatures": list}
		}
	}
	return m, s.role != "" && (len(m.Content) > 0 || s.role == record.RoleAssistant)
}

// emit writes the records of a message, which may be as many as results are in it.
func (r *reader) emit(s said, entry string) {
	entry = sources.Name(entry)
	r.context(s, s.injected, entry+"/context")
	if m, ok := s.message(); ok {
		m.Entry, m.Copied, m.Aside = entry, r.copied, s.unsent
		r.log.Message(m)
	}
	r.context(s, s.beside, entry+"/beside")
	for _, result := range s.results {
		result.Time, result.Entry, result.Copied = s.at, entry+"/"+result.ToolCallID, r.copied
		r.masks.answered(result, r.log.Message(result))
	}
	r.crowded(s.raw)
	if s.role == "" { // what Gemini told the user, or what nobody knows
		kind := jsonl.Text(s.raw.Get("type"))
		if kind == "" {
			kind = "message"
		}
		r.log.Note(sources.Note{Meta: sources.Meta{Time: s.at, Entry: entry}, Namespace: "gemini." + kind, Data: glean.Raw(s.raw), Display: true})
	}
}

// context writes what was put beside a message, if anything was.
func (r *reader) context(of said, content []sources.Block, entry string) {
	if len(content) > 0 {
		r.log.Note(sources.Note{Meta: sources.Meta{Time: of.at, Entry: entry}, Namespace: "gemini.context", Content: content, Aside: of.unsent})
	}
}

// parts are those of a content, which may be a text, one part or several.
func parts(content gjson.Result) []gjson.Result {
	if content.IsArray() {
		return few(content)
	}
	if !content.Exists() || content.Type == gjson.Null || content.Type == gjson.String && content.Str == "" {
		return nil
	}
	return []gjson.Result{content}
}

// textOf is the text of a part, which may be a text itself.
func textOf(part gjson.Result) string {
	if part.Type == gjson.String {
		return jsonl.Text(part)
	}
	return jsonl.Text(part.Get("text"))
}

func texts(content gjson.Result) []string {
	var out []string
	for _, part := range parts(content) {
		if text := textOf(part); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// part is an image, or anything else that Gemini sends again as it is: a file, code that a server ran. An empty text goes.
func (r *reader) part(part gjson.Result) sources.Block {
	data := part.Get("inlineData")
	if mime := jsonl.Text(data.Get("mimeType")); data.Exists() {
		if block, ok := r.log.Base64(mime, jsonl.Text(data.Get("data"))); ok {
			if !strings.HasPrefix(mime, "image/") {
				block.Type = "file"
			}
			return sources.AsIs(block)
		}
	}
	if part.Get("text").Exists() {
		return jsonl.Unknown(part)
	}
	return sources.AsIs(jsonl.Unknown(part))
}

// counters: what a request wrote to a cache is not told.
var counters = sources.Counters{Input: []string{"input", "tool"}, Output: []string{"output", "thoughts"}, CacheRead: []string{"cached"}}

// usage is nil where nobody counted. Gemini's input includes what was cached, and its output leaves thinking out.
func usage(tokens gjson.Result) *record.Usage {
	n := func(name string) int {
		v := tokens.Get(name)
		if v.Type != gjson.Number || !(v.Num > 0 && v.Num < record.MaxSeq) {
			return 0
		}
		return int(v.Num)
	}
	u := record.Usage{Input: max(n("input")-n("cached"), 0) + n("tool"), CacheRead: n("cached"), Output: n("output") + n("thoughts")}
	if u.IsZero() {
		return nil
	}
	u.Untold = counters.Untold(tokens)
	return &u
}
