package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/modeltest"
)

// TestALostAddressAsksNobody: what was meant for one server must not go to another because of a mistake in the settings.
func TestALostAddressAsksNobody(t *testing.T) {
	for name, settings := range map[string]string{
		"without http://":   "base_url: localhost:18999/v1\nmodel: m\n",
		"another scheme":    "base_url: ftp://x\nmodel: m\n",
		"with a password":   "base_url: http://me:secret@localhost/v1\nmodel: m\n",
		"a file that is no": "base_url: http://localhost:1/v1\nmodel: [m\n",
	} {
		t.Run(name, func(t *testing.T) {
			noModel(t)
			t.Setenv("OPENAI_API_KEY", "sk-not-to-be-used")
			home := t.TempDir()
			newsMust(t, os.WriteFile(filepath.Join(home, "config.yaml"), []byte(settings), 0o600))
			b := talkAt(t, home, newsDeadline)
			made, err := b.New(NewSession{Model: "gpt-5.4"})
			newsMust(t, err)
			if _, err := b.Send(t.Context(), made.ID, Outgoing{Text: "private"}, nil); !errors.Is(err, ErrNoModel) {
				t.Errorf("sent: %v", err)
			}
			if m := b.Models(t.Context(), true); m.Error == nil || m.Error.Code != CodeNoModel {
				t.Errorf("asked for models: %+v", m)
			}
			t.Setenv("PALIMPSEST_BASE_URL", "http://127.0.0.1:9/v1") // one that can be used counts
			if err := talkAt(t, home, newsDeadline).connected("", "m"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestThePlanKnowsTheWindow: a dry run in a fresh process foretells what is committed, also where only the server says
// how large the window is.
func TestThePlanKnowsTheWindow(t *testing.T) {
	model := asks(t)
	model.Offer("m-1=8192")
	model.Script(func(q *modeltest.Asked) { q.Answer(sectioned) })
	var log strings.Builder
	for seq := 1; seq <= 60; seq += 2 {
		log.WriteString(said(seq, "user", fmt.Sprint(seq, strings.Repeat(" word", 300))))
		log.WriteString(said(seq+1, "assistant", fmt.Sprint(seq, strings.Repeat(" word", 300))))
	}
	b, id := open(t, log.String())
	shown, err := b.PlanCompaction(t.Context(), id, Cut{})
	newsMust(t, err)
	dry, err := b.Compact(t.Context(), id, Compact{DryRun: true})
	newsMust(t, err)
	done, err := b.Compact(t.Context(), id, Compact{})
	newsMust(t, err)
	if shown.Plan.CutSeq != done.Plan.CutSeq || dry.Plan.CutSeq != done.Plan.CutSeq || done.Plan.TokensKept > 4096 || done.CommittedSeq == nil {
		t.Errorf("shown %d, dry run %d, committed %d keeping %d", shown.Plan.CutSeq, dry.Plan.CutSeq, done.Plan.CutSeq, done.Plan.TokensKept)
	}
}

// TestADraftIsCommittedForWhatItWasWrittenFor: without a cut of the user's own it is the draft's, whatever has come since.
func TestADraftIsCommittedForWhatItWasWrittenFor(t *testing.T) {
	model := asks(t)
	model.Script(func(q *modeltest.Asked) { q.Answer(sectioned) })
	b, id := open(t, work())
	e := listen(t, b)
	e.id = started(t, b, id, DraftRequest{Cut: cutAt(5)}).DraftID
	e.ends()
	_, err := b.Append(t.Context(), id, strings.NewReader(strings.Repeat(`{"recordType":"message","role":"user","content":[{"type":"text","text":"more"}]}`+"\n", 4)))
	newsMust(t, err)
	keep := 1
	done, err := b.Compact(t.Context(), id, Compact{Cut: Cut{KeepRecent: &keep}, Summary: new(sectioned), DraftID: e.id})
	newsMust(t, err)
	if done.Plan.CutSeq != 5 {
		t.Errorf("cut at %d", done.Plan.CutSeq)
	}
}

// TestWhoHasGoneIsAnswered: who sent a message bounds the wait for the session, not the turn.
func TestWhoHasGoneIsAnswered(t *testing.T) {
	k := talk(t)
	ctx, leave := context.WithCancel(t.Context())
	sent, err := k.Send(ctx, k.id, Outgoing{Text: "hello"}, nil)
	newsMust(t, err)
	leave()
	q := k.server.Next()
	q.Answer("fine")
	events, cancel := k.Subscribe()
	defer cancel()
	for turns, err := k.Turns(k.id); turns.Running != nil; turns, err = k.Turns(k.id) {
		newsMust(t, err)
		select {
		case <-events:
		case <-t.Context().Done():
			t.Fatal(sent.TurnID)
		}
	}
	k.wantLog("user: hello", "assistant: fine")
}

// TestCallsLeftOpenAreClosed before anything else is said: what comes later stands behind their results.
func TestCallsLeftOpenAreClosed(t *testing.T) {
	k := talk(t)
	_, err := k.Append(t.Context(), k.id, strings.NewReader(`{"recordType":"message","role":"user","content":[{"type":"text","text":"look"}]}
{"recordType":"message","role":"assistant","content":[{"type":"toolCall","id":"a","name":"look","arguments":{}},{"type":"toolCall","id":"b","name":"look","arguments":{}}]}
{"recordType":"message","role":"toolResult","toolCallId":"a","content":[{"type":"text","text":"seen"}]}
`))
	newsMust(t, err)
	if _, err := k.Compact(t.Context(), k.id, Compact{Cut: Cut{KeepRecent: new(0)}, Offline: true}); ProblemOf(err).Code != CodeBusy {
		t.Errorf("compacted between a call and its result: %v", err)
	}
	u := k.send(Outgoing{Retry: true})
	k.server.Next().Answer("fine")
	u.ok()
	k.wantLog("user: look", "assistant: |", "toolResult: seen", "toolResult: [no result: interrupted]", "assistant: fine")
}
