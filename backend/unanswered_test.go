package backend

import (
	"testing"

	"palimpsest/backend/agent"
)

// TestWhatBecameOfAMessage whose window got no answer: what is in the log, waits or was handed back was taken, also for a program that
// has just begun; of the rest nothing is taken any more.
func TestWhatBecameOfAMessage(t *testing.T) {
	k := talk(t)
	first := k.send(Outgoing{Text: "one", Key: "k1"})
	asked := k.server.Next()
	k.send(Outgoing{Text: "two", Key: "k2"})
	k.giveBack(k.id, agent.Content{Text: "three", Key: "k3"})
	other := talkAt(t, k.Home(), newsDeadline)
	for key, taken := range map[string]bool{"k1": true, "k2": true, "k3": true, "k4": false} {
		for _, b := range []*Backend{k.Backend, other} {
			got, err := b.GiveUp(t.Context(), k.id, key)
			newsMust(t, err)
			if want := (GivenUp{key, taken}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	}
	if _, err := k.Send(t.Context(), k.id, Outgoing{Text: "four", Key: "k4"}, nil); ProblemOf(err).Code != CodeBadInput {
		t.Errorf("it came after it was given up: %v", err)
	}
	for _, key := range []string{"", string(make([]byte, messageKeyMost+1))} {
		if _, err := k.GiveUp(t.Context(), k.id, key); ProblemOf(err).Code != CodeBadInput {
			t.Errorf("%d bytes: %v", len(key), err)
		}
	}
	asked.Answer("1")
	first.ok()
	k.server.Next().Answer("2")
}

// TestOfWhatIsBeingTakenTheEndIsWaitedFor: as long as another program is at the session, nobody knows what becomes of the message.
func TestOfWhatIsBeingTakenTheEndIsWaitedFor(t *testing.T) {
	k := talk(t)
	other := talkAt(t, k.Home(), newsDeadline)
	_, err := other.Send(t.Context(), k.id, Outgoing{Text: "theirs"}, nil)
	newsMust(t, err)
	theirs := k.server.Next()
	sent := make(chan error, 1)
	go func() {
		_, err := k.Send(t.Context(), k.id, Outgoing{Text: "mine", Key: "k1"}, nil)
		sent <- err
	}()
	for isAtWork := false; !isAtWork; {
		k.unanswered.mu.Lock()
		_, isAtWork = k.unanswered.atWork["k1"]
		k.unanswered.mu.Unlock()
	}
	if _, err := k.Send(t.Context(), k.id, Outgoing{Text: "mine", Key: "k1"}, nil); ProblemOf(err).Code != CodeBadInput {
		t.Errorf("it was sent twice: %v", err)
	}
	told := make(chan GivenUp, 1)
	go func() {
		got, _ := k.GiveUp(t.Context(), k.id, "k1")
		told <- got
	}()
	theirs.Answer("1")
	newsMust(t, <-sent)
	if got := <-told; !got.Taken {
		t.Errorf("%+v", got)
	}
	k.server.Next().Answer("2")
}
