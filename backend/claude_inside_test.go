package backend

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/sourcetest"
)

const insidePlace = ".claude/projects/-w/p.jsonl"

// insideRow is a row of p's file; beside is of a subagent in it.
func insideRow(uuid, parent string, beside bool, rest string) string {
	above := `"` + parent + `"`
	if parent == "" {
		above = "null"
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":%t,"uuid":%q,"sessionId":"p","timestamp":"2026-01-02T10:00:0%dZ","cwd":"/w","version":"1.0.1",%s}`+"\n", above, beside, uuid, len(uuid)%10, rest)
}

func insideAsk(text string) string {
	return fmt.Sprintf(`"type":"user","message":{"role":"user","content":%q}`, text)
}

func insideAnswer(id, text string) string {
	return fmt.Sprintf(`"type":"assistant","message":{"id":%q,"role":"assistant","model":"m","content":[{"type":"text","text":%q}],"usage":{"input_tokens":1,"output_tokens":1}}`, id, text)
}

func insideCall(id, prompt string) string {
	return fmt.Sprintf(`"type":"assistant","message":{"id":"m%s","role":"assistant","model":"m","content":[{"type":"tool_use","id":%q,"name":"Task","input":{"description":"about %s","prompt":%q}}]}`, id, id, id, prompt)
}

// insideText is a file with two subagents in the middle, beyond what a list reads of its ends.
func insideText() string {
	long := strings.Repeat("x", 100<<10)
	return insideRow("u1", "", false, insideAsk("pecan "+long)) + insideRow("u2", "u1", false, insideCall("t1", "find walnut")) + insideRow("a1", "", true, insideAsk("find walnut")) +
		insideRow("a2", "a1", true, insideAnswer("ma", "an almond")) + insideRow("b1", "", true, insideAsk("nobody asked")) + insideRow("u3", "u2", false, insideAnswer("mu", "cherry "+long))
}

// noting notes which sessions are read.
type noting struct {
	claudecode.Source
	mu   sync.Mutex
	read []string
}

func (n *noting) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	n.note(&found)
	return n.Source.Read(ctx, env, found, log)
}

func (n *noting) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	n.note(&found)
	return n.Source.Follow(ctx, env, found, log)
}

func (n *noting) note(found *sources.Found) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.read = append(n.read, found.ID)
}

// since are those that were read since it was asked last.
func (n *noting) since() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	read := n.read
	n.read = nil
	slices.Sort(read)
	return slices.Compact(read)
}

// TestSubagentsInsideAreScanned: the first scan has them, each is read again when something was appended for it and not when that was for another, and
// what they were asked is nothing that the user said.
func TestSubagentsInsideAreScanned(t *testing.T) {
	home := t.TempDir()
	path := sourcetest.Write(t, home, insidePlace, insideText())
	source := &noting{}
	b := scanOf(t, home, t.TempDir(), source)
	parent, walnut, other := "claudecode:p", "claudecode:p.side-a1", "claudecode:p.side-b1"
	scan := func(want ...string) {
		t.Helper()
		newsMust(t, b.Scan(t.Context(), false, nil))
		if got := source.since(); !slices.Equal(got, want) {
			t.Errorf("read: %v, not %v", got, want)
		}
	}
	scan("p", "p.side-a1", "p.side-b1")
	listed, err := b.List(t.Context(), ListOptions{Subagents: true})
	newsMust(t, err)
	counts, titles := map[string]int{}, map[string]string{}
	for i := range listed {
		s := &listed[i]
		if s.MessageCount != nil {
			counts[s.ID] = *s.MessageCount
		}
		if s.Title != nil {
			titles[s.ID] = *s.Title
		}
		if s.ID != parent && (s.Parent == nil || *s.Parent != parent || *s.Cwd != "/w" || *s.AgentVersion != "1.0.1") {
			t.Errorf("%+v", s)
		}
	}
	if fmt.Sprint(counts) != fmt.Sprint(map[string]int{parent: 3, walnut: 2, other: 1}) || titles[walnut] != "about t1" || *listed[0].FirstMessage == "" {
		t.Errorf("%v, %v", counts, titles)
	}
	add(t, path, insideRow("u44", "u3", false, insideAsk("more")))
	scan("p") // it is followed from then on
	add(t, path, insideRow("u55", "u44", false, insideAsk("and more")))
	scan()
	add(t, path, insideRow("a33", "a2", true, insideAnswer("mc", "a peanut")))
	scan("p.side-a1")
	stats, err := b.Statistics(t.Context(), StatisticsOptions{})
	newsMust(t, err)
	if stats.Totals.Prompts != 3 || hits(t, b, "peanut") != 1 || hits(t, b, "walnut") != 2 {
		t.Errorf("%d prompts, %d and %d hits", stats.Totals.Prompts, hits(t, b, "peanut"), hits(t, b, "walnut"))
	}
	for of, want := range map[string]int{"find walnut": 0, "pecan": 1} {
		found, err := b.Search(t.Context(), SearchOptions{Text: of, Scopes: []string{"user"}})
		newsMust(t, err)
		if len(found.Hits) != want {
			t.Errorf("%s: %+v", of, found.Hits)
		}
	}
	sourcetest.Write(t, home, insidePlace, insideText()[:1<<10]+"\n")
	newsMust(t, b.Scan(t.Context(), false, nil))
	if row, there, err := b.indexing.index.Session(t.Context(), walnut); err != nil || !there || !row.Gone {
		t.Errorf("%+v, %t, %v", row, there, err)
	}
	forgot, err := b.Forget(t.Context(), []string{walnut})
	if err != nil || forgot[0].Problem != nil || hits(t, b, "almond") != 0 {
		t.Errorf("%+v, %v", forgot, err)
	}
}

