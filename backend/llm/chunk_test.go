package llm

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/record"
)

func TestUsageIsRead(t *testing.T) {
	for in, want := range map[string]*record.Usage{
		`null`: nil, `{}`: nil, `7`: nil, `{"prompt_tokens":0,"completion_tokens":0}`: nil,
		`{"prompt_tokens":-5,"completion_tokens":1e300}`:                                                               nil,
		`{"prompt_tokens":"5","completion_tokens":2}`:                                                                  {Output: 2},
		`{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":9}}`:                        {CacheRead: 5, Output: 2},
		`{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":2},"x":[1]}`:                {Input: 3, CacheRead: 2, Output: 2},
		`{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":2,"cache_write_tokens":4}}`: {Input: 3, CacheRead: 2, CacheWrite: 4, Output: 2},
		`{"prompt_tokens":9,"completion_tokens":2,"cache_creation_input_tokens":50}`:                                   {CacheWrite: 9, Output: 2},
	} {
		ch, err := decodeChunk([]byte(`{"choices":[],"usage":` + in + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, ch.usage); diff != "" {
			t.Errorf("%s:\n%s", in, diff)
		}
	}
}

// FuzzChunk holds any line, and any three of it, to what the callers rely on: no panic, text that is text, counts that
// are counts, calls whose arguments are JSON objects.
func FuzzChunk(f *testing.F) {
	for _, seed := range []string{
		say("x"), finish("stop"), finish(""), calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}`),
		calls(`{"index":-1,"function":{"name":"ls","arguments":{}}}`), calls(`{"index":1e99,"function":7},8`),
		`{"error":{"message":"m","code":"429","metadata":{"raw":"r"}}}`, `{"error":"x"}`, `{"object":"error","message":["a"]}`,
		`{"choices":[{"message":{"content":[{"type":"text","text":"x"},{"type":"thinking","thinking":[{"type":"text","text":"y"}]}],"function_call":{"name":"n"}}}]}`,
		`{"choices":{"0":{"delta":[]}},"usage":{"prompt_tokens":1e400}}`, `{"choices":[{"delta":{"content":"\ud800"}}]}`, "{\"model\":\"\xff\"}", `[]`, `{`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ch, err := decodeChunk(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Error("garbage was taken")
		}
		for _, s := range []string{ch.text, ch.thinking, ch.model, ch.finish} {
			if !utf8.ValidString(s) {
				t.Errorf("%q is no text", s)
			}
		}
		if u := ch.usage; u != nil && (u.Input < 0 || u.Output < 0 || u.CacheRead < 0 || u.Input+u.Output+u.CacheRead == 0) {
			t.Errorf("usage %+v", *u)
		}
		handed := 0
		c := collector{on: func(Delta) { handed++ }}
		for range 3 {
			c.add(ch)
		}
		answer, failure := c.whole()
		if failure != nil {
			return
		}
		ids := map[string]bool{}
		for _, call := range answer.Calls {
			if call.Name == "" || call.ID == "" || !isObject(call.Arguments) {
				t.Errorf("call %+v", call)
			}
			ids[call.ID] = true
		}
		if len(answer.Calls) > 0 != (answer.Stop == StopToolUse) && answer.Stop != StopLength {
			t.Errorf("stop %q with %d calls", answer.Stop, len(answer.Calls))
		}
	})
}
