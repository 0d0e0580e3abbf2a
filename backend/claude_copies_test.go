package backend

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend/drawn"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
)

// copyist is a machine on which Claude Code goes on from its sessions in other files, in every way that any version of it did.
type copyist struct {
	*rapid.T
	home, own, cache string
	program          *Backend
	files            map[string][]exchange
	// known are the turns that the index has to have, of each file that it has seen.
	known map[string][]exchange
	next  int
	// request is what the rows of an answer say of their request, %d for its number.
	request string
	// later tells that copies may have other ids and other times: then none has only what is known by these alone.
	later bool
	// parents tells that rows say which one they follow, and before what the first row of a file says, which is not there: empty for nothing.
	parents bool
	before  string
}

// numberless is what the rows of an answer say whose request has no number: a blank, since nothing stands for the usual.
const numberless = " "

// exchange is a question and its answer, or a compaction, as one file has it.
type exchange struct {
	n       int
	compact bool
	// uuid is of its rows, session and marks what they say of where they come from, and later how much later they say to be.
	uuid, session, marks string
	later                time.Duration
	// cut tells that the first row of the answer is not there, short that the last is not, open that there is no answer, unasked that there is
	// no question, and bare that there is no summary.
	cut, short, open, unasked, bare bool
	request                         string
	// asked is the question that it answers, which was copied; nil for one of its own.
	asked *exchange
}

func (m *copyist) must(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

func (m *copyist) path(name string) string {
	return filepath.Join(m.home, ".claude/projects/-"+name[:1], name+".jsonl")
}

func (m *copyist) fresh(compact bool) exchange {
	m.next++
	return exchange{n: m.next, compact: compact, uuid: fmt.Sprintf("u%d", m.next), request: m.request}
}

// fileRows are those of a file, each of which says which one it follows if parents are told.
type fileRows struct {
	strings.Builder
	session string
	parents bool
	last    string
}

// follows is what the next row says of the one before.
func (r *fileRows) follows(id string) string {
	before := r.last
	if r.last = id; before == "" || !r.parents {
		return "null"
	}
	return strconv.Quote(before)
}

func (t *exchange) write(out *fileRows) {
	session := cmp.Or(t.session, out.session)
	at := func(more time.Duration) string {
		return time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC).Add(time.Duration(t.n)*time.Minute + t.later + more).Format(time.RFC3339Nano)
	}
	row := func(kind, id string, more time.Duration, rest string) {
		fmt.Fprintf(out, `{"type":%q,"uuid":"%s","parentUuid":%s,"timestamp":%q,%s"sessionId":%q,"cwd":"/w/%s",%s}`+"\n",
			kind, t.uuid+id, out.follows(t.uuid+id), at(more), t.marks, session, out.session[:1], rest)
	}
	if t.compact {
		before := out.last
		out.last = ""
		row("system", "b", 0, fmt.Sprintf(`"logicalParentUuid":%q,`, before)+`"subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":9}`)
		if !t.bare {
			row("user", "s", time.Second, fmt.Sprintf(`"isCompactSummary":true,"message":{"role":"user","content":"what was said, %d"}`, t.n))
		}
		return
	}
	switch {
	case t.unasked:
	case t.asked != nil:
		t.asked.write(out)
	default:
		row("user", "q", 0, fmt.Sprintf(`"message":{"role":"user","content":"question %d"}`, t.n))
	}
	if t.open {
		return
	}
	if t.request == "" {
		t.request = `"requestId":"req_%d",`
	}
	answer := strings.ReplaceAll(t.request, "%d", strconv.Itoa(t.n)) + `"message":{"id":"msg_%d","role":"assistant","model":"m%d","content":[%s],"usage":{"input_tokens":%d,"output_tokens":1}}`
	for i, block := range []string{`{"type":"text","text":"yes"}`, `{"type":"text","text":"then"}`, fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"Bash","input":{}}`, t.n)} {
		if i == 0 && t.cut {
			continue
		}
		if i == 2 && t.short {
			return
		}
		row("assistant", fmt.Sprintf("a%d", i), time.Second+time.Duration(i)*100*time.Millisecond, fmt.Sprintf(answer, t.n, t.n%2, block, 1<<t.n))
	}
	row("user", "r", 2*time.Second, fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"done","is_error":%t}]}`, t.n, t.n%3 == 0))
}