// TestSubagentsInsideAreSessions: what is done with a session is done with one of them.
func TestSubagentsInsideAreSessions(t *testing.T) {
	home := t.TempDir()
	sourcetest.Write(t, home, insidePlace, insideText())
	b := abroad(t, home)
	newsMust(t, b.Scan(t.Context(), false, nil))
	const id = "claudecode:p.side-a1"
	c, err := b.Context(id, ContextOptions{})
	newsMust(t, err)
	if len(c.Messages) != 2 || !strings.Contains(string(c.Messages[0].Content[0]), "find walnut") {
		t.Errorf("%+v", c.Messages)
	}
	for _, format := range []string{"jsonl", "markdown", "pi"} {
		var out bytes.Buffer
		if _, err := b.Export(t.Context(), id, ExportOptions{Format: format}, &out); err != nil || !strings.Contains(out.String(), "almond") || strings.Contains(out.String(), "pecan") {
			t.Errorf("%s: %s, %v", format, out.String(), err)
		}
	}
	if checked, err := b.Check(id); err != nil {
		t.Errorf("%+v, %v", checked, err)
	}
	made, err := b.Import(t.Context(), id)
	if err != nil || made.Did != ImportCreated {
		t.Fatalf("%+v, %v", made, err)
	}
	if again, err := b.Import(t.Context(), id); err != nil || again.Did == ImportCreated {
		t.Errorf("%+v, %v", again, err)
	}
	if opening, err := b.Opening(t.Context(), id, 10); err != nil || opening.Total != 3 {
		t.Errorf("%+v, %v", opening, err)
	}
}

// TestSubagentsInsideAreKept: a copy of one has its own rows and no others, also of one of two sessions that went on apart in two places, and is read
// where nothing else is left.
func TestSubagentsInsideAreKept(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
	path := sourcetest.Write(t, m.others, insidePlace, insideText())
	sourcetest.Write(t, m.others, strings.Replace(insidePlace, "-w", "-x", 1), insideText()+insideRow("u9", "u3", false, insideAsk("otherwise"))+insideRow("c1", "", true, insideAsk("also there")))
	add(t, path, insideRow("u4", "u3", false, insideAsk("on")))
	b := m.open()
	newsMust(t, b.Scan(t.Context(), false, nil))
	ids := []string{"claudecode:p", "claudecode:p.side-a1", "claudecode:p.side-b1", "claudecode:p@-x", "claudecode:p@-x.side-c1"}
	read := func(b *Backend) map[string]string {
		t.Helper()
		listed, err := b.List(t.Context(), ListOptions{Subagents: true})
		newsMust(t, err)
		got := map[string]string{}
		for _, s := range listed {
			c, err := b.Context(s.ID, ContextOptions{})
			newsMust(t, err)
			said := ""
			for _, message := range c.Messages {
				said += string(message.Content[0]) + "\n"
			}
			got[s.ID] = said
		}
		return got
	}
	before := read(b)
	kept, err := b.Keep(t.Context(), []string{"claudecode:p", "claudecode:p@-x"})
	newsMust(t, err)
	if kept[0].Problem != nil || kept[1].Problem != nil {
		t.Fatalf("%+v", kept)
	}
	add(t, path, insideRow("u5", "u4", false, insideAsk("more"))+insideRow("a3", "a2", true, insideAsk("and walnut")))
	later := time.Now().Add(time.Minute)
	newsMust(t, os.Chtimes(filepath.FromSlash(path), later, later))
	going, err := b.Retention(t.Context(), RetentionOptions{})
	newsMust(t, err)
	for _, g := range going.Sessions {
		if stale := g.ID == "claudecode:p"; g.Kept == nil || g.Stale != stale {
			t.Errorf("%+v", g)
		}
	}
	if again, err := b.Keep(t.Context(), []string{"claudecode:p"}); err != nil || again[0].Problem != nil {
		t.Errorf("%+v, %v", again, err)
	}
	newsMust(t, os.RemoveAll(filepath.Join(m.others, ".claude")))
	b = m.open()
	after := read(b)
	if len(after) != len(ids) {
		t.Errorf("%d are left: %v", len(after), after)
	}
	for _, id := range ids {
		grew := strings.HasPrefix(after[id], before[id]) && len(after[id]) > len(before[id])
		if want := id == ids[0] || id == ids[1]; before[id] == "" || grew != want || !want && after[id] != before[id] {
			t.Errorf("%s: %.300q was %.300q", id, after[id], before[id])
		}
	}
	if children, err := b.Children(t.Context(), "claudecode:p", ChildrenOptions{Calls: true}); err != nil || len(children) != 2 {
		t.Errorf("%+v, %v", children, err)
	}
}

