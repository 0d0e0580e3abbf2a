package gemini

import (
	"slices"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestHowCommandsEnd: what a command says itself is no ending while its own follows.
func TestHowCommandsEnd(t *testing.T) {
	for text, want := range map[string]bool{
		"<untrusted_context>\nOutput: no such file\nExit Code: 2\nProcess Group PGID: 22829\n</untrusted_context>": true,
		"Command: x\nOutput: y\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)":              false,
		"Command: x\nOutput: y\nExit Code: (none)\nSignal: SIGKILL\nBackground PIDs: (none)":                       true,
		"Output: y\nSignal: 9\nProcess Group PGID: 1":                                                              true,
		"Output: z\nExit Code: -1":                               true,
		"Output: a\nExit Code: 1\nb\nExit Code: 0":               false,
		"Output: a\nExit Code: 0\nb\nExit Code: 127":             true,
		"Output: Exit Code: 3 is what it says\nSignal: to noise": false,
		"": false,
	} {
		if ended(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// TestCallsAndResultsInAnyForm: a message may have some calls only among its parts, and a result may be a text, beside which stands what the
// person was shown of it. The model has all of the calls, and the text.
func TestCallsAndResultsInAnyForm(t *testing.T) {
	said := func(content, calls string) string {
		return head + `{"id":"u1","timestamp":"2026-01-02T10:00:01.000Z","type":"user","content":[{"text":"go"}]}` + "\n" +
			`{"id":"g1","timestamp":"2026-01-02T10:00:02.000Z","type":"gemini","content":[` + content + `],"toolCalls":[` + calls + `]}` + "\n"
	}
	const response = `"result":[{"functionResponse":{"id":"c1","name":"ls","response":{"output":"a.txt"}}}]`
	for name, c := range map[string]struct {
		content, calls string
		want           []string
	}{
		"only among the parts": {
			`{"text":"two"},{"functionCall":{"id":"c1","name":"ls","args":{}}},{"functionCall":{"id":"c2","name":"cat","args":{"path":"a"}}}`,
			`{"id":"c1","name":"ls","args":{},"status":"success",` + response + `}`,
			[]string{"user: go", "assistant: two | ls{} | cat{\"path\":\"a\"}", "toolResult: a.txt", "toolResult: [no result: interrupted]"},
		},
		"without an id": {
			`{"functionCall":{"name":"ls","args":{"b":1,"a":2}}},{"functionCall":{"name":"ls","args":{}}}`,
			`{"id":"c1","name":"ls","args":{"a":2,"b":1},"status":"success",` + response + `}`,
			[]string{"user: go", "assistant: ls{\"a\":2,\"b\":1} | ls{}", "toolResult: a.txt", "toolResult: [no result: interrupted]"},
		},
		"a text for a result": {
			"", `{"id":"c1","name":"ls","args":{},"status":"success","result":"a.txt","resultDisplay":"Listed 1 item."}`,
			[]string{"user: go", "assistant: ls{}", "toolResult: a.txt"},
		},
		"texts for a result": {
			"", `{"id":"c1","name":"ls","args":{},"status":"success","result":[{"text":"a.txt"},"b.txt"],"resultDisplay":"Listed 2 items."}`,
			[]string{"user: go", "assistant: ls{}", "toolResult: a.txt | b.txt"},
		},
		"nothing for a result": {
			"", `{"id":"c1","name":"ls","args":{},"status":"error","result":[],"resultDisplay":"It was stopped."}`,
			[]string{"user: go", "assistant: ls{}", "toolResult: It was stopped."},
		},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{chats + "session-1-s1.jsonl": said(c.content, c.calls)}))
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if got := r.View(t); r.Err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v %q", name, r.Err, got)
		}
	}
}
