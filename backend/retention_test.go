package backend

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/all"
	"palimpsest/backend/sources/sourcetest"
)

const (
	claudePlace = ".claude/projects/-w/p.jsonl"
	claudeText  = `{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-01-02T10:00:00Z","sessionId":"p","cwd":"/w","version":"2.1.0","message":{"role":"user","content":"go"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-01-02T10:00:01Z","sessionId":"p","message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"text","text":"gone"}]}}
`
	claudeChild = `{"type":"user","uuid":"s1","parentUuid":null,"timestamp":"2026-01-02T10:00:01Z","sessionId":"p","isSidechain":true,"agentId":"a1","message":{"role":"user","content":"look"}}
`
)

// machine is a backend of which the home and what other agents left can be opened again.
type machine struct {
	t            *testing.T
	home, others string
	now          time.Time
}

func (m *machine) open() *Backend {
	m.t.Helper()
	found, release := all.Open()
	b, err := Open(Options{
		Home: m.home, UserHome: m.others, Cache: m.t.TempDir(), Sources: found, Release: release, Now: func() time.Time { return m.now },
		Warn: func(err error) { m.t.Error(err) },
	})
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(b.Close)
	return b
}

// TestKeepingIsNews: who lists the session hears that there is a copy of it now, and that there is none.
func TestKeepingIsNews(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	writePi(t, m.others, piSession())
	b := m.open()
	events, cancel := b.Subscribe()
	defer cancel()
	kept, err := b.Keep(t.Context(), []string{"pi:s1"})
	if err != nil || kept[0].KeptAt == nil {
		t.Fatal(kept, err)
	}
	newsOf(t, events, EventChanged, "pi:s1")
	newsMust(t, b.DropCopy("pi:s1"))
	newsOf(t, events, EventChanged, "pi:s1")
	if s, err := b.Get("pi:s1"); err != nil || s.KeptAt != nil {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestRetention(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	path := sourcetest.Write(t, m.others, claudePlace, claudeText)
	fresh := sourcetest.Write(t, m.others, ".claude/projects/-w/q.jsonl", strings.ReplaceAll(claudeText, `"p"`, `"q"`))
	writePi(t, m.others, piSession()) // of an agent that deletes nothing
	old := m.now.Add(-28 * sources.Day)
	for at, when := range map[string]time.Time{path: old, fresh: m.now} {
		if err := os.Chtimes(at, when, when); err != nil {
			t.Fatal(err)
		}
	}
	b := m.open()
	told, err := b.Retention(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(told.Sessions) != 2 || told.Sessions[0].ID != "claudecode:p" || told.Sessions[0].GoesAt != stamp(old.Add(30*sources.Day)) {
		t.Errorf("%+v", told.Sessions)
	}
	rules := map[string]AgentRetention{}
	for _, rule := range told.Agents {
		rules[rule.Agent] = rule
	}
	if rule := rules["claudecode"]; *rule.Days != 30 || rule.From != sources.RetentionDefault || rule.Going != 1 {
		t.Errorf("%+v", rule)
	}
	if rule := rules["coderclaw"]; rule.Days != nil || rule.From != sources.RetentionDefault {
		t.Errorf("%+v", rule)
	}

	kept, err := b.Keep(t.Context(), []string{"claudecode:p", "claudecode:nobody", "nobody", "pi:s1"})
	if err != nil || len(kept) != 4 || kept[0].KeptAt == nil || kept[1].Problem.Code != CodeNotFound || kept[2].Problem.Code != CodeInvalidID || kept[3].KeptAt == nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	if told, err = b.Retention(t.Context()); err != nil || told.Agents[0].Going != 0 || told.Sessions[0].Kept == nil {
		t.Errorf("%+v, %v", told, err)
	}
	sourcetest.Write(t, m.others, ".claude/settings.json", `{"cleanupPeriodDays":365}`)
	if told, err = b.Retention(t.Context()); err != nil || *told.Agents[0].Days != 365 || told.Agents[0].From != sources.RetentionSettings {
		t.Errorf("%+v, %v", told.Agents, err)
	}
}

func TestKeptSessionsOutliveTheirFiles(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
	sourcetest.Write(t, m.others, claudePlace, claudeText)
	sourcetest.Write(t, m.others, ".claude/projects/-w/p/subagents/agent-a1.jsonl", claudeChild)
	writePi(t, m.others, piSession())
	b := m.open()
	ids := []string{"claudecode:p", "claudecode:p.agent-a1", "pi:s1"}
	before := map[string]Context{}
	for _, id := range ids {
		c, err := b.Context(id, ContextOptions{})
		if err != nil {
			t.Fatal(id, err)
		}
		before[id] = c
	}
	if kept, err := b.Keep(t.Context(), []string{"claudecode:p", "pi:s1"}); err != nil || kept[0].Problem != nil || kept[1].Problem != nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	for _, dir := range []string{".claude", ".pi"} {
		if err := os.RemoveAll(filepath.Join(m.others, dir)); err != nil {
			t.Fatal(err)
		}
	}
	b = m.open()
	list, err := b.List(t.Context(), ListOptions{Subagents: true})
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, s := range list {
		if !s.FromCopy || s.KeptAt == nil || !s.Foreign {
			t.Errorf("%+v", s)
		}
	}
	for _, id := range ids {
		c, err := b.Context(id, ContextOptions{})
		if err != nil {
			t.Fatal(id, err)
		}
		if diff := cmp.Diff(before[id].Messages, c.Messages); diff != "" {
			t.Errorf("%s is another: %s", id, diff)
		}
	}
	if made, err := b.Import(t.Context(), "pi:s1"); err != nil || made.Did != ImportCreated {
		t.Errorf("%+v, %v", made, err)
	}
	listed, err := b.KeptCopies(t.Context())
	if err != nil || len(listed) != 3 || listed[0].There {
		t.Errorf("%+v, %v", listed, err)
	}
	if err := b.DropCopy("pi:s1"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Get("pi:s1"); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
	if err := b.DropCopy("pi:s1"); ProblemOf(err).Code != CodeNotFound {
		t.Error(err)
	}
}

// TestKeptApart: of a session that went on apart in two places, each copy is read where the other is not.
func TestKeptApart(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
	sourcetest.Write(t, m.others, claudePlace, claudeText)
	sourcetest.Write(t, m.others, ".claude/projects/-x/p.jsonl", strings.Replace(claudeText, "gone", "otherwise", 1))
	b := m.open()
	ids := []string{"claudecode:p", "claudecode:p@-w"}
	if kept, err := b.Keep(t.Context(), ids); err != nil || kept[0].Problem != nil || kept[1].Problem != nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	if err := os.RemoveAll(filepath.Join(m.others, ".claude")); err != nil {
		t.Fatal(err)
	}
	b = m.open()
	for i, said := range []string{"otherwise", "gone"} {
		c, err := b.Context(ids[i], ContextOptions{})
		if err != nil || len(c.Messages) != 2 || !strings.Contains(string(c.Messages[1].Content[0]), said) {
			t.Errorf("%s: %+v, %v", ids[i], c.Messages, err)
		}
	}
}

// TestSamplesAreKept: the copy of every sample is read as the sample is, where there is nothing else.
func TestSamplesAreKept(t *testing.T) {
	for _, home := range sourcetest.Samples(t, "") {
		t.Run(filepath.Base(home), func(t *testing.T) {
			m := &machine{t, t.TempDir(), home, time.Now()}
			b := m.open()
			list, err := b.List(t.Context(), ListOptions{Subagents: true, Archived: true})
			if err != nil {
				t.Fatal(err)
			}
			before := map[string]Context{}
			for _, s := range list {
				kept, err := b.Keep(t.Context(), []string{s.ID})
				if err != nil {
					t.Fatal(err)
				}
				if kept[0].Problem != nil {
					t.Errorf("%+v", kept[0].Problem)
					continue
				}
				if before[s.ID], err = b.Context(s.ID, ContextOptions{}); err != nil {
					t.Fatal(s.ID, err)
				}
			}
			m.others = t.TempDir()
			b = m.open()
			for id, was := range before {
				is, err := b.Context(id, ContextOptions{})
				if err != nil {
					t.Fatal(id, err)
				}
				if diff := cmp.Diff(was.Messages, is.Messages); diff != "" {
					t.Errorf("%s is another: %s", id, diff)
				}
			}
		})
	}
}
