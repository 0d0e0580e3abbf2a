package gemini

import (
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// replace puts another list in the place of the one there is, of which the first ones are known to be the same, each in its place. It tells
// whether all are in their places now.
func (r *reader) replace(messages messages, steady int, at time.Time) (even bool) {
	keep, same := r.list.common(messages, steady)
	if same < messages.count && keep < r.list.items.all.Len() {
		if summary, is := r.list.summaryIn(messages, same); is {
			r.instead(messages, messages.count, sources.Compaction{Summary: summary, Trigger: "unknown"}, at)
			return true
		}
	}
	last := r.known(messages, same)
	outputs, told := r.changedIn(messages.to(same), steady)
	if last == 0 && !told {
		last = same
	}
	if last > 0 {
		r.instead(messages, last, sources.Compaction{Summary: "Gemini changed what it keeps of the conversation.", Trigger: record.TriggerEdit}, at)
		return true
	}
	r.back(keep, at)
	even = r.adopt(messages.to(same), steady)
	r.mask(outputs, at)
	for _, m := range messages.from(same) {
		r.add(m)
	}
	return even
}

// known is how many of the messages have to be there instead of those that are: up to the last that was there and is another one now, or
// stands behind such a one. To read it again would tell of it twice, and of what it took. 0 is none.
func (r *reader) known(messages messages, same int) int {
	for last := messages.count; last > same; last-- {
		if m := messages.at(last - 1); !alone(m) && r.list.items.find(jsonl.Text(m.Get("id"))) >= 0 {
			return last
		}
	}
	return 0
}

// outputSum stands for what a result says.
func outputSum(response gjson.Result) int32 {
	sum := fnv.New32a()
	text, _ := outputOf(response)
	_, _ = sum.Write([]byte(text)) // never fails
	return int32(sum.Sum32())
}

// insteadMost is how much stands in one record in the place of what was before, about: it is in memory.
var insteadMost = 4 << 20

// instead puts a list, of which the log has so many already, in the place of what was before: that is what the model sees from now on. What
// is behind the first megabytes of it stands in records of its own; what those took is told already.
func (r *reader) instead(messages messages, had int, c sources.Compaction, at time.Time) {
	const place = 256
	l := &r.list
	l.changes++
	l.parts, l.ends = nil, nil
	var all []item
	r.answered.Clear() // calls of before are in the new list, and their results may follow
	r.masks.forget()
	size := 0
	for _, m := range messages.to(had).from(0) {
		if size += len(m.Raw) + place; len(l.ends) > 0 && size > insteadMost {
			break
		}
		l.ends = append(l.ends, size)
	}
	first := len(l.ends)
	r.apart = answeredIn(messages.to(first))
	for _, m := range messages.to(first).from(0) {
		var parts []sources.Message
		for _, part := range r.said(m).messages() {
			part.Meta, part.Usage = sources.Meta{}, nil
			parts = append(parts, part)
		}
		l.parts = append(l.parts, parts)
		all = append(all, l.items.of(m, 0))
	}
	r.apart = nil
	c.Meta, c.Replacement = sources.Meta{Time: at, Entry: fmt.Sprintf("compression/%d", l.changes)}, flat(l.parts)
	if c.Trigger == record.TriggerEdit {
		c.Entry = fmt.Sprintf("edit/%d", l.changes)
	}
	l.compaction = r.log.Compaction(c)
	l.replaced = len(all)
	for i := range all {
		all[i].last = uint32(l.compaction)
	}
	l.items.set(all)
	for i, m := range messages.from(first) {
		said := r.said(m)
		if i < had {
			said.usage = nil
		}
		r.put(m, said)
	}
}

// answeredIn are the calls whose results stand in messages of their own, as the model gets them.
func answeredIn(messages messages) map[string]bool {
	calls := map[string]bool{}
	for _, m := range messages.from(0) {
		for _, part := range parts(m.Get("content")) {
			if response := part.Get("functionResponse"); response.Exists() {
				calls[answeredBy(response)] = true
			}
		}
	}
	return calls
}

func flat(parts [][]sources.Message) []sources.Message {
	var out []sources.Message
	for _, messages := range parts {
		out = append(out, messages...)
	}
	return out
}

// acknowledged is what Gemini lets the model say to a summary.
const acknowledged = "Got it. Thanks for the additional context!"

// summaryIn finds the summary among messages from one on. One that was there is that of an earlier compression.
func (l *list) summaryIn(messages messages, from int) (string, bool) {
	for i, m := range messages.from(from) {
		text := plain(m.Get("content"))
		if m.Get("type").Str != "user" || isContext(text) || l.items.find(jsonl.Text(m.Get("id"))) >= 0 {
			continue
		}
		if strings.Contains(text, "<state_snapshot>") ||
			i+1 < messages.count && isAcknowledged(messages.at(i+1)) {
			return text, true
		}
	}
	return "", false
}

func isAcknowledged(m gjson.Result) bool {
	return m.Get("type").Str == "gemini" && plain(m.Get("content")) == acknowledged
}
