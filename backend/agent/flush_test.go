package agent

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/llm"
)

// memory plays the program: it is due until there was a flush, and its tool notes what it is given.
type memory struct {
	due     bool
	err     error
	written []string
	flushed int
}

func (m *memory) Due(string) (bool, error) { return m.due, nil }

func (m *memory) Tools(string) (Tools, error) {
	if m.err != nil {
		return nil, m.err
	}
	return m, nil
}

func (m *memory) Flushed(context.Context, string) error {
	m.due = false
	m.flushed++
	return nil
}

func (m *memory) List() []llm.Tool { return []llm.Tool{{Name: "write", Description: "writes"}} }

func (m *memory) Run(_ context.Context, call llm.Call) Result {
	if call.Name == "panic" {
		panic("no disk")
	}
	m.written = append(m.written, call.Arguments)
	return Result{Text: "written"}
}

// flushing is a rig that flushes 4000 tokens below its trigger of 36000, and has just used 33000.
func flushing(t *testing.T, m *memory) *rig {
	r := narrow(t)
	r.memory = m
	r.fill(33_000)
	r.choice.Compaction.Flush = &Flush{SoftThreshold: 4000}
	return r
}

// flushes are the states that events tell, with their reasons.
func flushes(events []Event) string {
	var out []string
	for _, e := range events {
		if f, ok := e.Data.(Flushing); ok {
			out = append(out, strings.TrimSpace(f.State+" "+f.Reason))
		}
	}
	return strings.Join(out, ", ")
}

// TestFlush: a silent turn of its own, in the log and on no path: the conversation goes on as if it had not been.
func TestFlush(t *testing.T) {
	m := &memory{due: true}
	r := flushing(t, m)
	r.inject = func(string) string { return "told" }
	r.tools = looking("not this one")
	sent := r.say("and now?")

	q := r.server.Next()
	if q.Messages[0].Content != "told\n\n"+FlushSystem || !strings.HasSuffix(q.Last(), FlushPrompt) || len(q.Tools) != 1 || !strings.Contains(q.Raw, `"name":"write"`) {
		t.Errorf("%.300s ... %.600q", q.Raw, q.Last())
	}
	q.Think("hm").Say("I write").Call(0, "w", "write", `{"content":"fact"}`).Call(1, "p", "panic", `{}`).End("tool_calls")
	q = r.server.Next()
	if got := q.Dialogue(); got[len(got)-2] != "tool: written (w)" || !strings.Contains(got[len(got)-1], "failed: no disk") {
		t.Errorf("%q", got[len(got)-2:])
	}
	q.Answer("NO_REPLY")

	q = r.server.Next()
	if q.Last() != "and now?" || strings.Contains(q.Raw, "NO_REPLY") || strings.Contains(q.Raw, "fact") || q.Messages[0].Content != "told" || strings.Contains(q.Raw, `"name":"write"`) {
		t.Errorf("%.300s", q.Raw)
	}
	q.Answer("fine")
	events := r.until(KindDone, sent.TurnID)
	if got := flushes(events); got != "started, done" || m.flushed != 1 || !slices.Equal(m.written, []string{`{"content":"fact"}`}) {
		t.Errorf("%s, %+v", got, m)
	}
	for _, e := range events {
		if text, ok := e.Data.(Text); ok && text.Text != "fine" || e.Kind == KindToolCall || e.Kind == KindToolResult || e.Kind == KindThinking {
			t.Errorf("delivered: %+v", e)
		}
	}
	if log := r.log(); !slices.Equal(log[6:], []string{
		"user: and now?", "note: " + FlushPrompt, "assistant/toolUse: thinking hm|I write|write()|panic()", "toolResult/w: written",
		"toolResult/p!: the tool panic failed: no disk", "assistant: NO_REPLY", "branch: ", "assistant: fine",
	}) {
		t.Errorf("%.3000q", log[6:])
	}
	if c := r.context(); len(c.Repairs) != 0 || len(c.Messages) != 8 {
		t.Errorf("%v, %d messages", c.Repairs, len(c.Messages))
	}

	// Once for each compaction.
	sent = r.say("again")
	r.server.Next().Answer("no flush")
	if got := flushes(r.until(KindDone, sent.TurnID)); got != "" {
		t.Error(got)
	}
}

