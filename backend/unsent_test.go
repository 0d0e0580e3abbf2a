package backend

import (
	"strings"
	"testing"
)

func wantTexts(t *testing.T, b *Backend, key, want string) {
	t.Helper()
	texts, err := b.textsOnDesk(key)
	newsMust(t, err)
	if got := strings.Join(texts, "|"); got != want {
		t.Errorf("%s: %q, want %q", key, got, want)
	}
}

// TestWhatWaitsLiesOnTheDesk: until it is in the log or withdrawn.
func TestWhatWaitsLiesOnTheDesk(t *testing.T) {
	k := talk(t)
	first := k.say("one")
	asked := k.server.Next()
	second, third := k.say("two"), k.say("three")
	wantTexts(t, k.Backend, "queued."+k.id, "two|three")
	if _, err := k.EndTurn(k.id, third.TurnID); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, k.Backend, "queued."+k.id, "two")
	if _, err := k.Turns(k.id); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, k.Backend, "returned."+k.id, "")
	asked.Answer("1")
	first.ok()
	asked = k.server.Next()
	wantTexts(t, k.Backend, "queued."+k.id, "")
	asked.Answer("2")
	second.ok()
	wantTexts(t, k.Backend, "returned."+k.id, "")
}

// TestWhatWaitedInAProgramThatIsGone is handed back to who looks next, behind what nobody has taken yet.
func TestWhatWaitedInAProgramThatIsGone(t *testing.T) {
	k := talk(t)
	k.keepQueued(k.id, []string{"two", "<three>"})
	k.giveBack(k.id, "one")
	for range 2 {
		if _, err := k.Turns(k.id); err != nil {
			t.Fatal(err)
		}
		wantTexts(t, k.Backend, "queued."+k.id, "")
		wantTexts(t, k.Backend, "returned."+k.id, "one|two|<three>")
	}
}

// TestAnUnsentMessageIsKeptWhole: the event of it holds the beginning only.
func TestAnUnsentMessageIsKeptWhole(t *testing.T) {
	k := talk(t)
	long := strings.Repeat("word ", 5000)
	k.agentDeps().Unsent(k.id, long)
	wantTexts(t, k.Backend, "returned."+k.id, long)
}
