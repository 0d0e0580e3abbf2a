package codex

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestWindow: how large the model's window is the beginning of a turn may say, or a count of tokens: what was noted last counts, and of another model
// it is not known.
func TestWindow(t *testing.T) {
	turn := func(model string) string { return fmt.Sprintf(`turn_context {"model":%q}`, model) }
	begins := func(window string) string { return `event_msg {"type":"task_started"` + window + `}` }
	counted := func(window string) string {
		return `event_msg {"type":"token_count","info":{"total_token_usage":{"total_tokens":1},"last_token_usage":{"input_tokens":10,"output_tokens":2}` + window + `}}`
	}
	const some, more = `,"model_context_window":200`, `,"model_context_window":300`
	call := item(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"c"}`)
	result := item(`{"type":"function_call_output","call_id":"c","output":"x"}`)
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"in a turn's beginning":        {[]string{begins(some), turn("m"), item(says("A")), counted("")}, "m 200, A"},
		"in a count":                   {[]string{turn("m"), item(says("A")), counted(some)}, "m 0, A, m 200"},
		"in a count before the answer": {[]string{turn("m"), counted(some), item(says("A")), counted(some)}, "m 0, m 200, A"},
		"between a call and an answer": {[]string{turn("m"), call, counted(some), result, item(says("A"))}, "m 0, sh, m 200, A"},
		"in both, the same":            {[]string{begins(some), turn("m"), item(says("A")), counted(some)}, "m 200, A"},
		"in both, another":             {[]string{begins(some), turn("m"), item(says("A")), counted(more)}, "m 200, A, m 300"},
		"in the next turn's beginning": {[]string{turn("m"), item(says("A")), counted(some), begins(more), turn("m")}, "m 0, A, m 200, m 300"},
		"the next turn is the same":    {[]string{turn("m"), item(says("A")), counted(some), turn("m"), item(says("B")), counted(some)}, "m 0, A, m 200, B"},
		"counted, in turns that begin": {[]string{begins(""), turn("m"), item(says("A")), counted(some), begins(""), turn("m"), item(says("B")), counted(some)}, "m 0, A, m 200, B"},
		"of another model":             {[]string{turn("m"), item(says("A")), counted(some), turn("n"), item(says("B"))}, "m 0, A, m 200, n 0, B"},
		"nothing that can be":          {[]string{turn("m"), item(says("A")), counted(`,"model_context_window":null`), counted(`,"model_context_window":-1`), counted(`,"model_context_window":"x"`)}, "m 0, A"},
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, envelope(0, append([]string{header(id, ""), item(user("one"))}, c.lines...)...))
		var got []string
		for _, rec := range sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env))).Records {
			switch m := rec.Message; {
			case rec.Model != nil:
				got = append(got, fmt.Sprintf("%s %d", rec.Model.Model, rec.Model.Window))
			case m != nil && m.Role == "assistant":
				got = append(got, m.Content[0].Text+m.Content[0].Name)
			}
		}
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("%s: %s, not %s", name, all, c.want)
		}
	}
}
