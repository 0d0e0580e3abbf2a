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

// compacts tells whether a compaction is one to Codex: where the message or the history is of another kind than it writes, it goes on as if the line
// were not there.
func compacts(payload gjson.Result) bool {
	history := jsonl.Member(payload, "replacement_history")
	whole := true
	if history.IsArray() {
		history.ForEach(func(_, item gjson.Result) bool {
			whole = item.Get("type").Type == gjson.String
			return whole
		})
	}
	return whole && jsonl.Member(payload, "message").Type == gjson.String && (history.IsArray() || history.Type == gjson.Null)
}

// compacted writes a compaction. The newer ones say what the context is from then on; for the older ones it is worked out.
func (r *reader) compacted(payload gjson.Result, m sources.Meta) {
	// The last answer may be the one that made the summary.
	m.More = jsonl.Rest(payload, "message", "replacement_history", "replacement_history_metadata", "retained_context")
	c := sources.Compaction{Meta: m, Summary: jsonl.Text(jsonl.Member(payload, "message")), TokensBefore: max(r.size, r.before), Usage: own(r.ahead)}
	r.ahead, r.size, r.before = nil, 0, 0
	history := jsonl.Member(payload, "replacement_history")
	if !history.IsArray() {
		r.summed(c)
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
	r.toldAll(parts, c, payload.Get("window_number").Exists() && (r.paginated || payload.Get("resume_metadata").IsObject()))
}

// replaced is a message of a replacement, and what of it is remembered.
type replaced struct {
	sources.Message
	marks
	said, injected bool
}

func messages(parts []replaced) []sources.Message {
	all := make([]sources.Message, len(parts))
	for i := range parts {
		all[i] = parts[i].Message
	}
	return all
}

// chain are the nodes of a replacement, of which the last is returned.
func (h *history) chain(parts []replaced, seq int64, force int32) (at int32) {
	for i := range parts {
		p := &parts[i]
		at = h.onto(at, node{
			seq: seq, part: int32(i + 1), last: i == len(parts)-1, text: h.keep(&p.Message), stack: force, under: force,
			marks: p.marks, said: p.said, injected: p.injected,
		})
	}
	return at
}

// toldAll takes a compaction that told the context. One that stands in a turn that is taken back at once is only in the log.
func (r *reader) toldAll(parts []replaced, c sources.Compaction, bounds bool) {
	h := r.history
	seq := r.compaction(messages(parts), c)
	force := h.force(seq, r.at.stack)
	t := told{node: h.chain(parts, seq, force), before: r.at.node, step: r.at.step, base: r.at.told}
	base := h.toldAt(t.base)
	t.puts = h.node(t.node).put || t.base > 0 && base.step == t.step && base.puts
	h.tolds.Add(t)
	number := int32(h.tolds.Len())
	r.at.open.told, r.at.open.some, r.at.bound = number, true, 0
	if bounds {
		r.at.bound = number
	}
	if r.survivor() != number {
		m := c.Meta
		m.Entry, m.More = m.Entry+"/left", nil
		r.log.Revert(sources.Revert{Meta: m, Target: seq})
		return
	}
	r.at.node, r.at.told, r.at.stack = t.node, number, force
}

// otherwise is in how many ways an older compaction is worked out where some before it may be taken back: the last is without all of them.
const otherwise = 4

// summed takes a compaction that did not tell the context. What it is without those before it that did is written first, so that the log has it
// where these are taken back.
func (r *reader) summed(c sources.Compaction) {
	h := r.history
	s := sum{summary: h.say(c.Summary)}
	was := r.at
	write := func(told int32, parts []replaced, c sources.Compaction) {
		seq := r.compaction(messages(parts), c)
		r.at.stack = h.force(seq, r.at.stack)
		s.told, s.node = told, h.chain(parts, seq, r.at.stack)
		h.sums.Add(s)
		s.other = int32(h.sums.Len())
	}
	edit := sources.Compaction{Meta: c.Meta, Summary: c.Summary, Trigger: record.TriggerEdit}
	edit.More = nil
	for t, n := was.told, 1; t > 0 && h.affords(); n++ {
		if t = h.toldAt(t).base; n == otherwise {
			t = 0
		}
		edit.Entry = fmt.Sprintf("%s/%d", c.Entry, n)
		write(t, r.rebuilt(r.rebuild(t), c.Summary), edit)
	}
	write(was.told, r.rebuilt(was.node, c.Summary), c)
	r.at.node, r.at.bound = s.node, 0
	r.did(step{deed: compactedAnew, at: s.other})
}

// replacement is a list of items as messages; opaque tells that some are encrypted.
func (r *reader) replacement(history gjson.Result) (parts []replaced, opaque bool) {
	history.ForEach(func(_, item gjson.Result) bool {
		switch item.Get("type").Str {
		case "compaction", "compaction_summary", "context_compaction":
			opaque = true
			parts = append(parts, replaced{Message: said(record.SummaryEncrypted)})
			return true
		}
		pieces, _ := r.pieces(item, item)
		m := marksOf(item)
		person := m.turn && item.Get("role").Str == "user"
		for _, p := range pieces {
			last := len(parts) - 1
			if last >= 0 && p.Role == record.RoleAssistant && parts[last].Role == record.RoleAssistant && !m.turn && !parts[last].turn {
				parts[last].Content = append(parts[last].Content, p.Content...)
			} else if len(p.Content) > 0 || p.Role == record.RoleToolResult {
				parts = append(parts, replaced{p.Message, m, person && !p.putIn(), p.putIn()})
				m.turn = false // with the first of its pieces
			}
		}
		return true
	})
	if len(parts) == 0 {
		parts = []replaced{{Message: said(record.SummaryEmpty)}}
	}
	return parts, opaque
}

func said(text string) sources.Message {
	return sources.Message{Role: record.RoleUser, Content: []sources.Block{{Type: "text", Text: text}}}
}

// lastSummary is the summary among what is kept.
func lastSummary(parts []replaced) string {
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
	// keptKinds is of how many kinds what Codex put in is kept. It puts in a dozen.
	keptKinds = 64
)

// rebuilt is the context after a compaction that does not tell it: what Codex put in at the start, what the user said, as far as it
// fits from the newest on, and the summary.
func (r *reader) rebuilt(at int32, summary string) []replaced {
	h := r.history
	var initial, users []replaced
	left := keptTokens
	seen := map[string]bool{}
	most := h.mostWritten()
	for i := at; i > 0; h.spent++ {
		n := h.node(i)
		i = n.prev
		if n.injected {
			if first := opening(h.textOf(&n)); len(seen) < keptKinds && !seen[first] {
				seen[first] = true
				initial = append(initial, replaced{Message: sources.Message{Role: record.RoleUser, Content: h.contentOf(&n)}, marks: n.marks, injected: true})
			}
			continue
		}
		if !n.said || left <= 0 || len(users) == most {
			continue
		}
		text := h.textOf(&n)
		if strings.TrimSpace(text) == "" {
			continue
		}
		tokens := (len(text) + bytesPerToken - 1) / bytesPerToken
		if tokens > left {
			text = shorten(text, left*bytesPerToken)
		}
		left -= tokens
		users = append(users, r.worded(text))
	}
	slices.Reverse(initial)
	slices.Reverse(users)
	if summary == "" {
		summary = "(no summary available)" // as Codex says it
	}
	parts := append(append(initial, users...), r.worded(summary))
	h.spent += int64(len(parts)) * made
	return parts
}

// worded is a message of a person's, or a summary that begins as Codex has them begin.
func (r *reader) worded(text string) replaced {
	is := !strings.HasPrefix(text, summaryFirst)
	return replaced{Message: sources.Message{Role: record.RoleUser, Content: []sources.Block{r.log.Text(text)}}, marks: marks{turn: is}, said: is}
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
