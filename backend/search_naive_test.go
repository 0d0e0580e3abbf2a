package backend

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/text/unicode/norm"

	"palimpsest/backend/record"
)

// naiveText is one of a session as it shows, and where it stands.
type naiveText struct {
	seq                      int64
	scope, tool, state, text string
	at                       time.Time
}

// naive is a session as its row and its records show it, and all of their texts, found without anything that a search is made of.
type naive struct {
	row    Session
	texts  []naiveText
	tools  []string
	models []string
	times  []time.Time // those of its messages and compactions
	view   string      // what the model sees
}

// naiveOf reads a session as those do who ask for it over HTTP or on the command line.
func naiveOf(t *testing.T, b *Backend, row Session) *naive {
	t.Helper()
	n := &naive{row: row, models: []string{row.Model}}
	page, err := b.Page(row.ID, PageOptions{Limit: pageMost})
	newsMust(t, err)
	if page.Next != nil {
		t.Fatalf("%s is longer than a page", row.ID)
	}
	seen, err := b.Context(row.ID, ContextOptions{})
	newsMust(t, err)
	for _, m := range seen.Messages {
		for _, block := range m.Content {
			n.view += gjson.GetBytes(block, "text").Str + "\n"
		}
	}
	toolOf, bySeq := map[string]string{}, map[int64]gjson.Result{}
	for i, line := range page.Records {
		rec := gjson.ParseBytes(line)
		at, _ := time.Parse(time.RFC3339Nano, rec.Get("timestamp").Str)
		one := naiveText{seq: rec.Get("seq").Int(), state: stateWord(page.Entries[i].State), at: at}
		n.models = append(n.models, rec.Get("model").Str)
		if kind := rec.Get("recordType").Str; (kind == "message" || kind == "compaction") && !at.IsZero() {
			n.times = append(n.times, at)
		}
		n.record(one, rec, toolOf, bySeq)
		bySeq[one.seq] = rec
	}
	if row.Name != nil {
		n.texts = append(n.texts, naiveText{seq: -1, scope: "name", text: *row.Name})
	}
	return n
}

// when is from when to when a text was written; one of which nobody knows that is as good as its session.
func (n *naive) when(one *naiveText) (from, to time.Time) {
	if !one.at.IsZero() {
		return one.at, one.at
	}
	from, _ = time.Parse(time.RFC3339Nano, n.row.CreatedAt)
	to, _ = time.Parse(time.RFC3339Nano, n.row.LastMessageAt)
	return from, to
}

func stateWord(s State) string {
	switch s {
	case StateKept, StateFresh, StateInForce:
		return "context"
	case StateSuperseded, StateFolded:
		return "summary"
	case StateMeta:
		return ""
	}
	return "dropped"
}

func (n *naive) record(one naiveText, rec gjson.Result, toolOf map[string]string, bySeq map[int64]gjson.Result) {
	state := one.state
	add := func(scope, tool, text string) {
		if one.scope, one.tool, one.text = scope, tool, text; strings.TrimSpace(text) != "" {
			n.texts = append(n.texts, one)
		}
		one.state = state
	}
	addUnseen := func(scope, text string) {
		one.state = ""
		add(scope, "", text)
	}
	scope := map[string]string{"user": "user", "assistant": "assistant", "toolResult": "output"}[rec.Get("role").Str]
	if rec.Get("recordType").Str == "note" || rec.Get("byAgent").Bool() {
		scope = "injected"
	}
	tool := toolOf[rec.Get("toolCallId").Str]
	for _, block := range rec.Get("content").Array() {
		switch block.Get("type").Str {
		case "text":
			text := block.Get("text").Str
			if scope == "output" {
				text = record.Output(text)
			}
			add(scope, tool, text)
		case "thinking":
			if block.Get("aside").Bool() || state == "context" && !strings.Contains(n.view, block.Get("text").Str) {
				one.state = "dropped" // it is not sent again, or was another provider's
			}
			add("thinking", "", block.Get("text").Str)
		case "toolCall":
			name := block.Get("name").Str
			toolOf[block.Get("id").Str] = name
			n.tools = append(n.tools, name)
			add("call", name, name+spelled("", block.Get("arguments")))
		}
	}
	addUnseen("assistant", rec.Get("errorMessage").Str)
	n.instead(one, rec, toolOf, bySeq)
	summary := rec.Get("summary").Str
	replacement := rec.Get("replacement").Raw
	switch {
	case replacement == "" || replacement == "[]":
		add("summary", "", summary)
	case !strings.Contains(plainOf(rec.Get("replacement")), strings.TrimSpace(summary)):
		addUnseen("summary", summary)
	}
	addUnseen("summary", rec.Get("instructions").Str)
	add("user", "", rec.Get("label").Str)
	for _, text := range rec.Get("texts").Array() {
		if one.state = "dropped"; strings.Contains(n.view, text.Str) {
			one.state = "context"
		}
		add("output", "", text.Str)
	}
}

