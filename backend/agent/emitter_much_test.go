//go:build !race

package agent

import (
	"context"
	"strings"
	"testing"

	"palimpsest/backend/llm"
)

// TestMegabytes: an answer, its thinking and the arguments of a call, a megabyte each, come through in small events and
// are in the log whole.
func TestMegabytes(t *testing.T) {
	const mega = 1 << 20
	r := newRig(t)
	r.choice.Compaction.Auto = false
	text := strings.Repeat("a\x01😀<", mega/7)
	arguments := `{"a":"` + strings.Repeat("x", mega) + `"}`
	r.tools = toolFunc(func(_ context.Context, call llm.Call) Result { return Result{Text: call.Arguments} })
	sent := r.say("much")
	r.server.Next().Think(text).Say(text).Call(0, "c", "look", arguments).End("tool_calls")
	q := r.server.Next()
	if q.Last() != arguments {
		t.Errorf("the result has %d bytes", len(q.Last()))
	}
	q.Answer("enough")
	var answer, thinking strings.Builder
	events := r.until(KindDone, sent.TurnID)
	for i, e := range events {
		if sized(t, e); e.N != int64(i+1) {
			t.Fatalf("event %d has the number %d", i+1, e.N)
		}
		switch d := e.Data.(type) {
		case Text:
			if e.Kind == KindThinking {
				thinking.WriteString(d.Text)
			} else {
				answer.WriteString(d.Text)
			}
		case ToolCall:
			if d.Arguments != nil {
				t.Errorf("arguments of %d bytes in an event", len(d.Arguments))
			}
		}
	}
	if answer.String() != text+"enough" || thinking.String() != text {
		t.Errorf("told %d and %d bytes", answer.Len(), thinking.Len())
	}
	lines := linesIn(t, r.store.LogPath(r.id))
	if len(lines) != 4 || lines[1].Content[1].Text != text || lines[2].Content[0].Text != arguments {
		t.Errorf("%d records", len(lines))
	}
}
