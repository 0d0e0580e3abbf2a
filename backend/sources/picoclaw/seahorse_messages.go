package picoclaw

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// said is a message as PicoClaw takes it out of its database, in the form of a line of its files.
type said struct {
	Role     string   `json:"role"`
	Content  string   `json:"content"`
	Model    string   `json:"model_name,omitempty"`
	Thinking string   `json:"reasoning_content,omitempty"`
	At       string   `json:"created_at,omitempty"`
	Calls    []called `json:"tool_calls,omitempty"`
	Result   string   `json:"tool_call_id,omitempty"`
	Media    []string `json:"media,omitempty"`
}

type called struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// saidColumns are what a message has in its row.
var saidColumns = []string{"role", "content", "model_name", "reasoning_content", "created_at"}

// message reads the message at a place.
func (r *recall) message(i int) (gjson.Result, error) {
	id := r.messages.At(i).id
	var out said
	err := r.rows("messages", "message_id = ?", "", saidColumns, func(row []string) {
		out = said{Role: row[0], Content: row[1], Model: row[2], Thinking: row[3], At: row[4]}
	}, id)
	if err != nil {
		return gjson.Result{}, err
	}
	parts, err := r.partsOf(id)
	if err != nil {
		return gjson.Result{}, err
	}
	if len(parts) > 0 { // what stands in the row is for searches
		out.Content = ""
	}
	var texts []string
	for _, part := range parts {
		switch part[1] {
		case "text":
			texts = append(texts, part[2])
		case "tool_use":
			call := called{ID: part[5]}
			call.Function.Name, call.Function.Arguments = part[3], part[4]
			out.Calls = append(out.Calls, call)
		case "tool_result":
			out.Result, out.Content = part[5], cmp.Or(out.Content, part[2])
		case "media":
			out.Media = append(out.Media, part[6])
		}
	}
	out.Content = cmp.Or(out.Content, strings.Join(texts, "\n"))
	text, err := json.Marshal(out)
	if err != nil {
		return gjson.Result{}, fmt.Errorf("message %d: %w", id, err)
	}
	return gjson.ParseBytes(text), nil
}

// partsOf are the parts of a message, in their order.
func (r *recall) partsOf(message int64) (parts [][]string, err error) {
	if r.parts == nil {
		return nil, nil
	}
	for _, row := range r.parts.Of(strconv.FormatInt(message, 10)) {
		err := r.rows("message_parts", "rowid = ? AND message_id = ?", "", []string{"ordinal", "type", "text", "name", "arguments", "tool_call_id", "media_uri"},
			func(part []string) { parts = append(parts, part) }, row, message)
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(parts, func(a, b []string) int { return cmp.Compare(number(a[0]), number(b[0])) })
	return parts, nil
}

var seed = maphash.MakeSeed()

// alike is the same for a line of a file and the message that was made of it. Of one with calls or media early versions kept no text.
func alike(message gjson.Result) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	add := func(text string) { _, _ = h.WriteString(text + "\x00") } // never fails
	add(jsonl.Text(message.Get("role")))
	add(jsonl.Text(message.Get("tool_call_id")))
	calls, media := jsonl.Items(message.Get("tool_calls")), jsonl.Items(message.Get("media"))
	for _, call := range calls {
		b := callBlock(call)
		add(b.ID)
		add(b.Name)
	}
	for _, item := range media {
		add(item.String())
	}
	if len(calls)+len(media) == 0 {
		add(message.Get("content").String())
	}
	return h.Sum64()
}