// TestFlushInTheMiddleOfATurn: between results and the next request the task goes on where it was.
func TestFlushInTheMiddleOfATurn(t *testing.T) {
	m := &memory{due: true}
	r := narrow(t)
	r.memory = m
	r.fill(0)
	r.choice.Compaction.Flush = &Flush{SoftThreshold: 4000, Prompt: "save", System: "hush"}
	r.tools = looking("seen " + words(33_000))
	sent := r.say("look")
	r.server.Next().Call(0, "c", "look", "{}").End("tool_calls")
	q := r.server.Next()
	if q.Last() != "save" || !strings.HasSuffix(q.Messages[0].Content, "hush") {
		t.Errorf("%.300q", q.Last())
	}
	q.Answer("NO_REPLY")
	q = r.server.Next()
	if !q.ForSummary() || strings.Contains(q.Raw, "NO_REPLY") {
		t.Fatalf("asked for %.300s", q.Raw)
	}
	q.Answer(summary)
	q = r.server.Next()
	if last := q.Messages[len(q.Messages)-1]; last.Role != "tool" {
		t.Errorf("%.300q", q.Dialogue())
	}
	q.Answer("fine")
	events := r.until(KindDone, sent.TurnID)
	if flushes(events) != "started, done" || compactions(events) != "started done" {
		t.Errorf("%s; %s", flushes(events), compactions(events))
	}
	r.wantValid("after it")
}

