package backend

import (
	"slices"
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
	wantTexts(t, k.Backend, k.queuedKey(k.id), "two|three")
	if _, err := k.EndTurn(k.id, third.TurnID); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, k.Backend, k.queuedKey(k.id), "two")
	if _, err := k.Turns(k.id); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, k.Backend, "returned."+k.id, "")
	asked.Answer("1")
	first.ok()
	asked = k.server.Next()
	wantTexts(t, k.Backend, k.queuedKey(k.id), "")
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
		wantTexts(t, k.Backend, k.queuedKey(k.id), "")
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

// TestTwoProgramsWithMessagesThatWait for one session: neither takes away what the other laid down, and all of it comes back.
func TestTwoProgramsWithMessagesThatWait(t *testing.T) {
	k := talk(t)
	other, err := Open(Options{Home: k.store.Home()})
	newsMust(t, err)
	t.Cleanup(other.Close)
	k.keepQueued(k.id, []string{"mine"})
	other.keepQueued(k.id, []string{"theirs"})
	wantTexts(t, k.Backend, k.queuedKey(k.id), "mine")
	other.keepQueued(k.id, nil)
	wantTexts(t, k.Backend, k.queuedKey(k.id), "mine")
	other.keepQueued(k.id, []string{"theirs"})
	newsMust(t, k.layTexts("queued."+k.id, []string{"of an earlier version"}))
	if _, err := k.Turns(k.id); err != nil {
		t.Fatal(err)
	}
	texts, err := k.textsOnDesk("returned." + k.id)
	newsMust(t, err)
	if slices.Sort(texts); strings.Join(texts, "|") != "mine|of an earlier version|theirs" {
		t.Errorf("%q", texts)
	}
}
