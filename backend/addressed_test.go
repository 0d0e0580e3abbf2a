package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/session"
)

// post sends a message to an address and waits for its answer.
func (k *talker) post(m Addressed) Delivered {
	k.t.Helper()
	events := make(chan agent.Event, 1<<16)
	sent, err := k.SendTo(k.t.Context(), m, func(e agent.Event) { events <- e })
	newsMust(k.t, err)
	(&turn{sent.Sent, k.t, events}).ok()
	return sent
}

func toKey(key, text string) Addressed {
	return Addressed{Key: key, Outgoing: Outgoing{Text: text}}
}

func TestMessagesByKey(t *testing.T) {
	k := talk(t)
	k.server.Script(echo)
	first := k.post(Addressed{Key: "hook:1", Agent: "crab", Cwd: t.TempDir(), Source: "cron", CronJobID: "j", Outgoing: Outgoing{Text: "one"}})
	made, err := k.Get(first.SessionID)
	if err != nil || !first.Created || made.Source != "cron" || made.CronJobID != "j" || *made.Agent != "crab" || made.Model != "m-1" || made.Cwd == nil {
		t.Errorf("%+v %+v, %v", first, made, err)
	}
	second := k.post(Addressed{Key: "hook:1", Agent: "other", Outgoing: Outgoing{Text: "two"}})
	if second.Created || second.SessionID != first.SessionID {
		t.Errorf("%+v, then %+v", first, second)
	}
	if again, err := k.Get(first.SessionID); err != nil || *again.Agent != "crab" || *again.MessageCount != 4 {
		t.Errorf("%+v, %v", again, err)
	}
	if other := k.post(toKey("HOOK:1", "three")); !other.Created {
		t.Errorf("%+v", other)
	}
	pair := k.post(Addressed{Agent: "crab", CreatedBy: "tg", Outgoing: Outgoing{Text: "four"}})
	if more := k.post(Addressed{Agent: "crab", CreatedBy: "tg", Outgoing: Outgoing{Text: "five"}}); !pair.Created || more.Created || more.SessionID != pair.SessionID {
		t.Errorf("%+v, then %+v", pair, more)
	}
	for name, m := range map[string]Addressed{
		"no address":    {Outgoing: Outgoing{Text: "x"}},
		"nothing said":  toKey("new", " "),
		"a bad rule":    {Key: "new", Outgoing: Outgoing{Text: "x", Allow: []string{"("}}},
		"a bad source":  {Key: "new", Source: "moon", Outgoing: Outgoing{Text: "x"}},
		"a control key": toKey("a\nb", "x"),
	} {
		if _, err := k.SendTo(t.Context(), m, nil); !errors.Is(err, session.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := k.SendTo(t.Context(), Addressed{Key: "new", Outgoing: Outgoing{Retry: true}}, nil); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("a retry where there is nothing: %v", err)
	}
	list, err := k.List(t.Context(), ListOptions{Key: "new"})
	if err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	for want, opts := range map[int]ListOptions{
		1: {Key: "hook:1"}, 2: {Agent: "crab"}, 0: {Agent: "crab", CreatedBy: "nobody"},
	} {
		if list, err := k.List(t.Context(), opts); err != nil || len(list) != want {
			t.Errorf("%+v: %d, %v", opts, len(list), err)
		}
	}
	for _, opts := range []ListOptions{{Source: "cron"}, {CronJobID: "j"}, {CreatedBy: "tg"}} {
		if list, err := k.List(t.Context(), opts); err != nil || len(list) != 1 {
			t.Errorf("%+v: %d, %v", opts, len(list), err)
		}
	}
	if _, err := k.List(t.Context(), ListOptions{Source: "moon"}); !errors.Is(err, session.ErrInput) {
		t.Errorf("%v", err)
	}
}

// clockAt is a talker whose clock the test sets.
func clockAt(t *testing.T, now *time.Time, settings ...string) *talker {
	t.Helper()
	k := talk(t, settings...)
	k.now = func() time.Time { return *now }
	return k
}

// TestResetHour: the first message behind the hour begins a new session, which takes over what the old one may.
func TestResetHour(t *testing.T) {
	loc := time.FixedZone("here", 2*3600)
	now := time.Now().In(loc)
	k := clockAt(t, &now)
	k.server.Script(echo)
	old := k.post(toKey("k", "one"))
	_, err := k.SetPermissions(t.Context(), old.SessionID, []session.Permission{{Rule: "bash(ls)", Effect: "allow"}}, nil)
	newsMust(t, err)
	if same := k.post(toKey("k", "two")); same.Created {
		t.Error("a new session a moment later")
	}
	now = now.Add(25 * time.Hour)
	if _, err := k.SendTo(t.Context(), Addressed{Key: "k", Outgoing: Outgoing{Retry: true}}, nil); !errors.Is(err, agent.ErrNothingToAnswer) {
		t.Errorf("a retry goes to the session there is: %v", err)
	}
	if aside := k.post(Addressed{Key: "k", Outgoing: Outgoing{Text: "x", NoHistory: true}}); aside.SessionID != old.SessionID {
		t.Errorf("without history: %+v", aside)
	}
	fresh := k.post(toKey("k", "three"))
	if !fresh.Created || fresh.SessionID == old.SessionID {
		t.Fatalf("%+v", fresh)
	}
	rules, err := k.Permissions(fresh.SessionID)
	if err != nil || len(rules.Permissions) != 1 {
		t.Errorf("%+v, %v", rules.Permissions, err)
	}
	if got := logOf(t, k.Backend, fresh.SessionID); len(got) != 2 {
		t.Errorf("%v", got)
	}
	k.id = old.SessionID
	k.say("still here").ok()
	k.wantLog("user: one", "assistant: re: one", "user: two", "assistant: re: two", "user: still here", "assistant: re: still here")
}

// TestARunningTurnKeepsItsSession: a message behind the hour waits behind the turn that is under way.
func TestARunningTurnKeepsItsSession(t *testing.T) {
	now := time.Now()
	k := clockAt(t, &now, "session: {idle_minutes: 5}")
	first, err := k.SendTo(t.Context(), toKey("k", "one"), nil)
	newsMust(t, err)
	asked := k.server.Next()
	now = now.Add(48 * time.Hour)
	events := make(chan agent.Event, 1<<10)
	second, err := k.SendTo(t.Context(), toKey("k", "two"), func(e agent.Event) { events <- e })
	newsMust(t, err)
	if second.SessionID != first.SessionID || !second.Queued || second.Created {
		t.Errorf("%+v", second)
	}
	k.server.Script(echo)
	asked.Answer("re: one")
	(&turn{second.Sent, t, events}).ok()
}

func TestIdleMinutes(t *testing.T) {
	now := time.Now()
	k := clockAt(t, &now, "session: {idle_minutes: 5, reset_hour: off}")
	k.server.Script(echo)
	first := k.post(toKey("k", "one"))
	now = now.Add(4 * time.Minute)
	if same := k.post(toKey("k", "two")); same.Created {
		t.Error("over too early")
	}
	now = now.Add(30 * time.Minute)
	unkeyed := k.post(Addressed{Agent: "a", Outgoing: Outgoing{Text: "x"}})
	if next := k.post(toKey("k", "three")); !next.Created || next.SessionID == first.SessionID {
		t.Errorf("%+v", next)
	}
	now = now.Add(30 * time.Minute)
	if same := k.post(Addressed{Agent: "a", Outgoing: Outgoing{Text: "x"}}); same.SessionID != unkeyed.SessionID {
		t.Error("a session without a key is over")
	}
}

// TestHeartbeatLeavesNothing: without history and without a session nothing is on disk before and after.
func TestHeartbeatLeavesNothing(t *testing.T) {
	k := talk(t)
	var dialogue []string
	k.server.Script(func(q *modeltest.Asked) { dialogue = q.Dialogue(); q.Answer("HEARTBEAT_OK") })
	folder := t.TempDir()
	newsMust(t, os.WriteFile(filepath.Join(folder, "AGENTS.md"), []byte("Tend the garden."), 0o600))
	before := strings.Join(homeFiles(t, k.Home()), "\n")
	sent := k.post(Addressed{Key: "cron:beat", Cwd: folder, Outgoing: Outgoing{Text: "Anything?", NoHistory: true}})
	after := homeFiles(t, k.Home())
	after = deleteAll(after, "keys/lock", "keys")
	if got := strings.Join(after, "\n"); got != before || sent.Created || session.CheckID(sent.SessionID) != nil {
		t.Errorf("%+v\n%s\nthen\n%s", sent, before, got)
	}
	if len(dialogue) != 2 || !strings.Contains(dialogue[0], "Tend the garden.") || dialogue[1] != "user: Anything?" {
		t.Errorf("%q", dialogue)
	}
	if _, ok := k.asides.of(sent.SessionID); ok {
		t.Error("it is remembered")
	}
	if _, err := k.Get(sent.SessionID); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// TestHeartbeatThatIsStopped: it can be, by the id it was given.
func TestHeartbeatThatIsStopped(t *testing.T) {
	k := talk(t)
	events := make(chan agent.Event, 1<<10)
	sent, err := k.SendTo(t.Context(), Addressed{Key: "b", Outgoing: Outgoing{Text: "x", NoHistory: true}}, func(e agent.Event) { events <- e })
	newsMust(t, err)
	asked := k.server.Next()
	_, err = k.EndTurn(sent.SessionID, sent.TurnID)
	newsMust(t, err)
	if done := (&turn{sent.Sent, t, events}).done(); done.Status != agent.StatusAborted || done.Unsent != "" {
		t.Errorf("%+v", done)
	}
	asked.Gone()
	asked.Close()
}

func deleteAll(list []string, names ...string) (out []string) {
	for _, item := range list {
		keep := true
		for _, name := range names {
			keep = keep && item != name
		}
		if keep {
			out = append(out, item)
		}
	}
	return out
}

func homeFiles(t *testing.T, home string) (all []string) {
	t.Helper()
	newsMust(t, filepath.WalkDir(home, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(home, path)
		all = append(all, filepath.ToSlash(name))
		return err
	}))
	return all
}

func TestReset(t *testing.T) {
	k := talk(t)
	k.server.Script(echo)
	old := k.post(toKey("k", "one"))
	begun, err := k.Reset(t.Context(), "k")
	if err != nil || begun.ID == old.SessionID || *begun.Key != "k" || *begun.MessageCount != 0 || begun.ParentSessionID != "" {
		t.Errorf("%+v, %v", begun, err)
	}
	if next := k.post(toKey("k", "two")); next.SessionID != begun.ID || next.Created {
		t.Errorf("%+v", next)
	}
	for key, want := range map[string]error{"nobody": session.ErrNotFound, "": session.ErrInput} {
		_, err := k.Reset(t.Context(), key)
		if !errors.Is(err, want) {
			t.Errorf("%q: %v", key, err)
		}
		if p := ProblemOf(err); errors.Is(want, session.ErrNotFound) && !strings.Contains(p.Hint, "send --key") {
			t.Errorf("%+v", p)
		}
	}
	for argument, want := range map[string]string{"k": "k", old.SessionID: "k", begun.ID[:25]: "k"} {
		if key, err := k.KeyOf(t.Context(), argument); err != nil || key != want {
			t.Errorf("%s: %q, %v", argument, key, err)
		}
	}
	for argument, want := range map[string]error{k.id: session.ErrInput, "nobody": session.ErrNotFound, fmt.Sprintf("%026d", 0): session.ErrNotFound} {
		if _, err := k.KeyOf(t.Context(), argument); !errors.Is(err, want) {
			t.Errorf("%s: %v", argument, err)
		}
	}
}

// TestAResetKeepsWhoAnswers: a key talks to the same model at the same place in the next session.
func TestAResetKeepsWhoAnswers(t *testing.T) {
	k := withTwo(t, "session: {idle_minutes: 30}")
	k.answers()
	k.b.Offer("b-1", "b-2")
	first := toKey("key", "one")
	first.Provider, first.Model = "b", "b-2"
	old := k.post(first)
	begun, err := k.Reset(t.Context(), "key")
	if err != nil || begun.Model != "b-2" || strings.Join(modelRecords(t, k.Backend, begun.ID), "; ") != "b b-2" {
		t.Errorf("%+v, %v", begun, err)
	}
	newsMust(t, k.store.Trash(t.Context(), begun.ID))
	k.Backend.now = func() time.Time { return time.Now().Add(time.Hour) }
	next := k.post(toKey("key", "two"))
	if got := strings.Join(modelRecords(t, k.Backend, next.SessionID), "; "); next.SessionID == old.SessionID || got != "b b-2" {
		t.Errorf("%+v: %s", next, got)
	}
	k.id = next.SessionID
	k.wantLog("model: ", "user: two", "assistant: b, b-2, ")
}

// TestQueryFindsOrigins: what a program made is found by what that program calls it.
func TestQueryFindsOrigins(t *testing.T) {
	b := talk(t)
	made, err := b.New(NewSession{Key: "night", Source: session.SourceCron, CronJobID: "backup", Agent: "keeper"})
	newsMust(t, err)
	for _, query := range []string{"NIGHT", "backup", "keeper", "cron"} {
		if got, err := b.List(t.Context(), ListOptions{Query: query}); err != nil || len(got) != 1 || got[0].ID != made.ID {
			t.Errorf("%s: %+v, %v", query, got, err)
		}
	}
	if got, err := b.List(t.Context(), ListOptions{Query: "interactive"}); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