func (m *copyist) write(name string) {
	out := fileRows{session: name, parents: m.parents, last: m.before}
	for i := range m.files[name] {
		m.files[name][i].write(&out)
	}
	m.must(os.MkdirAll(filepath.Dir(m.path(name)), 0o700))
	m.must(os.WriteFile(m.path(name), []byte(out.String()), 0o600))
}

// copy is what another file has of one.
func (m *copyist) copy(from string, turns []exchange) []exchange {
	out := slices.Clone(turns)
	if rapid.Bool().Draw(m.T, "behind the compaction") {
		for i, one := range slices.Backward(out) {
			if one.compact {
				out = out[i:]
				break
			}
		}
		if rapid.Bool().Draw(m.T, "without it") && len(out) > 1 {
			out = out[1:]
		}
	}
	out = out[:rapid.IntRange(1, len(out)).Draw(m.T, "copied")]
	answered := func(t exchange) bool { return !t.compact && !t.open }
	// What was asked has other ids and times in the copy that it is taken from, and its answer is not there: that copy knows it by the answer
	// before it, and one that begins with it by nothing.
	begins := cmp.Or(out[0].asked, &out[0])
	if i := slices.IndexFunc(out, answered); m.later && (i < 0 || begins.later > out[i].later) {
		return nil
	}
	how := rapid.SampledFrom([]string{"silent", "silent", "other ids", "other ids and times", "named", "marked", "marked, with other ids"}).Draw(m.T, "how")
	last := &out[len(out)-1]
	if how == "other ids and times" && !m.later {
		how = "other ids"
	}
	switch {
	case last.compact:
		last.bare = rapid.IntRange(0, 2).Draw(m.T, "without its summary") == 0 || last.bare
	case !last.compact && !last.unasked && (!m.later || slices.ContainsFunc(out[:len(out)-1], answered)):
		last.open = rapid.IntRange(0, 2).Draw(m.T, "without its answer") == 0 || last.open
	}
	if answered(out[0]) {
		out[0].unasked = rapid.IntRange(0, 2).Draw(m.T, "without its question") == 0 || out[0].unasked
	}
	m.next++
	if how != "other ids and times" && rapid.Bool().Draw(m.T, "without its first row") { // which was thinking
		out[0].cut = true
	}
	for i := range out {
		out[i].copied(how, from, m.next)
		if question := out[i].asked; question != nil {
			out[i].asked = new(*question)
			out[i].asked.copied(how, from, m.next)
		}
	}
	if last.open && last.asked == nil && rapid.Bool().Draw(m.T, "answered in the copy") {
		question := *last
		*last = m.fresh(false)
		last.asked = &question
	}
	return out
}

// copied has the rows of an exchange as another file has them.
func (t *exchange) copied(how, from string, n int) {
	switch how {
	case "other ids", "marked, with other ids":
		t.uuid = fmt.Sprintf("c%d%s", n, t.uuid)
	case "other ids and times":
		t.uuid, t.later = fmt.Sprintf("c%d%s", n, t.uuid), t.later+time.Hour
	}
	switch how {
	case "named":
		t.session = from
	case "marked", "marked, with other ids":
		t.marks = fmt.Sprintf(`"forkedFrom":{"sessionId":%q,"messageUuid":"x"},`, from)
	}
}