// instead are the messages that a compaction puts in the place of others, but for those that stand before it.
func (n *naive) instead(one naiveText, rec gjson.Result, toolOf map[string]string, bySeq map[int64]gjson.Result) {
	before := map[string]gjson.Result{}
	for _, seq := range rec.Get("keptSeqs").Array() {
		r := bySeq[seq.Int()]
		before[plainOf(r.Get("content"))+r.Get("summary").Str] = r
	}
	summary := strings.TrimSpace(rec.Get("summary").Str)
	for _, m := range rec.Get("replacement").Array() {
		text := plainOf(m.Get("content"))
		known, stands := before[text]
		sums := summary != "" && strings.Contains(text, summary) || known.Get("recordType").Str == "compaction"
		if stands && !sums {
			continue
		}
		from := len(n.texts)
		n.record(one, m, toolOf, bySeq)
		for i := from; sums && i < len(n.texts); i++ {
			n.texts[i].scope = "summary"
		}
	}
}

// plainOf is all that messages or blocks say, but for thinking.
func plainOf(value gjson.Result) (out string) {
	for _, v := range value.Array() {
		if v.Get("type").Str != "thinking" {
			out += v.Get("text").Str + v.Get("name").Str + v.Get("arguments").Raw + plainOf(v.Get("content"))
		}
	}
	return out
}

// spelled is a value with a line for each member.
func spelled(name string, value gjson.Result) string {
	if !value.IsObject() && !value.IsArray() {
		return "\n" + strings.TrimPrefix(name+": ", ": ") + value.String()
	}
	out := ""
	if name != "" {
		out = "\n" + name + ":"
	}
	value.ForEach(func(key, member gjson.Result) bool {
		out += spelled(key.Str, member)
		return true
	})
	return out
}

// asked is a query as a test draws it: what has to be in a text or must not be, and conditions, some of which are of texts.
type asked struct {
	terms   []term
	filters []condition
	minds   bool
	typed   []string
}

type term struct {
	text       string
	not, regex bool
}

// finds tells whether a term is in a text: composed, in any case unless case is minded, with any white space for its own.
func (q *asked) finds(one term, text string) bool {
	expr := one.text
	if !one.regex {
		words := strings.Fields(norm.NFC.String(expr))
		for i := range words {
			words[i] = regexp.QuoteMeta(words[i])
		}
		expr = strings.Join(words, `\s+`)
	}
	if !q.minds {
		expr = "(?i)" + expr
	}
	return regexp.MustCompile(expr).MatchString(norm.NFC.String(text))
}

// condition is a filter: what is typed, and what that means.
type condition struct {
	name, value string
	not         bool
	session     func(n *naive) bool
	text        func(n *naive, one *naiveText) bool
}

func (c *condition) typed() string {
	if c.not {
		return "-" + c.name + ":" + c.value
	}
	return c.name + ":" + c.value
}

// holds tells what a filter says of a text. The model was never to see what has no state, such as names: no in: is true of that, and none that
// leaves out leaves it out.
func (c *condition) holds(n *naive, one *naiveText) bool {
	if c.name == "in" && one.state == "" {
		return c.not
	}
	if c.text != nil {
		return c.text(n, one) != c.not
	}
	return c.session == nil || c.session(n) != c.not
}

// admits tells whether all conditions hold: those of one name are alternatives, but for what is left out.
func (q *asked) admits(n *naive, one *naiveText) bool {
	met := map[string]bool{}
	for i := range q.filters {
		c := &q.filters[i]
		holds := c.holds(n, one)
		switch {
		case c.not || slices.Contains([]string{"is", "after", "before", "on", "compactions"}, c.name):
			if !holds {
				return false
			}
		default:
			met[c.name] = met[c.name] || holds
		}
	}
	for _, ok := range met {
		if !ok {
			return false
		}
	}
	return true
}

// in are the places in a session that a query is to find, as texts.
func (q *asked) in(n *naive) (places []naiveText) {
	for i := range n.texts {
		one := &n.texts[i]
		found := q.admits(n, one)
		for _, term := range q.terms {
			found = found && q.finds(term, one.text) != term.not
		}
		if found {
			places = append(places, *one)
		}
	}
	return places
}
