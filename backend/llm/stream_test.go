package llm

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/record"
)

func TestAnswerIsHandedOnAsItComes(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    Answer
		handed  []string
	}{
		"text": {
			events(`{"choices":[{"delta":{"role":"assistant","content":null}}]}`, say("Hel"), say("lo"), finish("stop")),
			Answer{Text: "Hello", Stop: StopEnd, Model: "m-1"},
			[]string{"text:Hel", "text:lo"},
		},
		"thinking under three names": {
			events(`{"choices":[{"delta":{"reasoning_content":"a"}}]}`, `{"choices":[{"delta":{"reasoning":"b"}}]}`,
				`{"choices":[{"delta":{"thinking":"c"}}]}`, `{"choices":[{"delta":{"reasoning":"d","reasoning_content":"d"}}]}`, finish("stop")),
			Answer{Thinking: "abcd", Stop: StopEnd},
			[]string{"thinking:a", "thinking:b", "thinking:c", "thinking:d"},
		},
		"usage in a chunk without choices": {
			events(say("x"), finish("stop"), `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4}}}`),
			Answer{Text: "x", Stop: StopEnd, Model: "m-1", Usage: &record.Usage{Input: 6, Output: 3, CacheRead: 4}},
			[]string{"text:x"},
		},
		"usage with the last, null before": {
			events(`{"choices":[{"delta":{"content":"x"}}],"usage":null}`, `{"choices":[{"delta":{},"finish_reason":"eos"}],"usage":{"prompt_tokens":10,"completion_tokens":3,"prompt_tokens_details":null}}`),
			Answer{Text: "x", Stop: StopEnd, Usage: &record.Usage{Input: 10, Output: 3}},
			[]string{"text:x"},
		},
		"cut for length":               {events(say("x"), finish("length")), Answer{Text: "x", Stop: StopLength, Model: "m-1"}, []string{"text:x"}},
		"no end marker":                {raw("data: " + say("x") + "\n\ndata: " + finish("stop") + "\n\n"), Answer{Text: "x", Stop: StopEnd, Model: "m-1"}, []string{"text:x"}},
		"no newline at the end":        {raw("data: " + say("x") + "\n\ndata: " + finish("stop")), Answer{Text: "x", Stop: StopEnd, Model: "m-1"}, []string{"text:x"}},
		"cut off behind its end":       {torn("data: " + say("x") + "\n\ndata: " + finish("stop") + "\n\ndata: {"), Answer{Text: "x", Stop: StopEnd, Model: "m-1"}, []string{"text:x"}},
		"no space, CR, other fields":   {raw("id: 1\r\nevent: message\r\nretry: 5\r\ndata:" + say("x") + "\r\n\r\ndata:" + finish("stop") + "\r\n\r\n"), Answer{Text: "x", Stop: StopEnd, Model: "m-1"}, []string{"text:x"}},
		"an error that is null":        {events(`{"error":null,"choices":[{"delta":{"content":"x"}}]}`, finish("stop")), Answer{Text: "x", Stop: StopEnd}, []string{"text:x"}},
		"a refusal":                    {events(`{"choices":[{"delta":{"refusal":"I won't"}}]}`, finish("stop")), Answer{Text: "I won't", Stop: StopEnd}, []string{"text:I won't"}},
		"parts, as Mistral has them":   {events(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"x"}]}}]}`, finish("stop")), Answer{Text: "x", Thinking: "hm", Stop: StopEnd}, []string{"thinking:hm", "text:x"}},
		"a server that doesn't stream": {raw("\n{\n \"model\":\"m-2\",\"choices\":[{\"message\":{\"content\":\"x\"},\n\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}\n"), Answer{Text: "x", Stop: StopEnd, Model: "m-2", Usage: &record.Usage{Input: 1, Output: 1}}, []string{"text:x"}},
		"a byte order mark":            {raw("\uFEFFdata: " + say("x") + "\n\ndata: " + finish("stop") + "\n\n"), Answer{Text: "x", Stop: StopEnd, Model: "m-1"}, []string{"text:x"}},
		"an unknown end":               {events(say("x"), finish("weary")), Answer{Text: "x", Stop: StopEnd, Model: "m-1"}, []string{"text:x"}},
		"tool use without a call":      {events(say("x"), finish("tool_calls")), Answer{Text: "x", Stop: StopEnd, Model: "m-1"}, []string{"text:x"}},
		"unknown and mistyped fields":  {events(`{"x":1,"model":7,"usage":"no","choices":[{"y":{},"delta":{"content":5,"reasoning":{},"tool_calls":"no"},"finish_reason":9}]}`, say("x"), finish("stop")), Answer{Text: "x", Stop: StopEnd, Model: "m-1"}, []string{"text:x"}},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := served(t, c.handler)
			answer, handed, err := asked(t, client, question())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, answer) + cmp.Diff(c.handed, handed); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func calls(pieces string) string { return `{"choices":[{"delta":{"tool_calls":[` + pieces + `]}}]}` }

func TestCallsAreAssembled(t *testing.T) {
	for name, c := range map[string]struct {
		data []string
		want []Call
		stop string
	}{
		"by index, interleaved": {
			[]string{
				calls(`{"index":0,"id":"a","type":"function","function":{"name":"ls","arguments":""}},{"index":1,"id":"b","function":{"name":"cat","arguments":"{\"f\":"}}`),
				calls(`{"index":0,"function":{"arguments":"{}"}}`), calls(`{"index":1,"function":{"arguments":"1}"}}`), finish("tool_calls"),
			},
			[]Call{{"a", "ls", "{}"}, {"b", "cat", `{"f":1}`}},
			StopToolUse,
		},
		"no index: by id, or the last": {
			[]string{
				calls(`{"id":"a","function":{"name":"ls","arguments":"{"}}`), calls(`{"id":"b","function":{"name":"cat","arguments":"{"}}`),
				calls(`{"function":{"arguments":"}"}}`), calls(`{"id":"a","function":{"arguments":"}"}}`), finish("tool_calls"),
			},
			[]Call{{"a", "ls", "{}"}, {"b", "cat", "{}"}},
			StopToolUse,
		},
		"neither index nor id": {
			[]string{calls(`{"function":{"name":"ls","arguments":"{}"}},{"function":{"name":"ls","arguments":"{}"}}`), finish("tool_calls")},
			[]Call{{"call_1", "ls", "{}"}, {"call_2", "ls", "{}"}},
			StopToolUse,
		},
		"made-up ids stay clear of real ones": {
			[]string{calls(`{"index":0,"function":{"name":"ls"}},{"index":1,"id":"call_1","function":{"name":"ls"}}`), finish("tool_calls")},
			[]Call{{"call_2", "ls", "{}"}, {"call_1", "ls", "{}"}},
			StopToolUse,
		},
		"all with index 0": {
			[]string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}`), calls(`{"index":0,"id":"b","function":{"name":"ls","arguments":"{}"}}`), finish("stop")},
			[]Call{{"a", "ls", "{}"}, {"b", "ls", "{}"}},
			StopToolUse,
		},
		"name and id with every piece": {
			[]string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{"}}`), calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"}"}}`), finish("stop")},
			[]Call{{"a", "ls", "{}"}},
			StopToolUse,
		},
		"arguments that are an object": {
			[]string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":{"f":1}}}`), finish("tool_calls")},
			[]Call{{"a", "ls", `{"f":1}`}},
			StopToolUse,
		},
		"arguments that are none": {
			[]string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"f\": \"é"}},{"index":1,"id":"b","function":{"name":"ls","arguments":"[1]"}}`), finish("tool_calls")},
			[]Call{{"a", "ls", `{"_raw":"{\"f\": \"é"}`}, {"b", "ls", `{"_raw":"[1]"}`}},
			StopToolUse,
		},
		"cut for length": {
			[]string{calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{"}}`), finish("length")},
			[]Call{{"a", "ls", `{"_raw":"{"}`}},
			StopLength,
		},
		"the old way": {
			[]string{`{"choices":[{"delta":{"function_call":{"name":"ls","arguments":"{"}}}]}`, `{"choices":[{"delta":{"function_call":{"arguments":"}"}}}]}`, finish("function_call")},
			[]Call{{"call_1", "ls", "{}"}},
			StopToolUse,
		},
		"an end without a reason": {
			[]string{`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}]},"finish_reason":""}]}`},
			[]Call{{"a", "ls", "{}"}},
			StopToolUse,
		},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := served(t, events(c.data...))
			answer, handed, err := asked(t, client, question())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, answer.Calls); diff != "" || answer.Stop != c.stop {
				t.Errorf("stop %q\n%s", answer.Stop, diff)
			}
			for i, call := range c.want {
				if want := "call:" + call.ID + ":" + call.Name + ":" + call.Arguments; i >= len(handed) || handed[i] != want {
					t.Errorf("handed on %q, want %q at %d", handed, want, i)
				}
				if !json.Valid([]byte(call.Arguments)) {
					t.Errorf("no JSON: %s", call.Arguments)
				}
			}
		})
	}
}

