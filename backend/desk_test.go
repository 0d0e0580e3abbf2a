package backend

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/agent"
)

// TestNewsOfTheDesk: who laid something down is told with the news of it; what another process lays down is news too.
func TestNewsOfTheDesk(t *testing.T) {
	home := t.TempDir()
	b, other := newsBackend(t, home), newsBackend(t, home)
	events, cancel := b.Subscribe()
	defer cancel()
	_, err := b.LayOnDesk("view", json.RawMessage(`{"theme":"dark"}`), "window 1")
	newsMust(t, err)
	told := newsOf(t, events, EventDesk, "")
	if diff := cmp.Diff(deskNews{"view", "window 1"}, told[len(told)-1].Data); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	_, err = other.LayOnDesk("unsent", json.RawMessage(`"hm"`), "window 2")
	newsMust(t, err)
	told = newsOf(t, events, EventDesk, "")
	if diff := cmp.Diff(deskNews{"unsent", ""}, told[len(told)-1].Data); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestPurgeClearsTheDesk: the trash keeps what was not sent, so that a session comes back with it.
func TestPurgeClearsTheDesk(t *testing.T) {
	b, id := open(t, story())
	key := "unsent." + id
	_, err := b.LayOnDesk(key, json.RawMessage(`"hm"`), "")
	newsMust(t, err)
	newsMust(t, b.Trash(t.Context(), id))
	keys, err := b.DeskKeys()
	newsMust(t, err)
	if diff := cmp.Diff([]string{key}, keys); diff != "" {
		t.Errorf("in the trash (-want +got)\n%s", diff)
	}
	newsMust(t, b.Purge(id))
	keys, err = b.DeskKeys()
	newsMust(t, err)
	if len(keys) != 0 {
		t.Errorf("purged: %v", keys)
	}
}

// TestWhatIsSettledIsNotOnItsWay: of a message that was taken, or whose window went before it was, the desk says no more that it
// is being sent, whatever is laid there; and what was not taken is handed back.
func TestWhatIsSettledIsNotOnItsWay(t *testing.T) {
	k := talk(t)
	key := "unsent." + k.id
	lay := json.RawMessage(`{"text":"half a","sending":[{"by":"w1","text":"one","key":"k1"},{"by":"w2","text":"two","key":"k2"}]}`)
	want := func(wanted string) {
		t.Helper()
		piece, err := k.DeskPiece(key)
		newsMust(t, err)
		if string(piece.Value) != wanted {
			t.Errorf("%s, want %s", piece.Value, wanted)
		}
	}
	_, err := k.LayOnDesk(key, lay, "w1")
	newsMust(t, err)
	want(string(lay))

	events, cancel := k.Subscribe()
	defer cancel()
	first := k.send(Outgoing{Text: "one", Key: "k1", By: "w1"})
	told := newsOf(t, events, EventDesk, "")
	if diff := cmp.Diff(deskNews{key, "w1"}, told[len(told)-1].Data); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want(`{"sending":[{"by":"w2","text":"two","key":"k2"}],"text":"half a"}`)
	_, err = k.LayOnDesk(key, lay, "w1") // as its window went
	newsMust(t, err)
	want(`{"sending":[{"by":"w2","text":"two","key":"k2"}],"text":"half a"}`)
	k.server.Next().Answer("1")
	first.ok()

	// Another program is at it, so that the next one waits until its window goes.
	other := talkAt(t, k.Home(), newsDeadline)
	_, err = other.Send(t.Context(), k.id, Outgoing{Text: "theirs"}, nil)
	newsMust(t, err)
	theirs := k.server.Next()
	defer theirs.Answer("2")
	gone, went := context.WithCancel(t.Context())
	went()
	if _, err := k.Send(gone, k.id, Outgoing{Text: "two", Key: "k2", By: "w2"}, nil); err == nil {
		t.Fatal("it was taken")
	}
	want(`{"sending":[],"text":"half a"}`)
	wantTexts(t, k.Backend, "returned."+k.id, "two")
}

// TestWhatTheLogHoldsIsNotOnItsWay: nor is what waits or was handed back, also for a program that has just begun, and images
// go with their message. What nobody has is still on its way.
func TestWhatTheLogHoldsIsNotOnItsWay(t *testing.T) {
	k := talk(t)
	first := k.send(Outgoing{Text: "one", Key: "k1", By: "w1"})
	asked := k.server.Next()
	second := k.send(Outgoing{Text: "two", Key: "k2", By: "w1"})
	k.giveBack(k.id, agent.Content{Text: "three", Key: "k3"})
	for key, lay := range map[string]string{
		"unsent.": `{"text":"half a","sending":[{"by":"w1","text":"one","key":"k1"},{"by":"w1","text":"two","key":"k2"},` +
			`{"by":"w1","text":"three","key":"k3"},{"by":"w1","text":"four","key":"k4"}]}`,
		"attached.": `[{"name":"a.png","by":"w1","key":"k1"},{"name":"b.png","by":"w1","key":"k4"},{"name":"c.md","text":"c","bytes":1}]`,
	} {
		_, err := k.LayOnDesk(key+k.id, json.RawMessage(lay), "w1")
		newsMust(t, err)
	}
	next := talkAt(t, k.Home(), newsDeadline)
	for key, wanted := range map[string]string{
		"unsent.":   `{"sending":[{"by":"w1","text":"four","key":"k4"}],"text":"half a"}`,
		"attached.": `[{"name":"b.png","by":"w1","key":"k4"},{"name":"c.md","text":"c","bytes":1}]`,
	} {
		piece, err := next.DeskPiece(key + k.id)
		newsMust(t, err)
		if string(piece.Value) != wanted {
			t.Errorf("%s: %s, want %s", key, piece.Value, wanted)
		}
	}
	asked.Answer("1")
	first.ok()
	k.server.Next().Answer("2")
	second.ok()
}
