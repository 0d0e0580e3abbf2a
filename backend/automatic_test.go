package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/session"
)

// inFolder gives the talker a session that works in a new folder.
func (k *talker) inFolder(prompt string) string {
	k.t.Helper()
	dir := k.t.TempDir()
	made, err := k.New(NewSession{Cwd: dir, SystemPrompt: prompt})
	newsMust(k.t, err)
	k.id = made.ID
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	newsMust(t, os.MkdirAll(filepath.Dir(path), 0o700))
	newsMust(t, os.WriteFile(path, []byte(text), 0o600))
}

// TestInjectedIsReadAnew for each request, is in the context and its size, and not in the log.
func TestInjectedIsReadAnew(t *testing.T) {
	k := talk(t, "system_prompt: Be terse.", "memory: {recall_tokens: 50}")
	dir := k.inFolder("")
	put(t, filepath.Join(dir, "AGENTS.md"), "Use tabs.")
	put(t, filepath.Join(dir, "memory", "a.md"), "It rained.")
	put(t, filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/topic")
	u := k.say("hello")
	q := k.server.Next()
	system := q.Messages[0].Content
	for _, want := range []string{"Be terse.", "Use tabs.", "It rained.", "Working directory: " + dir, "Git branch: topic", time.Now().Format("Date: 2006-01-02")} {
		if !strings.Contains(system, want) {
			t.Errorf("no %q in %s", want, system)
		}
	}
	q.Answer("fine")
	u.ok()
	put(t, filepath.Join(dir, "AGENTS.md"), "Use blanks.")
	u = k.say("again")
	if q = k.server.Next(); strings.Contains(q.Raw, "Use tabs.") || !strings.Contains(q.Messages[0].Content, "Use blanks.") {
		t.Errorf("%q", q.Messages[0].Content)
	}
	q.Answer("fine")
	u.ok()
	k.wantLog("user: hello", "assistant: fine", "user: again", "assistant: fine")

	c, err := k.Context(k.id, ContextOptions{Injected: true})
	newsMust(t, err)
	var kinds []string
	for i, part := range c.Injected.Parts {
		kinds = append(kinds, part.Kind)
		if part.Kind == "tools" {
			continue // which are no message
		}
		if m := c.Messages[i]; m.Role != "system" || m.Overlay != "injected" || m.Seq != 0 || part.Tokens == 0 {
			t.Errorf("%+v %+v", m, part)
		}
	}
	if got := strings.Join(kinds, " "); got != "system agents environment memory tools" || len(c.Messages) != 8 {
		t.Errorf("%s, %d messages", got, len(c.Messages))
	}
	if p := c.Parts; p.Injected == 0 || p.Injected+p.Summary+p.Kept+p.Fresh != c.Tokens.Calibrated || c.Tokens.Calibrated <= c.Tokens.Estimate {
		t.Errorf("%+v %+v", p, c.Tokens)
	}
	if c, err := k.Context(k.id, ContextOptions{}); err != nil || len(c.Messages) != 4 {
		t.Errorf("%d messages, %v", len(c.Messages), err)
	}
}

func TestASessionsOwnSystemPrompt(t *testing.T) {
	k := talk(t, "system_prompt: Be terse.")
	k.inFolder("Be a pirate.")
	u := k.say("hello")
	q := k.server.Next()
	if got := q.Messages[0].Content; !strings.HasPrefix(got, "Be a pirate.\n") || strings.Contains(got, "terse") {
		t.Error(got)
	}
	q.Answer("arr")
	u.ok()
	if _, err := k.New(NewSession{SystemPrompt: strings.Repeat("x", 65<<10)}); !errors.Is(err, session.ErrInput) {
		t.Error(err)
	}
}

// TestBudgetFollowsTheSettings: the floor, the caps, and the window of the model that writes summaries.
func TestBudgetFollowsTheSettings(t *testing.T) {
	k := talk(t, "context_window: 100000", "compaction: {reserve_tokens_floor: 30000, max_tokens: 60000, threshold_ratio: 0.5, model: m-2}")
	k.server.Offer("m-1=50000", "m-2=9000")
	k.Models(t.Context(), true)
	settings, _ := k.Settings()
	if b := k.budget(settings, "m-1"); b.Window != 100000 || b.Reserve != 30000 || b.Trigger() != 50000 || b.KeepRecent != 20000 {
		t.Errorf("%+v", b)
	}
	if b := k.budget(settings, "m-2"); b.Window != 9000 {
		t.Errorf("%+v", b)
	}
	c, err := k.resolve(k.id)
	newsMust(t, err)
	choice, err := k.choose(t.Context(), k.id, agent.Wanted{}, &c)
	newsMust(t, err)
	if s := choice.Compaction.Summarizer; s == nil || s.Model != "m-2" || s.Budget.Window != 9000 {
		t.Errorf("%+v", s)
	}
	if choice, err = k.choose(t.Context(), k.id, agent.Wanted{Model: "m-2"}, &c); err != nil || choice.Compaction.Summarizer != nil {
		t.Errorf("it answers itself: %+v, %v", choice.Compaction.Summarizer, err)
	}
}

// TestACheaperModelWritesSummaries that a user asks for, too, and the review says so.
func TestACheaperModelWritesSummaries(t *testing.T) {
	k := talk(t, "compaction: {model: m-2}")
	for range 2 {
		u := k.say("hello")
		k.server.Next().Answer("fine")
		u.ok()
	}
	keep := 0
	review, err := k.PlanCompaction(t.Context(), k.id, Cut{KeepRecent: &keep})
	if err != nil || review.Model == nil || *review.Model != "m-2" {
		t.Errorf("%+v %v", review.Model, err)
	}
	k.server.Script(func(q *modeltest.Asked) {
		if q.Model != "m-2" {
			t.Errorf("%s is asked", q.Model)
		}
		q.Answer(sectioned)
	})
	done, err := k.Compact(t.Context(), k.id, Compact{Cut: Cut{KeepRecent: &keep}})
	if err != nil || done.Draft.Model == nil || *done.Draft.Model != "m-2" {
		t.Errorf("%+v %v", done.Draft, err)
	}
}

// TestTheHookOfACompactionByHand runs in the session's folder, and is heard or told.
func TestTheHookOfACompactionByHand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are the shell's")
	}
	for name, c := range map[string]struct {
		command string
		check   func(*testing.T, *talker, Compacted, error)
	}{
		"a summary": {`cat >plan.json; printf '%s' '{"summary":"## Goal\nMine"}'`, func(t *testing.T, k *talker, done Compacted, err error) {
			if err != nil || !strings.HasPrefix(done.Draft.Summary, "## Goal\nMine") || done.Draft.Hook == nil || done.Draft.Hook.Used != compaction.UsedSummary {
				t.Errorf("%+v %v", done.Draft, err)
			}
			if _, err := os.Stat(filepath.Join(k.dir(), "plan.json")); err != nil {
				t.Error(err)
			}
		}},
		"a refusal": {`echo '{"refuse":"the release is today"}'`, func(t *testing.T, k *talker, _ Compacted, err error) {
			if p := ProblemOf(err); !errors.Is(err, compaction.ErrRefused) || p.Code != CodeRefused || !strings.Contains(p.Message, "the release is today") || !strings.Contains(p.Hint, "nothing was written") {
				t.Errorf("%+v", p)
			}
			if n := len(logOf(t, k.Backend, k.id)); n != 2 {
				t.Errorf("%d records", n)
			}
		}},
		"garbage": {`echo sorry; exit 3`, func(t *testing.T, k *talker, done Compacted, err error) {
			if err != nil || done.CommittedSeq == nil || done.Draft.Hook.Problem != "exit status 3" || !strings.Contains(strings.Join(done.Draft.Notes, ""), "exit status 3") {
				t.Errorf("%+v %v", done.Draft, err)
			}
			text, err := os.ReadFile(k.store.LogPath(k.id))
			if err != nil || !strings.Contains(string(text), `"hook":{"used":"none","problem":"exit status 3"}`) {
				t.Errorf("%s %v", text, err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			k := talk(t, "compaction: {hook: '"+strings.ReplaceAll(c.command, "'", "''")+"'}")
			k.inFolder("")
			u := k.say("hello")
			k.server.Next().Answer("fine")
			u.ok()
			k.server.Script(func(q *modeltest.Asked) { q.Answer(sectioned) })
			keep := 0
			done, err := k.Compact(t.Context(), k.id, Compact{Cut: Cut{KeepRecent: &keep}})
			c.check(t, k, done, err)
		})
	}
}

func (k *talker) dir() string {
	k.t.Helper()
	meta, err := k.store.Metadata(k.id)
	newsMust(k.t, err)
	return meta.Cwd
}

// TestOneCompactionAtATime: a second one by hand is refused, and one that a turn needs comes first.
func TestOneCompactionAtATime(t *testing.T) {
	k := talk(t)
	u := k.say("hello")
	k.server.Next().Answer("fine")
	u.ok()
	keep := 0
	byHand := func(ctx context.Context) error {
		_, err := k.Compact(ctx, k.id, Compact{Cut: Cut{KeepRecent: &keep}})
		return err
	}
	first := make(chan error)
	go func() { first <- byHand(context.Background()) }()
	q := k.server.Next()
	if err := byHand(t.Context()); !errors.Is(err, session.ErrBusy) || !strings.Contains(err.Error(), "being compacted") {
		t.Errorf("a second one: %v", err)
	}
	if _, err := k.Compact(t.Context(), k.id, Compact{DryRun: true, Offline: true, Cut: Cut{KeepRecent: &keep}}); err != nil {
		t.Errorf("a look: %v", err)
	}
	end := k.compacting.turn(k.id)
	if err := <-first; !errors.Is(err, compaction.ErrStale) || !strings.Contains(err.Error(), "a turn had to compact first") {
		t.Errorf("the first one: %v", err)
	}
	q.Gone()
	if err := byHand(t.Context()); !errors.Is(err, session.ErrBusy) {
		t.Errorf("during the turn's: %v", err)
	}
	end()
	k.wantLog("user: hello", "assistant: fine")
	k.server.Script(func(q *modeltest.Asked) { q.Answer(sectioned) })
	newsMust(t, byHand(t.Context()))
}

// TestIdleTimeoutIsASetting: a stream of which nothing more comes ends by itself.
func TestIdleTimeoutIsASetting(t *testing.T) {
	k := talk(t, "idle_timeout: 50ms")
	u := k.say("hello")
	q := k.server.Next()
	q.Say("half an")
	if done := u.done(); done.Status != agent.StatusError || !strings.Contains(done.Error.Message, "sent nothing more for 50ms") {
		t.Errorf("%+v", done.Error)
	}
	q.Gone()
}

// TestKeysAreNotForTheHook, whose words are in the log.
func TestKeysAreNotForTheHook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are the shell's")
	}
	k := talk(t, `compaction: {hook: "env | grep -c sk-secret >&2; exit 3"}`)
	u := k.say("hello")
	k.server.Next().Answer("fine")
	u.ok()
	for _, name := range llm.KeyVariables {
		t.Setenv(name, "sk-secret")
	}
	keep := 0
	done, err := k.Compact(t.Context(), k.id, Compact{Offline: true, DryRun: true, Cut: Cut{KeepRecent: &keep}})
	if err != nil || done.Draft.Hook == nil || done.Draft.Hook.Problem != "exit status 3: 0" {
		t.Errorf("%+v %v", done.Draft, err)
	}
}
