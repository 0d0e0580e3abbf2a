package codex

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// compacted writes a compaction. The newer ones say what the context is from then on; for the older ones it is worked out.
func (r *reader) compacted(payload gjson.Result, m sources.Meta) {
	// The last answer may be the one that made the summary.
	m.More = jsonl.Rest(payload, "message", "replacement_history", "replacement_history_metadata", "retained_context")
	c := sources.Compaction{Meta: m, Summary: jsonl.Text(payload.Get("message")), TokensBefore: max(r.size, r.before), Usage: own(r.ahead)}
	r.ahead, r.size, r.before = nil, 0, 0
	history := payload.Get("replacement_history")
	if !history.IsArray() {
		r.replace(r.rebuilt(c.Summary), c)
		return
	}
	parts, opaque := r.replacement(history)
	if opaque {
		if c.More == nil {
			c.More = map[string]json.RawMessage{}
		}
		c.More["opaque"] = json.RawMessage("true")
	}
	if c.Summary == "" {
		c.Summary = lastSummary(parts)
	}
	before := r.at.node
	seq := r.replace(parts, c)
	r.history.before[seq] = before
	r.push(node{seq: seq}) // whoever goes back to right behind it needs none of its parts
}

// replacement is a list of items as messages; opaque tells that some are encrypted.
func (r *reader) replacement(history gjson.Result) (parts []sources.Message, opaque bool) {
	history.ForEach(func(_, item gjson.Result) bool {
		switch item.Get("type").Str {
		case "compaction", "compaction_summary", "context_compaction":
			opaque = true
			parts = append(parts, said("[summary not readable: encrypted]"))
			return true
		}
		pieces, _ := r.pieces(item, item)
		for _, p := range pieces {
			last := len(parts) - 1
			if last >= 0 && p.Role == record.RoleAssistant && parts[last].Role == record.RoleAssistant {
				parts[last].Content = append(parts[last].Content, p.Content...)
			} else if len(p.Content) > 0 || p.Role == record.RoleToolResult {
				parts = append(parts, p.Message)
			}
		}
		return true
	})
	if len(parts) == 0 {
		parts = []sources.Message{said("[summary not readable: empty]")}
	}
	return parts, opaque
}

func said(text string) sources.Message {
	return sources.Message{Role: record.RoleUser, Content: []sources.Block{{Type: "text", Text: text}}}
}

// lastSummary is the summary among what is kept.
func lastSummary(parts []sources.Message) string {
	for i := range slices.Backward(parts) {
		if text := plain(parts[i].Content); parts[i].Role == record.RoleUser && strings.HasPrefix(text, summaryBegins) {
			return text
		}
	}
	return ""
}

// keptTokens is how much of user messages a compaction keeps, by Codex's estimate of four bytes each.
const (
	keptTokens    = 20_000
	bytesPerToken = 4
)

// rebuilt is the context after a compaction that does not tell it: what Codex put in at the start, what the user said, as far as it
// fits from the newest on, and the summary.
func (r *reader) rebuilt(summary string) []sources.Message {
	var initial, users []sources.Message
	left := keptTokens
	seen := map[string]bool{}
	var n node
	for i := r.at.node; i > 0; i = int(n.prev) {
		if n = r.history.node(i); int(n.part) > len(r.at.parts) {
			continue // of a compaction before one that was taken back
		}
		if n.injected {
			if first := opening(r.history.textOf(&n, r.at)); !seen[first] {
				seen[first] = true
				initial = append(initial, sources.Message{Role: record.RoleUser, Content: r.history.contentOf(&n, r.at)})
			}
			continue
		}
		if !n.turn || left <= 0 {
			continue
		}
		text := r.history.textOf(&n, r.at)
		if strings.TrimSpace(text) == "" {
			continue
		}
		tokens := (len(text) + bytesPerToken - 1) / bytesPerToken
		if tokens > left {
			text = shorten(text, left*bytesPerToken)
		}
		left -= tokens
		users = append(users, sources.Message{Role: record.RoleUser, Content: []sources.Block{r.log.Text(text)}})
	}
	slices.Reverse(initial)
	slices.Reverse(users)
	if summary == "" {
		summary = "(no summary available)" // as Codex says it
	}
	return append(append(initial, users...), sources.Message{Role: record.RoleUser, Content: []sources.Block{r.log.Text(summary)}})
}

// opening is what tells one injected text from another kind of it.
func opening(text string) string {
	const most = 20
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[:min(most, len(text))])
}

// shorten cuts the middle out of a text.
func shorten(text string, most int) string {
	head, tail := most/2, len(text)-most/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s…%d tokens truncated…%s", text[:head], (tail-head+bytesPerToken-1)/bytesPerToken, text[tail:])
}