// change does something to one of the files.
func (m *copyist) change() {
	names := []string{"a1", "a2", "b1", "b2"}
	name := rapid.SampledFrom(names).Draw(m.T, "file")
	var there []string
	for _, other := range names {
		if other != name && len(m.files[other]) > 0 {
			there = append(there, other)
		}
	}
	if _, err := os.Stat(m.path(name)); err == nil {
		if rapid.IntRange(0, 2).Draw(m.T, "removed") == 0 {
			m.must(os.Remove(m.path(name)))
			return
		}
	} else if len(m.files[name]) == 0 {
		if len(there) > 0 && rapid.IntRange(0, 3).Draw(m.T, "alone") > 0 {
			from := rapid.SampledFrom(there).Draw(m.T, "from")
			m.files[name] = m.copy(from, m.files[from])
		}
	} else if rapid.Bool().Draw(m.T, "only restored") {
		m.write(name)
		return
	}
	for range rapid.IntRange(0, 2).Draw(m.T, "more") {
		m.files[name] = append(m.files[name], m.fresh(rapid.IntRange(0, 3).Draw(m.T, "compacted") == 0))
	}
	if len(m.files[name]) == 0 {
		m.files[name] = append(m.files[name], m.fresh(false))
	}
	m.write(name)
}

// scan brings the index up to date, which may be a new one.
func (m *copyist) scan(t *testing.T) {
	if m.program == nil || rapid.IntRange(0, 3).Draw(m.T, "anew") == 0 {
		if m.program != nil {
			m.program.Close()
		}
		if rapid.Bool().Draw(m.T, "index anew") || m.cache == "" {
			var err error
			m.cache, err = os.MkdirTemp(t.TempDir(), "")
			m.must(err)
			m.known = map[string][]exchange{}
		}
		var err error
		m.program, err = Open(Options{Home: m.own, UserHome: m.home, Cache: m.cache, Sources: []sources.Source{claudecode.Source{}}, Warn: func(err error) { m.Error(err) }})
		m.must(err)
	}
	m.must(m.program.Scan(t.Context(), false, nil))
	for name, turns := range m.files {
		if _, err := os.Stat(m.path(name)); err == nil {
			m.known[name] = slices.Clone(turns)
		}
	}
}

// check compares what is counted with what was answered.
func (m *copyist) check(t *testing.T) {
	t.Helper()
	want, answers, failed := int64(0), 0, 0
	seen, asked, compacted := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, turns := range m.known {
		for i := range turns {
			n := turns[i].n
			if turns[i].compact {
				// One without its summary is none until something hangs below it.
				goneOn := m.parents && i+1 < len(turns) && !turns[i+1].compact
				if !turns[i].bare || goneOn {
					compacted[n] = true
				}
				continue
			}
			if question := turns[i].asked; question != nil {
				n = question.n
			}
			if !turns[i].unasked {
				asked[n] = true
			}
			n = turns[i].n
			if !seen[n] && !turns[i].open {
				seen[n] = true
				want += 1 << n
				answers++
				if n%3 == 0 {
					failed++
				}
			}
		}
	}
	s, err := m.program.Statistics(t.Context(), StatisticsOptions{Over: "model", Today: "2026-02-01"})
	m.must(err)
	in := func(total *Total) (n int64) {
		if total.Input != nil {
			n = *total.Input
		}
		return n
	}
	sums := map[string]int64{"all": in(&s.Totals)}
	for _, one := range s.Models {
		sums["models"] += in(&one.Total)
	}
	for _, one := range s.Projects {
		sums["projects"] += in(&one.Total)
	}
	for _, one := range s.Days {
		sums["days"] += in(&one.Total)
	}
	for _, one := range s.Course.All {
		sums["course"] += in(&one.Total)
	}
	for name, sum := range sums {
		if sum != want {
			m.Errorf("%s: %b tokens, not %b", name, sum, want)
		}
	}
	for _, tool := range s.Tools {
		if tool.Calls != answers || tool.Errors != failed {
			m.Errorf("%d calls, %d of which failed, not %d and %d", tool.Calls, tool.Errors, answers, failed)
		}
	}
	l, err := m.program.Ledger(t.Context(), LedgerOptions{})
	m.must(err)
	if l.Total-l.Copied != s.Totals.Compactions {
		m.Errorf("%d compactions in the ledger, %d of them copied, and %d counted", l.Total, l.Copied, s.Totals.Compactions)
	}
	if s.Totals.Prompts != len(asked) || s.Totals.Messages != len(asked)+2*answers {
		m.Errorf("%d questions and %d messages of %d and %d answers", s.Totals.Prompts, s.Totals.Messages, len(asked), answers)
	}
	if s.Totals.Compactions != len(compacted) {
		m.Errorf("%d compactions, of %d", s.Totals.Compactions, len(compacted))
	}
}

