package agent

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestGate(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		want   string
	}{
		{[]string{"hello"}, "hello"},
		{[]string{"NO", " way"}, "NO| way"},
		{[]string{"NO_REPLY"}, ""},
		{[]string{"N", "O_RE", "PLY"}, ""},
		{[]string{"\n NO_REPLY", "\n", "what follows"}, ""},
		{[]string{"NO_REPLY.", " Done."}, ""},
		{[]string{"NO_REPLY", "ING is a word"}, "NO_REPLYING is a word"},
		{[]string{"NO_REPLY_X"}, "NO_REPLY_X"},
		{[]string{"NO_REPL"}, "NO_REPL"},
		{[]string{"no_reply"}, "no_reply"},
		{[]string{" ", " "}, "  "},
		{[]string{"I say NO_REPLY"}, "I say NO_REPLY"},
		{nil, ""},
	} {
		var got []string
		g := gate{out: func(s string) { got = append(got, s) }}
		for _, piece := range c.pieces {
			g.write(piece)
		}
		g.end()
		if strings.Join(got, "") != strings.ReplaceAll(c.want, "|", "") {
			t.Errorf("%q: %q, want %q", c.pieces, got, c.want)
		}
	}
}

// TestGateInAnyPieces: how a text is cut makes no difference, and nothing of a silent one comes out, ever.
func TestGateInAnyPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "blank") + rapid.SampledFrom([]string{"", "NO_REPLY", "NO_REPL", "NO"}).Draw(t, "token") +
			rapid.StringMatching(`[ ._a-zé\n]{0,5}`).Draw(t, "rest")
		var whole, pieces strings.Builder
		one := gate{out: func(s string) { whole.WriteString(s) }}
		one.write(text)
		one.end()
		many := gate{out: func(s string) { pieces.WriteString(s) }}
		for _, r := range text {
			many.write(string(r))
		}
		many.end()
		if whole.String() != pieces.String() || whole.Len() != 0 && whole.String() != text {
			t.Errorf("%q: %q, in pieces %q", text, whole.String(), pieces.String())
		}
	})
}

// TestSilentAnswer is recorded, and no event tells of its text, nor does the state of the turn.
func TestSilentAnswer(t *testing.T) {
	r := newRig(t)
	sent := r.say("anything new?")
	q := r.server.Next()
	q.Say("NO_").Say("REPLY").Say(" because nothing is")
	if s := r.agent.State(r.id).Running; s == nil || s.Answer != "" {
		t.Errorf("%+v", s)
	}
	q.End("stop")
	if got := kinds(r.until(KindDone, sent.TurnID)); got != "started record record done" {
		t.Error(got)
	}
	r.wantLog("user: anything new?", "assistant: NO_REPLY because nothing is")

	sent = r.say("and now?")
	r.server.Next().Say("NO").Say("_REPLYING").End("stop")
	text := ""
	for _, e := range r.until(KindDone, sent.TurnID) {
		if e.Kind == KindText {
			text += data[Text](t, e).Text
		}
	}
	if text != "NO_REPLYING" {
		t.Errorf("%q", text)
	}
}