// TestNoFlush: where there is nothing to write with it is told, once in a turn; elsewhere there is no word of it.
func TestNoFlush(t *testing.T) {
	for name, c := range map[string]struct {
		memory Memory
		change func(*rig)
		want   string
	}{
		"no tool":        {nil, func(r *rig) { r.agent.deps.Memory = nil }, "skipped there is no tool that writes"},
		"read-only":      {&memory{due: true, err: errors.New("the folder is read-only")}, nil, "skipped the folder is read-only"},
		"not due":        {&memory{}, nil, ""},
		"off":            {&memory{due: true}, func(r *rig) { r.choice.Compaction.Flush = nil }, ""},
		"compaction off": {&memory{due: true}, func(r *rig) { r.choice.Compaction.Auto = false }, ""},
		"not yet":        {&memory{due: true}, func(r *rig) { r.choice.Compaction.Flush.SoftThreshold = 2000 }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := narrow(t)
			r.memory = c.memory
			r.fill(33_000)
			r.choice.Compaction.Flush = &Flush{SoftThreshold: 4000}
			if c.change != nil {
				c.change(r)
			}
			r.tools = looking("seen")
			sent := r.say("look")
			r.server.Next().Call(0, "c", "look", "{}").Usage(33_500, 1).End("tool_calls")
			r.server.Next().Answer("fine")
			if got := flushes(r.until(KindDone, sent.TurnID)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestFlushThatFails costs nothing: the conversation goes on where it was, and it is tried again another time.
func TestFlushThatFails(t *testing.T) {
	m := &memory{due: true}
	r := flushing(t, m)
	sent := r.say("and now?")
	r.server.Next().Fail(http.StatusBadRequest, `{"error":{"message":"no tools here"}}`)
	q := r.server.Next()
	if q.Last() != "and now?" {
		t.Errorf("%.300q", q.Last())
	}
	q.Answer("fine")
	events := r.until(KindDone, sent.TurnID)
	if got := flushes(events); !strings.HasPrefix(got, "started, failed") || !strings.Contains(got, "no tools here") || !m.due {
		t.Error(got)
	}
	if done := data[Done](t, events[len(events)-1]); done.Status != StatusOK {
		t.Errorf("%+v", done)
	}
}

// TestStopWhileFlushing leaves the conversation where it was.
func TestStopWhileFlushing(t *testing.T) {
	r := flushing(t, &memory{due: true})
	sent := r.say("and now?")
	q := r.server.Next()
	q.Say("I wri")
	_, _, err := r.agent.End(r.id, sent.TurnID)
	must(t, err)
	if done := r.done(sent.TurnID); done.Status != StatusAborted {
		t.Errorf("%+v", done)
	}
	q.Gone()
	log := r.log()
	if got := log[len(log)-1]; got != "branch: " || !CanRetry(r.context()) {
		t.Errorf("%q", got)
	}
	sent = r.submit(Message{Retry: true})
	q = r.server.Next()
	if q.Last() != "and now?" || strings.Contains(q.Raw, "I wri") {
		t.Errorf("%.300q", q.Last())
	}
	q.Answer("fine")
	r.done(sent.TurnID)
}

// TestFlushThatBreaksOff before it went back, as by a crash: the conversation goes on where it was all the same, and its last
// message can be tried again.
func TestFlushThatBreaksOff(t *testing.T) {
	for name, calls := range map[string]bool{"after an answer": false, "between a call and its result": true} {
		t.Run(name, func(t *testing.T) {
			r := flushing(t, &memory{due: true})
			broken := false
			r.appended = func(lines [][]byte) error {
				if line := string(lines[0]); broken || strings.Contains(line, `"branch"`) || strings.Contains(line, `"toolResult"`) {
					broken = true
					return errors.New("the disk is full")
				}
				return nil
			}
			sent := r.say("and now?")
			if q := r.server.Next(); calls {
				q.Call(0, "w", "write", `{"content":"fact"}`).End("tool_calls")
			} else {
				q.Answer("NO_REPLY")
			}
			if done := r.done(sent.TurnID); done.Status != StatusError {
				t.Errorf("%+v", done)
			}
			r.appended = nil
			r.choice.Compaction.Flush = nil
			if !CanRetry(r.context()) {
				t.Error("the message can't be tried again")
			}
			sent = r.submit(Message{Retry: true})
			q := r.server.Next()
			if q.Last() != "and now?" || strings.Contains(q.Raw, "NO_REPLY") {
				t.Errorf("%.900q", q.Last())
			}
			q.Answer("fine")
			r.done(sent.TurnID)
			r.wantValid("after it")
			if c := r.context(); len(c.Repairs) != 0 || len(c.Messages) != 10 {
				t.Errorf("%v, %d messages", c.Repairs, len(c.Messages))
			}
		})
	}
}

// TestFlushThatBrokeOffLongAgo, behind which the conversation went on: none of that goes.
func TestFlushThatBrokeOffLongAgo(t *testing.T) {
	r := newRig(t)
	r.round("q", "a", 0)
	line, err := flushNote(FlushPrompt)
	must(t, err)
	user, err := userRecord(Content{Text: "went on"})
	must(t, err)
	session, err := r.hold(t.Context(), r.id)
	must(t, err)
	_, err = session.Append(line, user)
	session.Close()
	must(t, err)
	sent := r.say("and on")
	q := r.server.Next()
	if !strings.Contains(q.Last(), "went on") || !strings.Contains(q.Last(), "and on") {
		t.Errorf("%.900q", q.Last())
	}
	q.Answer("fine")
	r.done(sent.TurnID)
}

// TestAFlushForEachCompaction of one long turn.
func TestAFlushForEachCompaction(t *testing.T) {
	m := &memory{due: true}
	r := flushing(t, m)
	r.tools = looking("seen " + words(34_000))
	sent := r.say("look")
	for i := range 2 {
		if q := r.server.Next(); q.Last() != FlushPrompt && !strings.HasSuffix(q.Last(), FlushPrompt) {
			t.Fatalf("%d: asked for %.300s", i, q.Raw)
		} else {
			q.Answer("NO_REPLY")
		}
		q := r.server.Next()
		if i > 0 {
			if !q.ForSummary() {
				t.Fatalf("asked for %.300s", q.Raw)
			}
			q.Answer(summary)
			q = r.server.Next()
			q.Answer("fine")
			break
		}
		q.Call(0, "c", "look", "{}").End("tool_calls")
		q = r.server.Next()
		if !q.ForSummary() {
			t.Fatalf("asked for %.300s", q.Raw)
		}
		q.Answer(summary)
		m.due = true // as the program has it after a compaction
		r.server.Next().Call(0, "d", "look", "{}").End("tool_calls")
	}
	if got := flushes(r.until(KindDone, sent.TurnID)); got != "started, done, started, done" {
		t.Error(got)
	}
}
