package gemini

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

func callBlock(call gjson.Result) sources.Block {
	b := sources.Block{
		Type: "toolCall", ID: jsonl.Text(call.Get("id")), Name: jsonl.Text(call.Get("name")), Arguments: glean.Raw(call.Get("args")),
		Started: jsonl.Text(call.Get("agentId")),
	}
	if b.Name == "" {
		b.Name = "unknown"
	}
	if b.ID == "" {
		b.ID = b.Name // as early versions answered them
	}
	return b
}

// called adds the result of a call, if it has one.
func (r *reader) called(s *said, call gjson.Result) {
	id := callBlock(call).ID
	status := call.Get("status").Str
	responses := call.Get("result")
	for _, part := range parts(responses) {
		if response := part.Get("functionResponse"); response.Exists() {
			r.response(s, response, status)
		}
	}
	if _, done := r.answered.Get(id); done || status != "success" && status != "error" && status != "cancelled" {
		return
	}
	text := jsonl.Text(call.Get("resultDisplay"))
	if text == "" {
		text = jsonl.Text(responses)
	}
	r.result(s, id, []sources.Block{r.log.Text(text)}, status != "success")
}

// response adds a result as the model got it, once.
func (r *reader) response(s *said, response gjson.Result, status string) {
	id := jsonl.Text(response.Get("id"))
	if id == "" {
		id = jsonl.Text(response.Get("name"))
	}
	if _, done := r.answered.Get(id); done {
		return
	}
	value := response.Get("response")
	failed := status == "error" || status == "cancelled" || value.Get("error").Exists() && !value.Get("output").Exists()
	text := ""
	for _, name := range []string{"output", "error", "content", "result"} {
		if v := value.Get(name); v.Exists() && text == "" {
			text = v.String()
		}
	}
	if text == "" && value.Exists() {
		text = value.Raw
	}
	if code := exitCode.FindStringSubmatch(text[max(len(text)-tailMost, 0):]); code != nil && strings.Contains(jsonl.Text(response.Get("name")), "shell") {
		failed = failed || code[1] != "0"
	}
	content := []sources.Block{r.output(text)}
	for _, part := range response.Get("parts").Array() {
		content = append(content, r.part(part))
	}
	r.result(s, id, content, failed)
}

// tailMost is how much of the end of an output tells how a command ended.
const tailMost = 4 << 10

// exitCode is what a command's output says of how it ended.
var exitCode = regexp.MustCompile(`(?m)^Exit Code: (\d+)`)

func (r *reader) result(s *said, id string, content []sources.Block, failed bool) {
	r.answered.Put(id, 0)
	s.results = append(s.results, sources.Message{Role: record.RoleToolResult, ToolCallID: id, Content: content, IsError: failed})
}

// whole is where Gemini says that the whole of a long output is.
var whole = regexp.MustCompile(`(?:For full output see|saved to): (\S+)`)

// output is what the model saw; if that was cut, the whole is kept beside it.
func (r *reader) output(text string) sources.Block {
	block := r.log.Text(text)
	if r.spilled == nil || block.Blob != "" {
		return block
	}
	at := whole.FindStringSubmatch(text)
	if at == nil {
		return block
	}
	// The path is one of the machine that wrote it; only files of this session are ever read.
	const most = 64 << 20
	path := strings.TrimRight(at[1], ".,;)")
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	data, err := r.spilled.ReadFile(filepath.Join("session-"+filepath.Base(r.id), name), most)
	if large, is := errors.AsType[*glean.LargeError](err); is {
		r.log.Overlong(name, "output", large.Bytes)
	} else {
		r.log.Unread("the whole of the output "+name, err)
	}
	if err != nil {
		return block // cleaned away since, as a rule
	}
	kept := r.log.Image("text/plain", data)
	block.Blob, block.Bytes = kept.Blob, kept.Bytes
	return block
}
