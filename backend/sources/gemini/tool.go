package gemini

import (
	"cmp"
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

// called adds the result of a call, if it has one that stands in no message of its own.
func (r *reader) called(s *said, call gjson.Result) {
	id := callBlock(call).ID
	if r.apart[id] {
		return
	}
	status := call.Get("status").Str
	result, of, first := call.Get("result"), "", false
	for _, part := range parts(result) {
		if response := part.Get("functionResponse"); response.Exists() {
			of, first = r.response(s, response, status)
		} else if of != "" {
			r.behind(s, of, first, part)
		}
	}
	if _, done := r.answered.Get(id); done || status != "success" && status != "error" && status != "cancelled" {
		return
	}
	said := texts(result)
	if len(said) == 0 {
		said = []string{jsonl.Text(call.Get("resultDisplay"))}
	}
	var content []sources.Block
	for _, text := range said {
		content = append(content, r.log.Text(text))
	}
	r.result(s, id, content, status != "success")
}

// answeredBy is the call that a response is to; early versions have only its name.
func answeredBy(response gjson.Result) string {
	return cmp.Or(jsonl.Text(response.Get("id")), jsonl.Text(response.Get("name")))
}

// outputOf is what a response says, and whether it is only an error.
func outputOf(response gjson.Result) (text string, failed bool) {
	value := response.Get("response")
	for _, name := range []string{"output", "error", "content", "result"} {
		if v := value.Get(name); v.Exists() && text == "" {
			text = v.String()
		}
	}
	if text == "" && value.Exists() {
		text = value.Raw
	}
	return text, value.Get("error").Exists() && !value.Get("output").Exists()
}

// response adds a result as the model got it, if it is the first to its call.
func (r *reader) response(s *said, response gjson.Result, status string) (call string, first bool) {
	id := answeredBy(response)
	if _, done := r.answered.Get(id); done {
		return id, false
	}
	text, failed := outputOf(response)
	failed = failed || status == "error" || status == "cancelled"
	if strings.Contains(jsonl.Text(response.Get("name")), "shell") {
		failed = failed || ended(text)
	}
	content := []sources.Block{r.output(text)}
	for _, part := range few(response.Get("parts")) {
		content = append(content, r.part(part))
	}
	r.outputs.Put(id, int(outputSum(response)))
	r.result(s, id, content, failed)
	return id, true
}

// withMore is the number of a call whose result was read with what stands behind it.
const withMore = 1

// behind takes what stands behind the response to a call: an image that a tool read, say. It may stand behind the result in the call and
// once more behind that in the message that the model got.
func (r *reader) behind(s *said, call string, first bool, part gjson.Result) {
	block := r.log.Text(textOf(part))
	if block.Text == "" {
		block = r.part(part)
	}
	if n, _ := r.answered.Get(call); first {
		r.answered.Put(call, withMore)
		last := &s.results[len(s.results)-1]
		last.Content = append(last.Content, block)
	} else if n != withMore {
		s.beside = append(s.beside, block)
	}
}

// tailMost is how much of the end of an output tells how a command ended.
const tailMost = 4 << 10

// ending is what the last lines of a command's output say of how it ended, in the words of early and of later versions.
var ending = regexp.MustCompile(`(?m)^(?:Exit Code: (-?\d+)|Signal: (SIG[A-Z0-9]+|\d+))\s*$`)

// ended tells from a command's output whether it failed or was killed.
func ended(text string) bool {
	failed := false
	for _, line := range ending.FindAllStringSubmatch(text[max(len(text)-tailMost, 0):], -1) {
		if line[2] != "" {
			failed = failed || line[2] != "0"
		} else {
			failed = line[1] != "0" // a command may have told of others before
		}
	}
	return failed
}

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
	if kept, again := r.wholes[name]; again {
		block.Blob, block.Bytes = kept.Blob, kept.Bytes
		return block
	}
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
	r.wholes[name] = kept
	block.Blob, block.Bytes = kept.Blob, kept.Bytes
	return block
}
