package backend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/session"
)

// TestASessionBeginsWithItsMessage: what lies on the desk of the message that a session is made for lies with it from the start, and who
// asks again gets the same session. What others write for a session to come stays where it is.
func TestASessionBeginsWithItsMessage(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	const mine, theirs = `{"by":"w1","text":"<one>","key":"k1"}`, `{"by":"w2","text":"two","key":"k2"}`
	const pier, chart = `{"name":"pier.png","by":"w1","key":"k1"}`, `{"name":"chart.md","text":"x"}`
	put := func(key, value string) {
		t.Helper()
		_, err := b.LayOnDesk(key, json.RawMessage(value), "w1")
		newsMust(t, err)
	}
	lies := func(key, wanted string) {
		t.Helper()
		value, err := b.desk.Get(key)
		newsMust(t, err)
		if got := strings.TrimSpace(string(value)); got != wanted {
			t.Errorf("%s: %s, want %s", key, got, wanted)
		}
	}
	put("unsent", `{"text":"half a","sending":[`+mine+`,`+theirs+`]}`)
	put("attached", `[`+pier+`,`+chart+`]`)
	events, cancel := b.Subscribe()
	defer cancel()
	s, err := b.New(NewSession{First: "k1"})
	newsMust(t, err)
	for range 2 {
		lies("unsent."+s.ID, `{"text":"","sending":[`+mine+`]}`)
		lies("attached."+s.ID, `[`+pier+`]`)
		lies("unsent", `{"text":"half a","sending":[`+theirs+`]}`)
		lies("attached", `[`+chart+`]`)
		again, err := b.New(NewSession{First: "k1"})
		newsMust(t, err)
		if again.ID != s.ID {
			t.Errorf("%s was made besides %s", again.ID, s.ID)
		}
	}
	for _, key := range []string{"unsent", "attached"} {
		told := newsOf(t, events, EventDesk, "")
		if got := told[len(told)-1].Data; got != (deskNews{key, "w1"}) {
			t.Errorf("%+v", got)
		}
	}
	if other, err := b.New(NewSession{First: "k3"}); err != nil || other.ID == s.ID {
		t.Errorf("%s, %v", other.ID, err)
	}
	if _, err := b.New(NewSession{First: strings.Repeat("k", messageKeyMost+1)}); ProblemOf(err).Code != CodeBadInput {
		t.Errorf("%v", err)
	}
}

// TestAMessageThatCantGoAlongHasNoSession: an empty one would be left.
func TestAMessageThatCantGoAlongHasNoSession(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	newsMust(t, b.desk.Put("unsent", json.RawMessage(`{"text":"","sending":[{"by":"w1","text":"one","key":"k1"}]}`)))
	newsMust(t, os.WriteFile(filepath.Join(b.Home(), "desk", "attached.json"), []byte("[half"), 0o600))
	if _, err := b.New(NewSession{First: "k1"}); err == nil {
		t.Error("it was made")
	}
	if all, err := b.store.List(t.Context(), session.ListOptions{}); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
}
