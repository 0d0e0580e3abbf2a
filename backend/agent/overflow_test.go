package agent

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/modeltest"
	"palimpsest/backend/tokens"
)

// overflows are the words in which servers say that a request is too long.
var overflows = []struct {
	name   string
	status int
	body   string
}{
	{"OpenAI", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
	{"Azure", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens, however you requested 9001 tokens (8001 in your prompt; 1000 for the completion). Please reduce your prompt; or completion length.","type":"invalid_request_error","param":null,"code":null}}`},
	{"llama.cpp", 400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}`},
	{"Ollama", 400, `{"error":{"message":"input length exceeds maximum context length","type":"api_error"}}`},
	{"vLLM", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens. Please reduce the length of the input messages.","type":"BadRequestError","param":null,"code":400}}`},
	{"LM Studio", 400, `{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input"}`},
	{"OpenRouter", 400, `{"error":{"message":"This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens (9000 of text input). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.","code":400}}`},
	{"a proxy", 413, `<html><body>413 Request Entity Too Large</body></html>`},
}

// TestOverflow: whoever says it in whatever words, the context is compacted and the request made once more.
func TestOverflow(t *testing.T) {
	for _, c := range overflows {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t) // for all that is known the window is large
			r.fill(0)
			sent := r.say("go on")
			r.server.Next().Fail(c.status, c.body)
			q := r.summarized()
			if q.Model != "m-1" || !strings.Contains(q.Messages[0].Content, "## Goal") || !strings.HasSuffix(q.Last(), "go on") {
				t.Errorf("%.3000q", q.Dialogue())
			}
			q.Answer("fine")
			events := r.until(KindDone, sent.TurnID)
			if got := compactions(events); got != "started done" {
				t.Error(got)
			}
			if done := data[Done](t, events[len(events)-1]); done.Status != StatusOK {
				t.Errorf("%+v", done)
			}
			lines := linesIn(t, r.store.LogPath(r.id))
			if failed := lines[7]; failed.StopReason != "error" || failed.ErrorMessage == "" {
				t.Errorf("%+v", failed)
			}
			if c := lines[8]; c.RecordType != "compaction" || c.Trigger != "overflow" {
				t.Errorf("%+v", c)
			}
			r.wantValid("after it")
		})
	}
}

// TestOverflowPrunesFirst: where clearing old tool output may be enough, it is tried before a summary is asked for; if it was not,
// the summary comes after all.
func TestOverflowPrunesFirst(t *testing.T) {
	for _, enough := range []bool{true, false} {
		r := newRig(t)
		r.choice.Compaction.Prune = true
		r.output(25_000, 30_000, 15_000, 5_000, 5_000)
		sent := r.say("go on")
		r.server.Next().Fail(overflows[0].status, overflows[0].body)
		want := "pruned"
		if !enough {
			q := r.server.Next()
			if q.ForSummary() || strings.Count(q.Raw, "[tool result cleared: ") != 2 {
				t.Errorf("%.3000s", q.Raw)
			}
			q.Fail(overflows[0].status, overflows[0].body)
			r.server.Next().Answer(summary)
			want = "pruned started done"
		}
		r.server.Next().Answer("fine")
		events := r.until(KindDone, sent.TurnID)
		if got := compactions(events); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if done := data[Done](t, events[len(events)-1]); done.Status != StatusOK {
			t.Errorf("%+v", done)
		}
		r.wantValid("after it")
	}
}

// TestOverflowInTheMiddle of an answer: what came is in the log, and in no later context.
func TestOverflowInTheMiddle(t *testing.T) {
	r := newRig(t)
	r.fill(0)
	sent := r.say("go on")
	r.server.Next().Say("Let me").Send(`{"error":{"message":"Context size has been exceeded.","code":500,"type":"server_error"}}`).Break()
	q := r.summarized()
	if strings.Contains(q.Raw, "Let me") {
		t.Errorf("%.3000s", q.Raw)
	}
	q.Answer("fine")
	r.done(sent.TurnID)
	if got := r.log(); !slices.Contains(got, "assistant/error: Let me") {
		t.Errorf("%.3000q", got)
	}
}

// TestOverflowTwice ends the turn: one compaction, one more request, and no more of them.
func TestOverflowTwice(t *testing.T) {
	r := newRig(t)
	r.fill(0)
	sent := r.say("go on")
	r.server.Next().Fail(overflows[0].status, overflows[0].body)
	r.summarized().Fail(overflows[0].status, overflows[0].body)
	done := r.done(sent.TurnID)
	if done.Status != StatusError || done.Error.Code != "overflow" {
		t.Errorf("%+v", done)
	}
	r.server.Silent()
	if !CanRetry(r.context()) {
		t.Error("can't be tried again")
	}
	r.wantValid("after it")
}