func TestAnswerThatIsNotWholeIsAnError(t *testing.T) {
	open := calls(`{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}`)
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		class   Class
		says    string
	}{
		"no reason":                {events(say("so far")), ClassNetwork, "broke off"},
		"no reason, empty":         {events(say("so far"), finish("")), ClassNetwork, "broke off"},
		"a call without an end":    {events(say("so far"), open), ClassNetwork, "broke off"},
		"cut off":                  {torn("data: " + say("so far") + "\n\ndata: {\"choices\""), ClassNetwork, "broke off"},
		"cut off behind a call":    {torn("data: " + say("so far") + "\n\ndata: " + open + "\n\n"), ClassNetwork, "broke off"},
		"garbage":                  {events(say("so far"), `{"choices":[{"delta":{"content":"x"`, finish("stop")), ClassNetwork, "not a JSON object"},
		"no object":                {events(say("so far"), `42`, finish("stop")), ClassNetwork, "not a JSON object"},
		"no reason, no marker":     {raw("data: " + say("so far") + "\n\ndata: " + open + "\n\ndata: " + finish("") + "\n\n"), ClassNetwork, "broke off"},
		"the filter's":             {events(say("so far"), finish("content_filter")), ClassRefused, "filter"},
		"the server's error":       {events(say("so far"), finish("error")), ClassNetwork, "error"},
		"a call without a name":    {events(say("so far"), calls(`{"index":0,"id":"a","function":{"arguments":"{}"}}`), finish("tool_calls")), ClassRefused, "without naming it"},
		"llama.cpp's field":        {raw("data: " + say("so far") + "\n\nerror: {\"code\":500,\"message\":\"slot lost\"}\n\n"), ClassNetwork, "slot lost"},
		"an error without newline": {raw(": hold on\n\ndata: " + say("so far") + "\n\ndata: {\"error\":{\"message\":\"lost\"}}"), ClassNetwork, "lost"},
	} {
		t.Run(name, func(t *testing.T) {
			client, w := served(t, c.handler)
			answer, handed, err := asked(t, client, question())
			wantError(t, err, c.class, c.says)
			if answer.Text != "so far" || answer.Stop != "" || answer.Calls != nil {
				t.Errorf("answer %+v", answer)
			}
			if len(handed) != 1 || len(w.list) != 0 {
				t.Errorf("handed on %q, waited %v: asked again though something was handed on", handed, w.list)
			}
		})
	}
}

