package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
)

// bytewise sends a stream byte by byte, so that every character and every word of it is cut somewhere.
func bytewise(q *modeltest.Asked, stream string) {
	for i := range len(stream) {
		q.Bytes(stream[i : i+1])
	}
	q.Close()
}

const finished = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"

func deltas(pieces ...string) string {
	var out strings.Builder
	for _, piece := range pieces {
		fmt.Fprintf(&out, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", piece)
	}
	return out.String()
}

// TestWhatServersDo has one decided result for each thing that a server may do to a turn: what is in the log, how the turn
// ended, and how often it was asked.
func TestWhatServersDo(t *testing.T) {
	const slow = `{"error":{"message":"Slower"}}`
	fail := func(status int, body string, headers ...string) func(*modeltest.Asked) {
		return func(q *modeltest.Asked) { q.Fail(status, body, headers...) }
	}
	fine := func(q *modeltest.Asked) { q.Answer("fine") }
	repeat := func(n int, f func(*modeltest.Asked)) []func(*modeltest.Asked) {
		return slices.Repeat([]func(*modeltest.Asked){f}, n)
	}
	for name, c := range map[string]struct {
		script []func(*modeltest.Asked)
		log    []string // after the user's message
		status string
		says   string
	}{
		"characters and words that are cut": {[]func(*modeltest.Asked){func(q *modeltest.Asked) {
			bytewise(q, ": hello\n\n"+deltas("héllo ", "語", "🎉")+finished)
		}}, []string{"assistant: héllo 語🎉"}, StatusOK, ""},
		"several deltas in one chunk": {[]func(*modeltest.Asked){func(q *modeltest.Asked) {
			q.Bytes(deltas("a", "b", "c") + finished).Close()
		}}, []string{"assistant: abc"}, StatusOK, ""},
		"comments that keep it alive": {[]func(*modeltest.Asked){func(q *modeltest.Asked) {
			q.Bytes(": PROCESSING\n\n").Bytes(": PROCESSING\n\n" + deltas("x")).Bytes(":\n\n" + finished).Close()
		}}, []string{"assistant: x"}, StatusOK, ""},
		"arguments byte by byte": {[]func(*modeltest.Asked){func(q *modeltest.Asked) {
			q.Call(0, "c", "look", "")
			for _, b := range `{"a":"é"}` {
				q.Send(fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":%q}}]}}]}`, string(b)))
			}
			q.End("tool_calls")
		}, fine}, []string{"assistant/toolUse: look()", `toolResult/c: look {"a":"é"}`, "assistant: fine"}, StatusOK, ""},
		"429 with Retry-After": {[]func(*modeltest.Asked){fail(429, slow, "Retry-After", "2"), fine}, []string{"assistant: fine"}, StatusOK, ""},
		"429 for ever":         {repeat(6, fail(429, slow)), []string{"assistant/error: "}, StatusError, "Slower"},
		"429, far too long":    {[]func(*modeltest.Asked){fail(429, slow, "Retry-After", "86400")}, []string{"assistant/error: "}, StatusError, "too long"},
		"500, then not":        {[]func(*modeltest.Asked){fail(500, `{"error":{"message":"oops"}}`), fail(503, ""), fine}, []string{"assistant: fine"}, StatusOK, ""},
		"500 for ever":         {repeat(6, fail(500, `{"error":{"message":"oops"}}`)), []string{"assistant/error: "}, StatusError, "oops"},
		"cut before anything":  {[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.Bytes(": hello\n\n").Break() }, fine}, []string{"assistant: fine"}, StatusOK, ""},
		"cut in the middle":    {[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.Say("half an").Break() }}, []string{"assistant/error: half an"}, StatusError, "broke off"},
		"cut behind a call": {
			[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.Say("I look").Call(0, "c", "look", "{}").Break() }},
			[]string{"assistant/error: I look"},
			StatusError, "broke off",
		},
		"stalled": {
			[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.Say("half an").Gone(); q.Close() }},
			[]string{"assistant/error: half an"},
			StatusError, "sent nothing more for",
		},
		"a page": {[]func(*modeltest.Asked){fail(404, "<html><body>Not here</body></html>")}, []string{"assistant/error: "}, StatusError, "with a page, not with JSON"},
		"a page that is fine": {
			[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.Bytes("<html><body>Welcome</body></html>").Close() }},
			[]string{"assistant/error: "},
			StatusError, "is the address right?",
		},
		"no usage":         {[]func(*modeltest.Asked){fine}, []string{"assistant: fine"}, StatusOK, ""},
		"no finish_reason": {[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.Say("is that all").Send("[DONE]").Close() }}, []string{"assistant/error: is that all"}, StatusError, "broke off"},
		"ids twice": {[]func(*modeltest.Asked){func(q *modeltest.Asked) {
			q.Call(0, "c", "look", `{"n":1}`).Call(1, "c", "look", `{"n":2}`).End("tool_calls")
		}, fine}, []string{"assistant/toolUse: look()|look()", `toolResult/c: look {"n":1}`, `toolResult/c: look {"n":2}`, "assistant: fine"}, StatusOK, ""},
		"a tool that is not there": {
			[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.Call(0, "c", "fly", "{}").End("tool_calls") }, fine},
			[]string{"assistant/toolUse: fly()", `toolResult/c!: there is no tool "fly"`, "assistant: fine"},
			StatusOK, "",
		},
		"arguments that are no JSON": {
			[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.Call(0, "c", "look", `{"n":`).End("tool_calls") }, fine},
			[]string{"assistant/toolUse: look()", `toolResult/c: look {"_raw":"{\"n\":"}`, "assistant: fine"},
			StatusOK, "",
		},
		"nothing at all": {[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.End("stop") }}, []string{"assistant: "}, StatusOK, ""},
		"stopped for length": {
			[]func(*modeltest.Asked){func(q *modeltest.Asked) { q.Say("far too").Call(0, "c", "look", `{"n`).End("length") }},
			[]string{"assistant/length: far too"},
			StatusOK, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.choice.Asker = llm.New(llm.Endpoint{BaseURL: r.server.URL}, llm.Options{
				Idle:  idleFor(name),
				Sleep: func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) },
			})
			r.tools = toolFunc(func(_ context.Context, call llm.Call) Result {
				if call.Name != "look" {
					return Result{Text: fmt.Sprintf("there is no tool %q", call.Name), IsError: true}
				}
				return Result{Text: "look " + call.Arguments}
			})
			sent := r.say("go on")
			for _, play := range c.script {
				play(r.server.Next())
			}
			done := r.done(sent.TurnID)
			if done.Status != c.status || c.says != "" && (done.Error == nil || !strings.Contains(done.Error.Message, c.says)) {
				t.Errorf("%+v %+v", done, done.Error)
			}
			r.server.Silent()
			r.wantLog(append([]string{"user: go on"}, c.log...)...)
			r.wantValid("and on")
		})
	}
}

// idleFor is long but for who waits for it.
func idleFor(name string) time.Duration {
	if name == "stalled" {
		return 50 * time.Millisecond
	}
	return modeltest.Deadline
}
