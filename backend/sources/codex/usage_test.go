package codex

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/record"
	"palimpsest/backend/sources/sourcetest"
)

// TestCompactionTells: the size before is that of the last request but the one for the summary.
func TestCompactionTells(t *testing.T) {
	r := read(t, envelope(0, header(id, ""), settings, item(user("one")), item(says("A")), tokens(900, 1), tokens(20, 2), `compacted {"message":"S"}`, item(says("B")), tokens(30, 3)))
	var c *record.Compaction
	for _, rec := range r.Records {
		if rec.Compaction != nil {
			c = rec.Compaction
		}
	}
	if c == nil || c.TokensBefore != 902 || c.Summary != "S" || c.ActiveModel == nil || c.ActiveModel.Model != "m" || !strings.Contains(string(r.Log), `"usage":{"input":19,`) {
		t.Errorf("%+v\n%s", c, r.Log)
	}
	if got := usages(r); got != "899+1+2 29+1+2" {
		t.Error(got)
	}
}

// TestOpaqueSummary: what only the provider can read is marked, and never text.
func TestOpaqueSummary(t *testing.T) {
	r := read(t, envelope(0, header(id, ""), item(user("one")), `compacted {"message":"","replacement_history":[{"type":"compaction","encrypted_content":"SECRET"}]}`))
	if !bytes.Contains(r.Log, []byte(`"opaque":true`)) || bytes.Contains(r.Log, []byte("SECRET")) {
		t.Errorf("%s", r.Log)
	}
}

func usages(r *sourcetest.Reading) string {
	var out []string
	for _, rec := range r.Records {
		if m := rec.Message; m != nil && m.Role == record.RoleAssistant {
			if m.Usage == nil {
				out = append(out, "-")
			} else {
				out = append(out, fmt.Sprintf("%d+%d+%d", m.Usage.Input, m.Usage.CacheRead, m.Usage.Output))
			}
		}
	}
	return strings.Join(out, " ")
}

func tokens(input, total int) string {
	return fmt.Sprintf(`event_msg {"type":"token_count","info":{"total_token_usage":{"total_tokens":%d},"last_token_usage":{"input_tokens":%d,"cached_input_tokens":1,"output_tokens":2}}}`, total, input)
}

// TestCopiedAnswers: what a fork has copied are the answers that its parent has, and their tokens are that one's.
func TestCopiedAnswers(t *testing.T) {
	for name, lines := range map[string][]string{
		"behind": {item(user("one")), item(says("A")), tokens(10, 1), item(says("B")), tokens(20, 2)},
		"before": {item(user("one")), tokens(10, 1), item(says("A")), tokens(10, 1), tokens(20, 2), item(says("B")), tokens(30, 3)},
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, other), envelope(0, append([]string{header(other, "")}, lines...)...))
		sourcetest.Write(t, env.Home, place, envelope(0, append([]string{header(id, `,"forked_from_id":"`+other+`"`), header(other, "")}, lines...)...)+
			strings.ReplaceAll(envelope(20, item(user("two")), item(says("C")), tokens(40, 4)), ":22:", ":42:"))
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		parent, fork := sourcetest.Read(t, Source{}, env, found[other]), sourcetest.Read(t, Source{}, env, found[id])
		if got, want := strings.Join(fork.View(t), "|"), strings.Join(parent.View(t), "|")+"|user: two|assistant: C"; got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
		if got := usages(fork); got != "- - 39+1+2" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestUsage: each answer's is counted once, whether told before it or behind it, and without what was cached.
func TestUsage(t *testing.T) {
	call := item(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"c"}`)
	result := item(`{"type":"function_call_output","call_id":"c","output":"x"}`)
	reasoning := `event_msg {"type":"agent_reasoning","text":"hm"}`
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"before":   {[]string{tokens(10, 1), call, result, tokens(10, 1), reasoning, tokens(20, 2), item(says("A"))}, "9+1+2 19+1+2"},
		"behind":   {[]string{call, result, tokens(10, 1), item(says("A")), tokens(20, 2)}, "9+1+2 19+1+2"},
		"a record": {[]string{call, `token_usage_record {"usage":{"input_tokens":10,"cached_input_tokens":1,"output_tokens":2}}`, result, tokens(10, 1), item(says("A")), tokens(10, 1)}, "9+1+2 -"},
		"two answers with nothing between, behind": {[]string{item(says("A")), tokens(10, 1), item(says("B")), tokens(20, 2), item(user("two")), item(says("C")), tokens(30, 3)}, "9+1+2 19+1+2 29+1+2"},
		"two answers with nothing between, before": {[]string{tokens(10, 1), item(says("A")), tokens(10, 1), tokens(20, 2), item(says("B")), item(user("two")), tokens(30, 3), item(says("C"))}, "9+1+2 19+1+2 29+1+2"},
		"two answers with nothing between, records": {[]string{
			item(says("A")), `token_usage_record {"usage":{"input_tokens":10,"cached_input_tokens":1,"output_tokens":2}}`, tokens(10, 1),
			item(says("B")), `token_usage_record {"usage":{"input_tokens":20,"cached_input_tokens":1,"output_tokens":2}}`, tokens(20, 2),
		}, "9+1+2 19+1+2"},
		"one answer of several parts, before": {[]string{tokens(10, 1), item(says("A")), call, item(says("B"))}, "9+1+2"},
		"resumed":                             {[]string{header(id, ""), item(says("A")), tokens(10, 1)}, "9+1+2"},
		"zeros":                               {[]string{item(says("A")), `event_msg {"type":"token_count","info":{"total_token_usage":{"total_tokens":9},"last_token_usage":{"input_tokens":0,"output_tokens":0,"total_tokens":9}}}`}, "-"},
		"absurd":                              {[]string{item(says("A")), `event_msg {"type":"token_count","info":{"last_token_usage":{"input_tokens":9e300,"output_tokens":1},"total_token_usage":{"a":1}}}`}, "-"},
		"more than there":                     {[]string{item(says("A")), `event_msg {"type":"token_count","info":{"last_token_usage":{"input_tokens":1,"cached_input_tokens":5,"output_tokens":2}, "total_token_usage":{"a":1}}}`}, "0+5+2"},
	} {
		if got := usages(read(t, envelope(0, append([]string{header(id, ""), item(user("one"))}, c.lines...)...))); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}