func TestPageInPlaceOfAnAnswer(t *testing.T) {
	client, w := served(t, raw("\n<!DOCTYPE html><html>secret of the house</html>"))
	_, _, err := asked(t, client, question())
	wantError(t, err, ClassRefused, "answered with a page, not with JSON: is the address right?")
	if strings.Contains(err.Error(), "secret") || len(w.list) > 0 {
		t.Errorf("shows the page or asks again: %v", err)
	}
	client, _ = served(t, raw(`{"error":{"message":"model not loaded","code":404}}`))
	_, _, err = asked(t, client, question())
	wantError(t, err, ClassRefused, `no model "m"`)
}

func TestLongThinkOfCommentsOnly(t *testing.T) {
	client, _ := served(t, raw(strings.Repeat(": keep-alive\n\n", 5_000)+"data: "+say("x")+"\n\ndata: "+finish("stop")+"\n\n"))
	if answer, _, err := asked(t, client, question()); err != nil || answer.Text != "x" {
		t.Fatal(answer, err)
	}
}

func TestPieceOfManyMegabytes(t *testing.T) {
	long := strings.Repeat("x", 9<<20)
	client, _ := served(t, events(say(long), finish("stop")))
	if answer, _, err := asked(t, client, question()); err != nil || answer.Text != long {
		t.Fatal(len(answer.Text), err)
	}
}