// TestSubagentsInsideAreKnownWhenTheyAreNeeded: who keeps a session, or looks for the calls that started others, has them, though nobody had the time
// to look through its file.
func TestSubagentsInsideAreKnownWhenTheyAreNeeded(t *testing.T) {
	for name, of := range map[string]func(b *Backend) int{
		"kept": func(b *Backend) int {
			_, err := b.Keep(t.Context(), []string{"claudecode:p"})
			newsMust(t, err)
			kept, err := b.KeptCopies(t.Context())
			newsMust(t, err)
			return len(kept) - 1
		},
		"children": func(b *Backend) int {
			children, err := b.Children(t.Context(), "claudecode:p", ChildrenOptions{Calls: true})
			newsMust(t, err)
			return len(children)
		},
		"children, counted": func(b *Backend) int {
			children, err := b.Children(t.Context(), "claudecode:p", ChildrenOptions{Count: true})
			newsMust(t, err)
			return len(children)
		},
		"by its id": func(b *Backend) int {
			one, err := b.ResolveAny(t.Context(), "claudecode:p.side-a1")
			newsMust(t, err)
			newsMust(t, b.Prepare(t.Context(), one))
			return 2
		},
		"quick": func(b *Backend) int {
			children, err := b.Children(t.Context(), "claudecode:p", ChildrenOptions{})
			newsMust(t, err)
			return len(children) + 2
		},
	} {
		home := t.TempDir()
		sourcetest.Write(t, home, insidePlace, insideText())
		if n := of(abroad(t, home)); n != 2 {
			t.Errorf("%s: %d", name, n)
		}
	}
}

// TestSubagentsInsideAreNotGone: as long as the file that they stand in was not looked through again, such as by another version, nobody says that they
// are, and none is forgotten, nor in an update that is cancelled.
func TestSubagentsInsideAreNotGone(t *testing.T) {
	home, cache := t.TempDir(), t.TempDir()
	sourcetest.Write(t, home, insidePlace, insideText())
	const id = "claudecode:p.side-a1"
	b := scanOf(t, home, cache, claudecode.Source{})
	scanNow(t, b, id)
	_, err := b.Keep(t.Context(), []string{"claudecode:p"})
	newsMust(t, err)
	b.library.Close()
	newsMust(t, os.Remove(filepath.Join(cache, "found")))
	other, err := Open(Options{Home: b.home, UserHome: home, Cache: cache, Sources: []sources.Source{claudecode.Source{}}, Warn: func(err error) { t.Error(err) }})
	newsMust(t, err)
	t.Cleanup(other.Close)
	_, err = other.openIndex()
	newsMust(t, err)
	listing, err := other.indexing.stock.List(t.Context(), func() bool { return false })
	newsMust(t, err)
	if listing.Vanished(id) || !listing.Vanished("claudecode:q.side-a1") {
		t.Error("an update that is cancelled says that it is gone")
	}
	all, err := other.List(t.Context(), ListOptions{Subagents: true, Quick: true})
	newsMust(t, err)
	for _, row := range all {
		if row.ID == id && row.Gone && row.Problem == nil {
			t.Errorf("%+v", row)
		}
	}
	children, err := other.Children(t.Context(), "claudecode:p", ChildrenOptions{})
	newsMust(t, err)
	for _, one := range children {
		if one.FromCopy {
			t.Errorf("%+v", one)
		}
	}
	kept, err := other.KeptCopies(t.Context())
	newsMust(t, err)
	for _, one := range kept {
		if !one.There {
			t.Errorf("%+v", one)
		}
	}
	shown := 0
	newsMust(t, other.Show(t.Context(), id, ShowOptions{}, func(*Shown) error { shown++; return nil }))
	if shown == 0 {
		t.Error("nothing is shown of it")
	}
}

// TestASubagentInsideThatGoesOnIsNews: and so is its session, and none of the others in the file.
func TestASubagentInsideThatGoesOnIsNews(t *testing.T) {
	home := t.TempDir()
	path := sourcetest.Write(t, home, insidePlace, insideText())
	b := residing(t, home, t.TempDir(), t.TempDir())
	news, cancel := b.Subscribe()
	defer cancel()
	_, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	awaitIndex(t, b, "scanned", ready(3))
	awaitIndex(t, b, "watched", func(IndexStatus) bool { return b.indexing.stock.watching.Load() > 0 })
	for len(news) > 0 {
		<-news
	}
	add(t, path, insideRow("a3", "a2", true, insideAnswer("mc", "a peanut")))
	for _, event := range newsOf(t, news, EventChanged, "claudecode:p.side-a1") {
		if event.SessionID != nil && *event.SessionID == "claudecode:p.side-b1" {
			t.Errorf("%+v", event)
		}
	}
}
