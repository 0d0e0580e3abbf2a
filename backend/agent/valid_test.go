package agent

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/session"
	"palimpsest/backend/tokens"
)

// drawLine draws one line of a log: anything that can be there, pointing anywhere, damage included.
func drawLine(t *rapid.T, i int) string {
	seq := int64(i + 1)
	if rapid.IntRange(0, 15).Draw(t, "disorder") == 0 {
		seq = rapid.Int64Range(1, 14).Draw(t, "seq")
	}
	target := rapid.Int64Range(0, 14)
	head := func(kind string, version int) string {
		return fmt.Sprintf(`{"recordType":"%s","schemaVersion":%d,"seq":%d,`, kind, version, seq)
	}
	switch rapid.SampledFrom(strings.Split("m m m m m m m m c b r p n o x", " ")).Draw(t, "kind") {
	case "c":
		return fmt.Sprintf(head("compaction", 1)+`"firstKeptSeq":%d,"summary":"s","tokensBefore":1,"readFiles":[],"modifiedFiles":[]}`, target.Draw(t, "kept"))
	case "b":
		return fmt.Sprintf(head("branch", 2)+`"fromSeq":%d}`, target.Draw(t, "from"))
	case "r":
		return fmt.Sprintf(head("revert", 2)+`"targetSeq":%d}`, target.Draw(t, "target"))
	case "p":
		return fmt.Sprintf(head("prune", 2)+`"seqs":[%d],"tokensFreed":1}`, target.Draw(t, "target"))
	case "n":
		return head("note", 2) + `"namespace":"n","data":{},"content":[{"type":"text","text":"note"}],"display":true}`
	case "o":
		return head("model", 2) + `"provider":"test","model":"m-2"}`
	case "x":
		return rapid.SampledFrom([]string{`{"torn`, `{"recordType":"hologram","schemaVersion":9,"seq":3}`, "", "[]"}).Draw(t, "damage")
	}
	return head("message", 1) + drawMessage(t)
}

