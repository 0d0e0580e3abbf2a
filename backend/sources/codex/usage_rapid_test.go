package codex

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources/sourcetest"
)

// turns writes turns as versions of Codex did: what an answer took before its items, behind them, or in a record of its own.
type turns struct {
	*rapid.T
	style string
	lines []string
	// answers and calls are how many there were; total is what all answers took, took what of that is counted as input.
	answers, calls, total, took int
}

func (w *turns) add(lines ...string) { w.lines = append(w.lines, lines...) }

// tell tells what an answer took: each twice as much as all before it, so that a sum says of which it is.
func (w *turns) tell() {
	w.answers++
	input := 1 << w.answers
	w.total, w.took = w.total+input, w.took+input-1 // one of them was cached
	if w.style == "record" {
		w.add(fmt.Sprintf(`token_usage_record {"usage":{"input_tokens":%d,"cached_input_tokens":1,"output_tokens":2}}`, input))
	}
	w.again()
}

// again tells what was told last, as each turn does.
func (w *turns) again() { w.add(tokens(1<<w.answers, w.total)) }

func (w *turns) answer() {
	if w.style == "before" {
		w.add(`event_msg {"type":"agent_message","message":"A"}`)
		w.tell()
	}
	calls := rapid.IntRange(0, 2).Draw(w.T, "calls")
	if calls == 0 || rapid.Bool().Draw(w.T, "says") {
		w.add(item(says("A")))
	}
	var results []string
	for range calls {
		w.calls++
		w.add(item(fmt.Sprintf(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"c%d"}`, w.calls)))
		results = append(results, item(fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"x"}`, w.calls)))
	}
	late := rapid.Bool().Draw(w.T, "behind the results")
	if w.style != "before" && !late {
		w.tell()
	}
	w.add(results...)
	if w.style != "before" && late {
		w.tell()
	}
}

// TestAllTokensAreCounted: of whatever turns, each answer's tokens are counted, and once.
func TestAllTokensAreCounted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &turns{T: rt, style: rapid.SampledFrom([]string{"before", "behind", "record"}).Draw(rt, "style")}
		w.add(header(id, ""), settings)
		for range rapid.IntRange(1, 4).Draw(rt, "turns") {
			w.add(item(user("ask")))
			if w.answers > 0 && rapid.Bool().Draw(rt, "told again") {
				w.again()
			}
			for range rapid.IntRange(1, 3).Draw(rt, "answers") {
				w.answer()
				if rapid.IntRange(0, 5).Draw(rt, "compacts") == 0 {
					w.tell()
					w.add(`compacted {"message":"S"}`)
				}
			}
			w.add(`event_msg {"type":"task_complete"}`)
		}
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, envelope(0, w.lines...))
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		got := 0
		for _, rec := range r.Records {
			if m := rec.Message; m != nil && m.Usage != nil {
				got += m.Usage.Input
			}
			if c := rec.Compaction; c != nil && c.Usage != nil {
				got += c.Usage.Input
			}
		}
		if got != w.took {
			rt.Fatalf("%b tokens, not %b:\n%s\n%s", got, w.took, strings.Join(w.lines, "\n"), r.Story())
		}
	})
}
