package backend

import (
	"strings"
	"testing"

	"palimpsest/backend/agent"
	"palimpsest/backend/config"
	"palimpsest/backend/modeltest"
)

// names is a talker whose sessions are named.
func names(t *testing.T, how config.AutoName, settings ...string) *talker {
	t.Helper()
	k := talk(t, settings...)
	now, problems := k.Settings()
	now.AutoName = how
	k.replaceSettings(now, problems)
	return k
}

func (k *talker) wantName(want string) {
	k.t.Helper()
	s, err := k.Get(k.id)
	newsMust(k.t, err)
	if got := orNone(s.Name); got != want {
		k.t.Errorf("the name is %q, want %q", got, want)
	}
}

func orNone(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TestNamedByTheModel: after the first exchange, behind its end, once, and in no log.
func TestNamedByTheModel(t *testing.T) {
	k := names(t, config.AutoNameModel)
	u := k.say("Why does the canary fail?")
	k.server.Next().Answer("It runs on arm64.")
	u.ok()
	k.wantName("Why does the canary fail?")
	q := k.server.Next()
	if last := q.Last(); !q.ForName() || len(q.Tools) != 0 || !strings.Contains(last, "Why does the canary fail?") || !strings.Contains(last, "It runs on arm64.") {
		t.Errorf("%s", q.Raw)
	}
	q.Answer("**Failing canary**")
	k.Rest(t.Context())
	k.wantName("Failing canary")
	u = k.say("And now?")
	k.server.Next().Answer("Now, too.")
	u.ok()
	k.Rest(t.Context())
	k.server.Silent()
	k.wantName("Failing canary")
	k.wantLog("user: Why does the canary fail?", "assistant: It runs on arm64.", "user: And now?", "assistant: Now, too.")
}

// TestNamesOfUsers: whatever a user does about a name, nothing overwrites it.
func TestNamesOfUsers(t *testing.T) {
	for name, want := range map[string]string{"given": "mine", "given as it was": "hello", "cleared": ""} {
		for _, when := range []string{"before", "meanwhile", "behind"} {
			t.Run(name+" "+when, func(t *testing.T) {
				k := names(t, config.AutoNameModel)
				act := func(now string) {
					t.Helper()
					if now == when {
						_, err := k.Rename(t.Context(), k.id, want)
						newsMust(t, err)
					}
				}
				act("before")
				u := k.say("hello")
				k.server.Next().Answer("hi")
				u.ok()
				if when != "before" {
					q := k.server.Next()
					act("meanwhile")
					q.Answer("theirs")
				}
				k.Rest(t.Context())
				act("behind")
				k.wantName(want)
				k.server.Script(echo)
				k.say("more").ok()
				k.Rest(t.Context())
				k.wantName(want)
			})
		}
	}
}

// TestNamedByWords: without asking anybody, or where nobody answers.
func TestNamedByWords(t *testing.T) {
	k := names(t, config.AutoNameWords)
	u := k.say("  # Hello\nworld")
	k.server.Next().Answer("hi")
	u.ok()
	k.Rest(t.Context())
	k.server.Silent()
	k.wantName("Hello")
	for name, play := range map[string]func(*modeltest.Asked){
		"refused": func(q *modeltest.Asked) { q.Fail(400, `{"error":{"message":"no"}}`) },
		"empty":   func(q *modeltest.Asked) { q.Answer("") },
		"long":    func(q *modeltest.Asked) { q.Say("A name that").End("length") },
		"broken":  func(q *modeltest.Asked) { q.Say("A name that").Break() },
	} {
		t.Run(name, func(t *testing.T) {
			k := names(t, config.AutoNameModel)
			u := k.say("hello")
			k.server.Next().Answer("hi")
			u.ok()
			play(k.server.Next())
			k.Rest(t.Context())
			k.wantName("hello")
		})
	}
}

// TestNamedAfterTheFirstAnswer: a turn that fails names nothing, and one without history neither.
func TestNamedAfterTheFirstAnswer(t *testing.T) {
	k := names(t, config.AutoNameWords)
	u := k.say("one")
	k.server.Next().Fail(400, `{"error":{"message":"no"}}`)
	if done := u.done(); done.Status != agent.StatusError {
		t.Errorf("%+v", done)
	}
	k.wantName("")
	k.server.Script(echo)
	k.send(Outgoing{Text: "aside", NoHistory: true}).ok()
	k.wantName("")
	k.say("two").ok()
	k.wantName("one")
}

// TestNamedByAnotherModel: the one that writes summaries, where there is one.
func TestNamedByAnotherModel(t *testing.T) {
	k := names(t, config.AutoNameModel, "compaction: {model: m-2}")
	u := k.say("hello")
	k.server.Next().Answer("hi")
	u.ok()
	q := k.server.Next()
	if q.Model != "m-2" {
		t.Errorf("%s is asked", q.Model)
	}
	q.Answer("Greeting")
	k.Rest(t.Context())
	k.wantName("Greeting")
}

// TestClosingDoesNotWaitForAName: what is asked is called off, and the words stay.
func TestClosingDoesNotWaitForAName(t *testing.T) {
	k := names(t, config.AutoNameModel)
	u := k.say("hello")
	k.server.Next().Answer("hi")
	u.ok()
	q := k.server.Next()
	k.Close()
	q.Gone()
	q.Close()
	k.wantName("hello")
}
