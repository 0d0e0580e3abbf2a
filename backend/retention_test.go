package backend

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
	newsMust(t, b.DropCopy(t.Context(), "pi:s1"))
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
	told, err := b.Retention(t.Context(), RetentionOptions{})
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
	if rule := rules["claudecode"]; *rule.Days != 30 || rule.From != sources.RetentionDefault || rule.Sessions != 2 || rule.Going != 1 {
		t.Errorf("%+v", rule)
	}
	if rule := rules["coderclaw"]; rule.Days != nil || rule.From != sources.RetentionDefault || rule.Sessions != 0 {
		t.Errorf("%+v", rule)
	}

	kept, err := b.Keep(t.Context(), []string{"claudecode:p", "claudecode:nobody", "nobody", "pi:s1"})
	if err != nil || len(kept) != 4 || kept[0].KeptAt == nil || kept[1].Problem.Code != CodeNotFound || kept[2].Problem.Code != CodeInvalidID || kept[3].KeptAt == nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	if told, err = b.Retention(t.Context(), RetentionOptions{}); err != nil || told.Agents[0].Going != 0 || told.Sessions[0].Kept == nil {
		t.Errorf("%+v, %v", told, err)
	}
	sourcetest.Write(t, m.others, ".claude/settings.json", `{"cleanupPeriodDays":365}`)
	if told, err = b.Retention(t.Context(), RetentionOptions{}); err != nil || *told.Agents[0].Days != 365 || told.Agents[0].From != sources.RetentionSettings {
		t.Errorf("%+v, %v", told.Agents, err)
	}
}

// TestTwoRules: sessions in different folders of an agent go by the rules of these.
func TestTwoRules(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	path := sourcetest.Write(t, m.others, claudePlace, claudeText)
	other := sourcetest.Write(t, m.others, ".config/claude/projects/-w/q.jsonl", strings.ReplaceAll(claudeText, `"p"`, `"q"`))
	sourcetest.Write(t, m.others, ".claude/settings.json", `{"cleanupPeriodDays":90}`)
	for _, at := range []string{path, other} {
		if err := os.Chtimes(at, m.now, m.now); err != nil {
			t.Fatal(err)
		}
	}
	told, err := m.open().Retention(t.Context(), RetentionOptions{})
	if err != nil || len(told.Sessions) != 2 || told.Sessions[0].GoesAt != stamp(m.now.Add(30*sources.Day)) || told.Sessions[1].GoesAt != stamp(m.now.Add(90*sources.Day)) {
		t.Fatalf("%+v, %v", told.Sessions, err)
	}
	if told.Sessions[0].ID != "claudecode:q" || *told.Agents[0].Days != 90 || *told.Agents[1].Days != 30 || told.Agents[1].Agent != "claudecode" {
		t.Errorf("%+v", told)
	}
}

// TestTwoRulesAndCopies: a copy counts where its session was, or else with the first rule, whether that is still there or not.
func TestTwoRulesAndCopies(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	moved := filepath.Join(t.TempDir(), "moved")
	t.Setenv("CLAUDE_CONFIG_DIR", moved+","+filepath.Join(m.others, ".claude")+","+filepath.Join(m.others, ".config/claude"))
	ids := []string{}
	for id, path := range map[string]string{"p": filepath.Join(m.others, ".claude"), "q": filepath.Join(m.others, ".config/claude"), "r": moved} {
		sourcetest.Write(t, path, "projects/-w/"+id+".jsonl", strings.ReplaceAll(claudeText, `"p"`, `"`+id+`"`))
		ids = append(ids, "claudecode:"+id)
	}
	sourcetest.Write(t, m.others, ".claude/settings.json", `{"cleanupPeriodDays":90}`)
	if kept, err := m.open().Keep(t.Context(), ids); err != nil || kept[0].Problem != nil || kept[1].Problem != nil || kept[2].Problem != nil {
		t.Fatal(kept, err)
	}
	elsewhere := t.TempDir()
	sourcetest.Write(t, elsewhere, "settings.json", `{"cleanupPeriodDays":90}`)
	sourcetest.Write(t, elsewhere, "projects/-w/x.jsonl", "")
	for i, want := range [][]int{{1, 1, 1}, {0, 2, 1}, {3, 0}} { // what was elsewhere is kept as if it had been in the usual place
		if i == 2 {
			t.Setenv("CLAUDE_CONFIG_DIR", moved+","+elsewhere)
		}
		told, err := m.open().Retention(t.Context(), RetentionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var kept []int
		for _, rule := range told.Agents[:len(want)] {
			kept = append(kept, rule.Kept)
		}
		if !slices.Equal(kept, want) || told.Agents[len(want)].Agent == "claudecode" {
			t.Errorf("%d kept, not %d", kept, want)
		}
		for _, dir := range []string{moved, m.others + "/.claude", m.others + "/.config/claude"} {
			newsMust(t, os.RemoveAll(filepath.Join(dir, "projects", "-w")))
		}
	}
}

// TestDamagedAndGoing: a file that can't be read goes as others do, and is told as what it is; of a database nobody can tell what goes.
func TestDamagedAndGoing(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	database := sourcetest.Write(t, m.others, ".openclaw/agents/main/agent/openclaw-agent.sqlite", "no database, whatever its name says")
	rubbish := sourcetest.Write(t, m.others, ".claude/projects/-w/r.jsonl", strings.Repeat("\x00", 4096))
	old := m.now.Add(-28 * sources.Day)
	for _, path := range []string{database, rubbish} {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	b := m.open()
	if list, err := b.List(t.Context(), ListOptions{}); err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	told, err := b.Retention(t.Context(), RetentionOptions{})
	if err != nil || len(told.Sessions) != 1 || told.Sessions[0].ID != "claudecode:r" || told.Sessions[0].Problem == nil {
		t.Errorf("%+v, %v", told.Sessions, err)
	}
	for _, rule := range told.Agents {
		if want := map[string]int{"claudecode": 1}[rule.Agent]; rule.Going != want {
			t.Errorf("%+v", rule)
		}
	}
}

// TestRetentionInPart: a few of many are told with how many there are, and those without a copy by themselves.
func TestRetentionInPart(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	for _, name := range []string{"p", "q", "r"} {
		sourcetest.Write(t, m.others, strings.Replace(claudePlace, "p.jsonl", name+".jsonl", 1), strings.ReplaceAll(claudeText, `"sessionId":"p"`, `"sessionId":"`+name+`"`))
	}
	b := m.open()
	for _, c := range []struct {
		opts        RetentionOptions
		told, total int
		open        int
	}{
		{RetentionOptions{}, 3, 3, 3}, {RetentionOptions{Limit: 2}, 2, 3, 3}, {RetentionOptions{Open: true}, 2, 3, 2}, {RetentionOptions{Open: true, Limit: 1}, 1, 3, 2},
	} {
		if c.open == 2 && c.opts.Limit == 0 {
			kept, err := b.Keep(t.Context(), []string{"claudecode:q"})
			if newsMust(t, err); kept[0].Problem != nil {
				t.Fatal(kept)
			}
		}
		got, err := b.Retention(t.Context(), c.opts)
		newsMust(t, err)
		if len(got.Sessions) != c.told || got.Total != c.total || got.Open != c.open {
			t.Errorf("%+v: %d told, %d in all, %d open", c.opts, len(got.Sessions), got.Total, got.Open)
		}
		if c.opts.Open && slices.ContainsFunc(got.Sessions, func(g Going) bool { return g.Kept != nil }) {
			t.Errorf("%+v: one that is kept", c.opts)
		}
	}
}
