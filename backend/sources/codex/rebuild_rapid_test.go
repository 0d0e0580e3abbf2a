package codex

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// did is a line of a file, as Codex takes it when it builds the context.
type did struct {
	line string
	// says is a message, role and text; empty for what is none.
	says string
	// begins and names are the turn that begins with it, and the one that it names.
	begins, names string
	asked         bool
	back          int
	// tells is what a compaction replaces all with, nil for one that does not say, whose summary is sums.
	tells []string
	sums  string
}

// person tells whether Codex takes a message for one of a person, and forTurn for one that it put in for the turn behind it.
func person(says string) bool {
	return strings.HasPrefix(says, "user: ") && !forTurn(says) && !strings.HasPrefix(says, "user: "+summaryFirst)
}

func forTurn(says string) bool {
	return says == "user: "+environment || says == "developer: "+permissions
}

const permissions = "<permissions instructions>none</permissions instructions>"

// naive builds the context as Codex does: it looks backward for the newest compaction that told the context and whose turn was not taken back,
// and does all that is behind it.
//
// Known is false once a rollback took more turns back than there are behind a compaction that stayed. Spent is that compaction once one took as
// many: what a later one that takes that, too, would leave of what was said since can't be told by going back. It is -1 before.
func naive(all []did) (seen []string, known bool, base, spent int) {
	type segment struct {
		turn bool
		told int
		name string
	}
	var active *segment
	base, spent = -1, -1
	back := 0
	in := func() *segment {
		if active == nil {
			active = &segment{told: -1}
		}
		return active
	}
	finish := func() {
		switch {
		case active == nil:
		case back > 0 && active.turn:
			back--
		case back == 0 && base < 0:
			base = active.told
		}
		active = nil
	}
	for i, d := range slices.Backward(all) {
		back += d.back
		switch {
		case d.tells != nil:
			if s := in(); s.told < 0 {
				s.told = i
			}
		case d.sums != "":
			in()
		case d.names != "":
			if s := in(); s.name == "" {
				s.name = d.names
			}
		case d.asked:
			in().turn = true
		case d.says != "":
			s := in()
			s.turn = s.turn || person(d.says)
		case d.begins != "":
			if active != nil && (active.name == "" || active.name == d.begins) {
				finish()
			}
		}
	}
	finish()
	told := 0
	if base >= 0 {
		seen = slices.Clone(all[base].tells)
		told = len(seen)
	}
	known = true
	for _, d := range all[base+1:] {
		switch {
		case d.says != "":
			seen = append(seen, d.says)
		case d.sums != "":
			seen = append(kept(seen), "user: "+d.sums)
		case d.back > 0:
			asked := persons(seen)
			seen = takenBack(seen, d.back)
			known = known && (base < 0 || len(seen) >= told && d.back < asked)
			if base >= 0 && d.back >= asked-persons(all[base].tells) {
				spent = base
			}
		}
	}
	return seen, known, base, spent
}

func persons(seen []string) (n int) {
	for _, says := range seen {
		if person(says) {
			n++
		}
	}
	return n
}

// kept is what an older compaction keeps: what Codex put in, each kind of it once, which it would put in again, and what a person said.
func kept(seen []string) (out []string) {
	for _, once := range []string{"user: " + environment, "developer: " + permissions} {
		if slices.Contains(seen, once) {
			out = append(out, once)
		}
	}
	if len(out) == 2 && slices.Index(reversed(seen), out[0]) < slices.Index(reversed(seen), out[1]) {
		slices.Reverse(out)
	}
	for _, says := range seen {
		if person(says) {
			out = append(out, says)
		}
	}
	return out
}