// lists is what a list says of each session that is there.
func (m *copyist) lists(t *testing.T, b *Backend) map[string]string {
	list, err := b.List(t.Context(), ListOptions{})
	m.must(err)
	out := map[string]string{}
	for i := range list {
		if s := &list[i]; !s.Gone {
			out[s.ID] = fmt.Sprint(*cmp.Or(s.Parent, new(string)), *cmp.Or(s.Relation, new(string)), *s.MessageCount, *s.Compactions)
		}
	}
	return out
}

// compare has a new program look at the same files: where the index knows no others, lists and sums are the same.
func (m *copyist) compare(t *testing.T) {
	for name := range m.known {
		if _, err := os.Stat(m.path(name)); err != nil {
			return
		}
	}
	list, err := m.program.List(t.Context(), ListOptions{})
	m.must(err)
	if slices.ContainsFunc(list, func(s Session) bool { return s.Gone }) { // a file was a session of its own while that which its rows name was not there
		return
	}
	cache, err := os.MkdirTemp(t.TempDir(), "")
	m.must(err)
	other, err := Open(Options{Home: m.own, UserHome: m.home, Cache: cache, Sources: []sources.Source{claudecode.Source{}}, Warn: func(err error) { m.Error(err) }})
	m.must(err)
	defer other.Close()
	m.must(other.Scan(t.Context(), false, nil))
	told := []string{}
	for _, b := range []*Backend{m.program, other} {
		stats, err := b.Statistics(t.Context(), StatisticsOptions{Over: "project", Today: "2026-02-01"})
		m.must(err)
		ledger, err := b.Ledger(t.Context(), LedgerOptions{})
		m.must(err)
		text, err := json.Marshal([]any{stats, ledger, m.lists(t, b)})
		m.must(err)
		told = append(told, string(text))
	}
	if told[0] != told[1] {
		m.Errorf("%s\nnot\n%s", told[0], told[1])
	}
}

// TestCopiesOfAnyShapeCountOnce: whatever of which session stands in which other file, whether that says so or not, and whatever comes first or
// goes meanwhile: what the sessions there are took together is what each answer took, once.
func TestCopiesOfAnyShapeCountOnce(t *testing.T) {
	drawn.Few(t, func(r *rapid.T) {
		home, err := os.MkdirTemp(t.TempDir(), "")
		m := &copyist{T: r, home: home, own: t.TempDir(), files: map[string][]exchange{}}
		m.request = rapid.SampledFrom([]string{`"requestId":"req_%d",`, `"requestRef":"ref_%d",`, numberless}).Draw(r, "request")
		m.later = m.request != numberless && rapid.Bool().Draw(r, "later")
		m.parents = rapid.Bool().Draw(r, "parents")
		m.before = rapid.SampledFrom([]string{"", "x0"}).Draw(r, "before the first")
		m.must(err)
		defer func() { m.program.Close() }()
		for range rapid.IntRange(1, 5).Draw(r, "rounds") {
			for range rapid.IntRange(1, 3).Draw(r, "changes") {
				m.change()
			}
			m.scan(t)
			m.check(t)
		}
		m.compare(t)
	})
}