type endless struct{}

var block = strings.Repeat("x", 64<<10)

func (endless) Read(p []byte) (int, error) { return copy(p, block), nil }

func TestPieceIsBounded(t *testing.T) {
	for _, begin := range []string{"data: ", "{"} {
		stream := newEventStream(io.NopCloser(io.MultiReader(strings.NewReader(begin), endless{})))
		if _, err := io.Copy(io.Discard, stream); !errors.Is(err, errPiece) {
			t.Errorf("%q: %v", begin, err)
		}
	}
}

func TestRequestOnTheWire(t *testing.T) {
	var body map[string]any
	client, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/chat/completions" {
			t.Error(r.URL.Path, err)
		}
		events(finish("stop"))(w, r)
	})
	r := question()
	r.System, r.MaxTokens, r.ReasoningEffort = "be brief", 7, "low"
	r.Tools = []Tool{{Name: "ls", Description: "lists", Parameters: json.RawMessage(`{"type":"object","x":1}`)}, {Name: "pwd"}}
	if _, _, err := asked(t, client, r); err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_tokens":7,"reasoning_effort":"low",
		"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hello"}],
		"tools":[{"type":"function","function":{"name":"ls","description":"lists","parameters":{"type":"object","x":1}}},
			{"type":"function","function":{"name":"pwd","parameters":{"type":"object","properties":{}}}}]}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
	body = nil
	if _, _, err := asked(t, client, question()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"max_tokens", "max_completion_tokens", "reasoning_effort", "tools"} {
		if _, ok := body[name]; ok {
			t.Errorf("%s is sent though not asked for", name)
		}
	}
}

func TestToolThatIsNoJSONIsRefusedUnasked(t *testing.T) {
	client := New(Endpoint{BaseURL: "http://127.0.0.1:1/v1"}, Options{HTTP: refusing{t}})
	r := question()
	r.Tools = []Tool{{Name: "ls", Parameters: json.RawMessage(`{`)}}
	_, err := client.Stream(t.Context(), r, nil)
	wantError(t, err, ClassRefused, "making the request")
}

func TestSizeOfTheAnswerUnderTheNameThatIsKnown(t *testing.T) {
	for _, c := range []struct {
		model    string
		own, new bool
	}{{"llama", false, false}, {"gpt-4o", true, true}, {"o3-mini", false, true}, {"gpt-5", false, true}} {
		r := build(Request{Model: c.model, MaxTokens: 7}, nil, c.own)
		old, now := r.MaxTokens, r.MaxCompletionTokens //nolint:staticcheck // the old name is what is tested
		if (now == 7) != c.new || (old == 7) == c.new {
			t.Errorf("%s: max_tokens %d, max_completion_tokens %d", c.model, old, now)
		}
	}
}