func reversed(all []string) []string {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

func takenBack(seen []string, turns int) []string {
	var begins []int
	for i, says := range seen {
		if person(says) {
			begins = append(begins, i)
		}
	}
	if len(begins) == 0 {
		return seen
	}
	cut := begins[max(len(begins)-turns, 0)]
	for cut > begins[0] && forTurn(seen[cut-1]) {
		cut--
	}
	return seen[:cut]
}

// writer draws a file.
type writer struct {
	*rapid.T
	all []did
	// told tells that turns are said to begin, n is how many things there were.
	told bool
	n    int
}

func (w *writer) add(d did)             { w.all = append(w.all, d) }
func (w *writer) one(in int) bool       { return rapid.IntRange(1, in).Draw(w.T, "one in") == 1 }
func (w *writer) name(of string) string { w.n++; return fmt.Sprint(of, " ", w.n) }

func (w *writer) say(role, text string) {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	w.add(did{says: role + ": " + text, line: item(fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}`, role, kind, text))})
}

func (w *writer) turn() {
	name := w.name("turn")
	if w.told {
		w.add(did{begins: name, line: fmt.Sprintf(`event_msg {"type":"task_started","turn_id":%q}`, name)})
	}
	if w.one(4) {
		w.say("user", environment)
	}
	if w.one(5) {
		w.say("developer", permissions)
	}
	w.say("user", w.name("ask"))
	if w.one(2) {
		w.add(did{asked: true, line: `event_msg {"type":"user_message","message":"ask"}`})
	}
	for range rapid.IntRange(0, 2).Draw(w.T, "answers") {
		w.say("assistant", w.name("say"))
		if w.one(4) {
			w.compact()
		}
		if w.one(6) { // before the turn is done
			w.say("user", w.name("more"))
		}
	}
	if w.told && !w.one(8) {
		w.add(did{names: name, line: fmt.Sprintf(`event_msg {"type":%q,"turn_id":%q}`, rapid.SampledFrom([]string{"task_complete", "turn_aborted"}).Draw(w.T, "end"), name)})
	}
}

func (w *writer) compact() {
	if w.one(2) {
		sums := w.name("sum")
		if !w.one(3) {
			sums = summaryFirst + sums
		}
		w.add(did{sums: sums, line: fmt.Sprintf(`compacted {"message":%q}`, sums)})
		return
	}
	var tells, items []string
	for range rapid.IntRange(1, 3).Draw(w.T, "kept") {
		text := rapid.SampledFrom([]string{w.name("kept"), environment, summaryFirst + w.name("sum")}).Draw(w.T, "what")
		tells, items = append(tells, "user: "+text), append(items, user(text))
	}
	w.add(did{tells: tells, line: `compacted {"message":"","replacement_history":[` + strings.Join(items, ",") + `]}`})
}

// TestAnyRollbacks: whatever was compacted, by either kind of compaction, and taken back, and in whatever order, the model sees what Codex
// builds of the file, at each line of it.
func TestAnyRollbacks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := writer{T: rt, told: rapid.Bool().Draw(rt, "turns are told")}
		for range rapid.IntRange(1, 9).Draw(rt, "steps") {
			switch {
			case w.one(2):
				w.turn()
			case w.one(2):
				back := rapid.IntRange(1, 4).Draw(rt, "back")
				w.add(did{back: back, line: fmt.Sprintf(`event_msg {"type":"thread_rolled_back","num_turns":%d}`, back)})
			case w.told && !w.one(4):
				name := w.name("turn")
				w.add(did{begins: name, line: fmt.Sprintf(`event_msg {"type":"task_started","turn_id":%q}`, name)})
				w.compact()
				w.add(did{names: name, line: fmt.Sprintf(`event_msg {"type":"task_complete","turn_id":%q}`, name)})
			default:
				w.compact()
			}
		}
		lines := []string{header(id, "")}
		spent := -1
		for i, d := range w.all {
			lines = append(lines, d.line)
			if d.says == "" && d.sums == "" && d.tells == nil && d.back == 0 && i < len(w.all)-1 {
				continue // nothing that the model sees
			}
			r := readInMemory(envelope(0, lines...))
			want, known, base, spentNow := naive(w.all[:i+1])
			if spent >= 0 && base != spent {
				return
			}
			if got := apart(r.View(t)); !slices.Equal(got, apart(want)) {
				rt.Fatalf("\ngot  %q\nwant %q\n%s\n%s", got, apart(want), strings.Join(lines, "\n"), r.Log)
			}
			if !known {
				return
			}
			spent = max(spent, spentNow)
		}
	})
}

// readInMemory reads the lines of a file.
func readInMemory(lines string) *sourcetest.Reading {
	var out bytes.Buffer
	r := newReader(sources.NewLog(agent, id, &out, func([]byte) (string, error) { return "", nil }))
	for line := range strings.Lines(lines) {
		r.numbered(gjson.Parse(line), 0, &copies{}, nil)
	}
	r.flush()
	return &sourcetest.Reading{Log: out.Bytes()}
}

// apart has what is said in one answer, or by the developer, as this program shows it: without who says it.
func apart(seen []string) (out []string) {
	for _, says := range seen {
		_, text, _ := strings.Cut(says, ": ")
		out = append(out, strings.Split(text, " | ")...)
	}
	return out
}