func drawMessage(t *rapid.T) string {
	id := rapid.SampledFrom([]string{"a", "b", ""})
	blocks := []string{`{"type":"text","text":"x"}`, `{"type":"text","text":""}`, `{"type":"text","text":" \n"}`, `{"type":"hologram"}`, `{"type":"hologram","sentAsIs":true}`, `{"type":"thinking","text":"t"}`}
	role := rapid.SampledFrom([]string{"user", "assistant", "assistant", "toolResult", "toolResult"}).Draw(t, "role")
	more := ""
	switch role {
	case "assistant":
		for range 3 {
			blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"look","arguments":{}}`, id.Draw(t, "id")))
		}
		more = rapid.SampledFrom([]string{"", "", `,"stopReason":"error"`, `,"stopReason":"aborted"`}).Draw(t, "stop")
	case "toolResult":
		more = fmt.Sprintf(`,"toolCallId":%q`, id.Draw(t, "id"))
	}
	content := rapid.SliceOfN(rapid.SampledFrom(blocks), 0, 3).Draw(t, "content")
	return fmt.Sprintf(`"role":%q,"content":[%s]%s}`, role, strings.Join(content, ","), more)
}

// player answers as its list says, and notes the first request that a strict API would refuse.
type player struct {
	mu      sync.Mutex
	actions []string
	refused error
	raw     string
}

func (p *player) next(q *modeltest.Asked) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := modeltest.Validate(q.Raw); err != nil && p.refused == nil {
		p.refused, p.raw = err, q.Raw
	}
	if len(p.actions) == 0 {
		return "text"
	}
	action := p.actions[0]
	p.actions = p.actions[1:]
	return action
}

func (p *player) play(q *modeltest.Asked) {
	switch action := p.next(q); {
	case q.ForSummary() && action != "garbage":
		q.Answer(summary)
	case action == "call":
		q.Say("I look").Call(0, "a", "look", "{}").End("tool_calls")
	case action == "calls":
		q.Call(0, "a", "look", `{"n":1}`).Call(1, "a", "look", "{}").Call(2, "", "nothing", "{no JSON").End("tool_calls")
	case action == "overflow":
		q.Fail(overflows[0].status, overflows[0].body)
	case action == "cut":
		q.Say("half an").Break()
	case action == "length":
		q.Say("far too").Call(0, "b", "look", `{"n":`).End("length")
	case action == "empty":
		q.End("stop")
	case action == "silent":
		q.Answer(NoReply)
	default:
		q.Answer("fine " + words(50))
	}
}

// TestEveryRequestIsValid: whatever the log holds and wherever the process was killed, a strict API takes what is asked.
// A kill leaves a beginning of what would have been written, so the log is cut at any byte.
func TestEveryRequestIsValid(t *testing.T) {
	r := newRig(t)
	r.memory = &memory{due: true}
	r.inject = func(string) string { return "told" }
	p := &player{}
	r.server.Script(p.play)
	rapid.Check(t, func(t *rapid.T) {
		r.choice.Budget = tokens.NewBudget(rapid.SampledFrom([]int{0, 150, 400}).Draw(t, "window"), 20, 60)
		r.choice.Compaction = Compaction{
			Auto: true, Prune: true, MaxMessages: rapid.SampledFrom([]int{0, 6}).Draw(t, "most"), KeepMessages: 2,
			Flush: rapid.SampledFrom([]*Flush{nil, {SoftThreshold: 40}}).Draw(t, "flush"),
		}
		r.tools = toolFunc(func(_ context.Context, call llm.Call) Result {
			if call.Name != "look" {
				return Result{Text: "there is no such tool", IsError: true}
			}
			return Result{Text: strings.Repeat("seen ", 20)[:len(call.Arguments)*9]}
		})
		made, err := r.store.Create(session.New{})
		if err != nil {
			t.Fatal(err)
		}
		r.id = made.ID
		var log bytes.Buffer
		for i := range rapid.IntRange(0, 12).Draw(t, "lines") {
			log.WriteString(drawLine(t, i) + "\n")
		}
		for _, when := range []string{"at first", "after a kill"} {
			cut := log.Len() - min(log.Len(), rapid.IntRange(0, 400).Draw(t, "cut"))
			if err := os.WriteFile(r.store.LogPath(r.id), log.Bytes()[:cut], 0o600); err != nil {
				t.Fatal(err)
			}
			p.mu.Lock()
			p.actions = rapid.SliceOfN(rapid.SampledFrom([]string{
				"text", "call", "call", "calls", "overflow", "cut", "length", "empty", "silent", "garbage",
			}), 0, 6).Draw(t, "actions")
			p.refused = nil
			p.mu.Unlock()
			sent, err := r.agent.Submit(context.Background(), r.id, Message{Text: "go on"})
			if err != nil {
				t.Fatalf("%s: %v\n%s", when, err, log.Bytes()[:cut])
			}
			r.done(sent.TurnID)
			p.mu.Lock()
			refused, raw := p.refused, p.raw
			p.mu.Unlock()
			if refused != nil {
				t.Fatalf("%s: %v\n%s\n%s", when, refused, raw, log.Bytes()[:cut])
			}
			text, err := os.ReadFile(r.store.LogPath(r.id))
			if err != nil {
				t.Fatal(err)
			}
			log.Reset()
			log.Write(text)
		}
	})
}

// TestANameThatNoFunctionHas is recorded as it came, and sent so that the API takes it.
func TestANameThatNoFunctionHas(t *testing.T) {
	r := newRig(t)
	sent := r.say("look")
	r.server.Next().Call(0, "c", "functions.look up", "{}").End("tool_calls")
	r.server.Next().Answer("fine")
	r.done(sent.TurnID)
	if log := r.log(); log[1] != "assistant/toolUse: functions.look up()" {
		t.Errorf("%q", log)
	}
	r.wantValid("after it")
}
