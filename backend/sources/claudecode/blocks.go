package claudecode

import (
	"encoding/json"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// blocks are those of a content, which may be a plain text.
func (r *reader) blocks(content gjson.Result) []sources.Block {
	if content.Type == gjson.String {
		return []sources.Block{r.log.Text(content.Str)}
	}
	var blocks []sources.Block
	jsonl.Listed(content, func(block gjson.Result) bool {
		if block.IsObject() {
			blocks = append(blocks, r.block(block))
		}
		return true
	})
	return blocks
}

func (r *reader) block(block gjson.Result) sources.Block {
	switch jsonl.Member(block, "type").Str {
	case "text":
		if text := jsonl.Member(block, "text"); text.Type == gjson.String {
			return r.log.Text(text.Str)
		}
	case "thinking":
		return sources.Block{Type: "thinking", Text: jsonl.Text(block.Get("thinking")), Signature: jsonl.Text(block.Get("signature"))}
	case "redacted_thinking": // which only its provider can read
		return sources.Block{Type: "thinking", Signature: jsonl.Text(block.Get("data"))}
	case "tool_use":
		return sources.Block{
			Type: "toolCall", ID: jsonl.Text(block.Get("id")), Name: jsonl.Text(block.Get("name")), Arguments: json.RawMessage(block.Get("input").Raw),
		}
	case "image":
		if image, ok := r.log.Base64(jsonl.Text(block.Get("source.media_type")), jsonl.Text(block.Get("source.data"))); ok {
			return image
		}
	}
	if file, is := r.fileIn(block); is {
		return sources.AsIs(file)
	}
	return sources.AsIs(jsonl.Unknown(block)) // documents, what servers did, and what is not known: a resume has it as it was
}

// fileIn is a document of which the file stands in the block: that is kept beside the log, as images are.
func (r *reader) fileIn(block gjson.Result) (sources.Block, bool) {
	source := block.Get("source")
	if block.Get("type").Str != "document" || source.Get("type").Str != "base64" {
		return sources.Block{}, false
	}
	file, ok := r.log.Base64(jsonl.Text(source.Get("media_type")), jsonl.Text(source.Get("data")))
	if !ok {
		return sources.Block{}, false
	}
	file.Type = "document"
	members := jsonl.Rest(block, "type", "source", "blob", "mediaType", "bytes")
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if raw, err := file.MarshalJSON(); err == nil {
			file.Raw = slices.Concat(raw[:len(raw)-1], []byte(`,`+string(glean.Quote(name))+`:`), members[name], []byte(`}`))
		}
	}
	return file, true
}

// hasResult tells whether there is a result of a tool in a content.
func hasResult(content gjson.Result) (has bool) {
	if content.IsArray() {
		jsonl.Listed(content, func(block gjson.Result) bool {
			has = jsonl.Member(block, "type").Str == "tool_result"
			return !has
		})
	}
	return has
}

// toolResult is the result of a tool. One that was too long is in a file beside the session's.
func (r *reader) toolResult(row row, block gjson.Result) sources.Message {
	twin := row.Get("toolUseResult")
	m := sources.Message{
		Role: record.RoleToolResult, ToolCallID: jsonl.Text(jsonl.Member(block, "tool_use_id")), Content: r.blocks(jsonl.Member(block, "content")),
		IsError: jsonl.Member(block, "is_error").Bool() || strings.HasPrefix(jsonl.Text(twin), "Error:"),
		Started: jsonl.Text(jsonl.Member(twin, "agentId")),
	}
	for i, b := range m.Content {
		if b.Type != "text" || b.Blob != "" || !strings.HasPrefix(b.Text, "<persisted-output>") {
			continue
		}
		path := jsonl.Text(twin.Get("persistedOutputPath"))
		if said := persisted.FindStringSubmatch(b.Text); path == "" && said != nil {
			path = said[1]
		}
		if whole := r.beside(path); whole != nil {
			kept := r.log.Image("text/plain", whole)
			m.Content[i].Blob, m.Content[i].Bytes = kept.Blob, kept.Bytes
		}
	}
	return m
}

var persisted = regexp.MustCompile(`saved to: (\S.*\S)`)

// beside is what stands in the file of an output. Only its name is taken from the path, which may be of another machine: the file has to
// be in the session's own folder.
func (r *reader) beside(path string) []byte {
	const most = 32 << 20
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if name == "" || name == "." || name == ".." {
		return nil
	}
	dir := filepath.Join(filepath.Dir(r.file.Path), r.name)
	if strings.HasPrefix(r.name, agentPrefix) {
		dir = filepath.Dir(filepath.Dir(r.file.Path))
	}
	file, err := jsonl.Open(filepath.Join(dir, "tool-results", name))
	if err != nil {
		r.log.Unread("the whole of the output "+name, err)
		return nil // cleaned away since, as a rule
	}
	defer file.Close()
	if file.Size > most {
		r.log.Overlong(name, "output", file.Size)
		return nil
	}
	whole, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		r.log.Unread("the whole of the output "+name, err)
		return nil
	}
	return whole
}