// TestOverflowAfterToolResults: each request of a turn may be made once more.
func TestOverflowAfterToolResults(t *testing.T) {
	r := newRig(t)
	r.tools = looking("seen " + words(3000))
	r.fill(0)
	sent := r.say("look")
	r.server.Next().Call(0, "c0", "look", "{}").End("tool_calls")
	for i := range 2 {
		r.server.Next().Fail(overflows[2].status, overflows[2].body)
		q := r.summarized()
		if i == 1 {
			q.Answer("fine")
			break
		}
		q.Call(0, fmt.Sprint("c", i+1), "look", "{}").End("tool_calls")
	}
	if done := r.done(sent.TurnID); done.Status != StatusOK {
		t.Errorf("%+v", done)
	}
	r.wantValid("after it")
}

// TestOverflowThatCompactingDoesNotCure is told as what it is, and nothing is lost.
func TestOverflowThatCompactingDoesNotCure(t *testing.T) {
	t.Run("nothing to compact", func(t *testing.T) {
		r := newRig(t)
		sent := r.say("hello")
		r.server.Next().Fail(overflows[0].status, overflows[0].body)
		if done := r.done(sent.TurnID); done.Status != StatusError || done.Error.Code != "overflow" {
			t.Errorf("%+v", done)
		}
		r.server.Silent()
	})
	t.Run("no summary", func(t *testing.T) {
		r := newRig(t)
		r.fill(0)
		sent := r.say("hello")
		r.server.Next().Fail(overflows[0].status, overflows[0].body)
		r.server.Next().Fail(http.StatusBadRequest, `{"error":{"message":"no summaries here"}}`)
		events := r.until(KindDone, sent.TurnID)
		if got := compactions(events); got != "started failed" {
			t.Error(got)
		}
		if done := data[Done](t, events[len(events)-1]); done.Status != StatusError || done.Error.Code != "overflow" {
			t.Errorf("%+v", done)
		}
		if len(r.log()) != 8 {
			t.Errorf("%d records", len(r.log()))
		}
	})
	t.Run("compaction is off", func(t *testing.T) {
		r := newRig(t)
		r.choice.Compaction.Auto = false
		r.fill(0)
		sent := r.say("hello")
		r.server.Next().Fail(overflows[0].status, overflows[0].body)
		if done := r.done(sent.TurnID); done.Status != StatusError {
			t.Errorf("%+v", done)
		}
		r.server.Silent()
	})
	t.Run("stopped meanwhile", func(t *testing.T) {
		r := newRig(t)
		r.fill(0)
		sent := r.say("hello")
		r.server.Next().Fail(overflows[0].status, overflows[0].body)
		q := r.server.Next()
		q.Say("## G")
		if _, _, err := r.agent.End(r.id, sent.TurnID); err != nil {
			t.Fatal(err)
		}
		if done := r.done(sent.TurnID); done.Status != StatusAborted {
			t.Errorf("%+v", done)
		}
		q.Gone()
	})
}

// TestThrottlingIsNotOverflow: it is cured by waiting, and no summary is asked for.
func TestThrottlingIsNotOverflow(t *testing.T) {
	for _, body := range []string{
		`{"error":{"message":"Rate limit reached for tokens per min. Please try again in 6s.","code":"rate_limit_exceeded"}}`,
		`{"message":"ThrottlingException: Too many tokens, please wait before trying again."}`,
	} {
		r := newRig(t)
		r.fill(0)
		sent := r.say("go on")
		r.server.Next().Fail(http.StatusTooManyRequests, body, "Retry-After", "1")
		q := r.server.Next()
		if q.ForSummary() {
			t.Fatalf("compacts: %.300s", q.Raw)
		}
		q.Answer("fine")
		if got := kinds(r.until(KindDone, sent.TurnID)); !strings.Contains(got, "retry") || strings.Contains(got, "compaction") {
			t.Error(got)
		}
	}
}

// TestTheSummaryFitsTheWindowThatShowedItself: what did not fit as a request would not fit as a question for its summary.
func TestTheSummaryFitsTheWindowThatShowedItself(t *testing.T) {
	r := newRig(t)
	const window = 30_000
	questions := 0
	r.server.Script(func(q *modeltest.Asked) {
		size := tokens.Estimate(q.Raw)
		switch {
		case size > window:
			q.Fail(overflows[2].status, overflows[2].body)
		case q.ForSummary():
			questions++
			q.Answer(summary)
		default:
			q.Answer(words(2000))
		}
	})
	for i := range 30 {
		sent := r.say(fmt.Sprint(i, words(2000)))
		if done := r.done(sent.TurnID); done.Status != StatusOK {
			t.Fatalf("%d: %+v", i, done.Error)
		}
	}
	if questions < 2 || questions > 20 {
		t.Errorf("%d summaries", questions)
	}
	if report, err := r.store.Check(r.id); err != nil || !report.Sound() {
		t.Errorf("%+v %v", report, err)
	}
}
