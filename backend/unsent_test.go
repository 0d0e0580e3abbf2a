package backend

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/agent"
)

func messagesOf(texts ...string) (messages []agent.Content) {
	for _, text := range texts {
		messages = append(messages, agent.Content{Text: text})
	}
	return messages
}

func textsOnDesk(t *testing.T, b *Backend, key string) (texts []string) {
	t.Helper()
	messages, err := b.messagesOnDesk(key)
	newsMust(t, err)
	for _, one := range messages {
		texts = append(texts, one.Text)
	}
	return texts
}

func wantTexts(t *testing.T, b *Backend, key, want string) {
	t.Helper()
	if got := strings.Join(textsOnDesk(t, b, key), "|"); got != want {
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
	k.keepQueued(k.id, messagesOf("two", "<three>"))
	k.giveBack(k.id, messagesOf("one")...)
	for range 2 {
		if _, err := k.Turns(k.id); err != nil {
			t.Fatal(err)
		}
		wantTexts(t, k.Backend, k.queuedKey(k.id), "")
		wantTexts(t, k.Backend, "returned."+k.id, "one|two|<three>")
	}
}

// TestWhatWaitedAndIsInTheLog is not handed back: the program was killed before it could take it away from what waits.
func TestWhatWaitedAndIsInTheLog(t *testing.T) {
	k := talk(t)
	first := k.send(Outgoing{Text: "one", Key: "k1"})
	k.server.Next().Answer("1")
	first.ok()
	k.keepQueued(k.id, []agent.Content{{Text: "one", Key: "k1"}, {Text: "one", Key: "k2"}})
	if _, err := k.Turns(k.id); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, k.Backend, "returned."+k.id, "one")
	messages, err := k.messagesOnDesk("returned." + k.id)
	newsMust(t, err)
	if messages[0].Key != "k2" {
		t.Errorf("%+v", messages)
	}
}

// TestAnUnsentMessageIsKeptWhole: the event of it holds the beginning only.
func TestAnUnsentMessageIsKeptWhole(t *testing.T) {
	k := talk(t)
	long := strings.Repeat("word ", 5000)
	k.agentDeps().Unsent(k.id, agent.Content{Text: long})
	wantTexts(t, k.Backend, "returned."+k.id, long)
}

// TestTwoProgramsWithMessagesThatWait for one session: neither takes away what the other laid down, and all of it comes back.
func TestTwoProgramsWithMessagesThatWait(t *testing.T) {
	k := talk(t)
	other, err := Open(Options{Home: k.store.Home()})
	newsMust(t, err)
	t.Cleanup(other.Close)
	k.keepQueued(k.id, messagesOf("mine"))
	other.keepQueued(k.id, messagesOf("theirs"))
	wantTexts(t, k.Backend, k.queuedKey(k.id), "mine")
	other.keepQueued(k.id, nil)
	wantTexts(t, k.Backend, k.queuedKey(k.id), "mine")
	other.keepQueued(k.id, messagesOf("theirs"))
	newsMust(t, k.desk.Put("queued."+k.id, json.RawMessage(`["of an earlier version"]`)))
	if _, err := k.Turns(k.id); err != nil {
		t.Fatal(err)
	}
	texts := textsOnDesk(t, k.Backend, "returned."+k.id)
	if slices.Sort(texts); strings.Join(texts, "|") != "mine|of an earlier version|theirs" {
		t.Errorf("%q", texts)
	}
}
