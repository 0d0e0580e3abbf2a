package opencode

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/tokens"
)

// addTool adds a call, and its result if it has one. A call that is pending or running has none: its program ended, or goes on.
func (w *message) addTool(id string, part gjson.Result) {
	state := part.Get("state")
	call := sources.Block{Type: "toolCall", ID: part.Get("callID").Str, Name: part.Get("tool").Str, Arguments: glean.Raw(state.Get("input"))}
	if call.ID == "" {
		call.ID = id
	}
	if call.Name == "" {
		call.Name = "unknown"
	}
	call.Started = jsonl.Text(state.Get("metadata.sessionId"))
	w.step.blocks = append(w.step.blocks, call)
	r := result{Message: sources.Message{Meta: w.meta(id), Role: record.RoleToolResult, ToolCallID: call.ID}}
	if end := jsonl.Time(state.Get("time.end")); !end.IsZero() {
		r.Time = end
	}
	switch state.Get("status").Str {
	case "completed":
		output := state.Get("output").String()
		r.Content = append(r.Content, w.output(output, state.Get("metadata.outputPath").Str))
		r.IsError = state.Get("metadata.exit").Type == gjson.Number && state.Get("metadata.exit").Num != 0
		state.Get("attachments").ForEach(func(_, attached gjson.Result) bool {
			r.Content = append(r.Content, w.attached(attached))
			return true
		})
		r.cleared, r.tokens = state.Get("time.compacted").Num, int64(tokens.Estimate(output))
	case "error":
		text := state.Get("error").String()
		if output := state.Get("metadata.output"); state.Get("metadata.interrupted").Bool() && output.Type == gjson.String {
			text = output.Str // what had come when it was stopped
		}
		r.Content, r.IsError = []sources.Block{w.log.Text(text)}, true
	default:
		return
	}
	w.step.results = append(w.step.results, r)
}

// attached is what is attached to a result. A link is sent again only of an image or a PDF.
func (w *message) attached(part gjson.Result) sources.Block {
	block := fileBlock(w.log, part)
	mime := mimeOf(part)
	if strings.HasPrefix(part.Get("url").Str, "data:") || strings.HasPrefix(mime, "image/") || mime == "application/pdf" {
		return sources.AsIs(block)
	}
	return block
}

// spilledMost is how long a file with a whole output may be.
const spilledMost = 64 << 20

// output is what the model saw of a tool's output. If that was cut, the whole is kept beside it as long as opencode has it.
func (w *message) output(text, path string) sources.Block {
	block := w.log.Text(text)
	if path == "" || w.tree == nil || block.Blob != "" {
		return block
	}
	// The path is one of the machine that wrote it; only files of that directory are ever read.
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	data, err := w.tree.ReadFile(filepath.Join("tool-output", name), spilledMost)
	if large, is := errors.AsType[*glean.LargeError](err); is {
		w.log.Overlong(name, "output", large.Bytes)
	} else {
		w.log.Unread("the whole of the output "+name, err)
	}
	if err != nil || len(data) <= len(text) {
		return block // cleaned away since, as a rule
	}
	kept := w.log.Image("text/plain", data)
	block.Blob, block.Bytes = kept.Blob, kept.Bytes
	return block
}

// file is what is attached; not ok if the model never saw it as a file: text and directories are put into the text.
func file(log *sources.Log, part gjson.Result) (sources.Block, bool) {
	if mime := mimeOf(part); mime == "text/plain" || mime == "application/x-directory" {
		return sources.Block{}, false
	}
	return fileBlock(log, part), true
}

func mimeOf(part gjson.Result) string {
	if mime := part.Get("mime").Str; mime != "" {
		return mime
	}
	return part.Get("mediaType").Str // of the first versions
}

func fileBlock(log *sources.Log, part gjson.Result) sources.Block {
	address := part.Get("url").Str
	if block, ok := log.DataURL(address); ok {
		return block
	}
	if _, body, encoded := strings.Cut(address, ";base64,"); encoded && strings.HasPrefix(address, "data:") {
		if block, ok := log.Base64(mimeOf(part), body); ok {
			block.Type = "file"
			return block
		}
	}
	return sources.Block{Type: "file", Raw: withoutData(part)}
}

// withoutData is a part without the contents of its file.
func withoutData(part gjson.Result) jsonRaw {
	out := jsonRaw(`{"type":"file","mime":` + string(glean.Quote(part.Get("mime").Str)) + `,"filename":` + string(glean.Quote(part.Get("filename").Str)))
	if address := part.Get("url").Str; len(address) < 1000 {
		out = append(out, `,"url":`+string(glean.Quote(address))...)
	}
	return append(out, '}')
}
