package backend

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"palimpsest/backend/session"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

const keptCodex = "rollout-2026-01-02T10-00-00-01a1fbb2-517a-7cd2-9976-548effd87cf7.jsonl"

// TestKeptStates: a copy that is made again is set aside if something was said in it that is gone, and else it is not: neither where the
// file was written anew, nor where it was packed.
func TestKeptStates(t *testing.T) {
	pack, err := zstd.NewWriter(nil)
	newsMust(t, err)
	codex := `{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"01a1fbb2-517a-7cd2-9976-548effd87cf7","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}}
{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}}
`
	gemini := func(messages ...string) string {
		var all []string
		for _, text := range messages {
			all = append(all, `{"id":"`+text[:1]+`","timestamp":"2026-01-02T10:00:00Z","type":"user","content":"`+text+`"}`)
		}
		return `{"sessionId":"s1","startTime":"2026-01-02T10:00:00Z","messages":[` + strings.Join(all, ",") + `]}`
	}
	pico := func(texts ...string) string {
		return `{"key":"cli:demo","messages":[{"role":"user","content":"` + strings.Join(texts, `"},{"role":"user","content":"`) + `"}]}`
	}
	const steps, place = ".crabtalk/sessions/crab_user_1/", ".codex/sessions/2026/01/02/" + keptCodex
	type files = map[string]string
	for name, c := range map[string]struct {
		id      string
		was, is files
		aside   int
	}{
		"gemini, lost and grew": {id: "gemini:s1", was: files{".gemini/tmp/app/chats/session-1-s1.json": gemini("a", "b")}, is: files{".gemini/tmp/app/chats/session-1-s1.json": gemini("b", "c, which is much longer than a")}, aside: 1},
		"gemini, grew":          {id: "gemini:s1", was: files{".gemini/tmp/app/chats/session-1-s1.json": gemini("a", "b")}, is: files{".gemini/tmp/app/chats/session-1-s1.json": gemini("a", "b", "c")}},
		"gemini, saved": {
			id: "gemini:checkpoint-x@app", was: files{".gemini/tmp/app/checkpoint-x.json": `[{"role":"user","parts":[{"text":"one"}]}]`},
			is: files{".gemini/tmp/app/checkpoint-x.json": `[{"role":"user","parts":[{"text":"another, and longer"}]}]`}, aside: 1,
		},
		"picoclaw":         {id: "picoclaw:cli:demo", was: files{".picoclaw/workspace/sessions/cli_demo.json": pico("one", "two")}, is: files{".picoclaw/workspace/sessions/cli_demo.json": pico("two", "three and four and five")}, aside: 1},
		"codex, packed":    {id: "codex:01a1fbb2-517a-7cd2-9976-548effd87cf7", was: files{place: codex}, is: files{place + ".zst": string(pack.EncodeAll([]byte(codex), nil))}},
		"codex, no header": {id: "codex:01a1fbb2-517a-7cd2-9976-548effd87cf7", was: files{place: codex}, is: files{place: codex[strings.Index(codex, "\n")+1:]}, aside: 1},
		"opencode, a part": {
			id: "opencode:ses_1",
			was: files{
				".local/share/opencode/storage/session/p/ses_1.json":       `{"id":"ses_1","projectID":"p","directory":"/w","title":"T","time":{"created":1767348000000,"updated":1767348060000}}`,
				".local/share/opencode/storage/message/ses_1/msg_1.json":   `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1767348000000}}`,
				".local/share/opencode/storage/part/msg_1/prt_1.json":      `{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"one"}`,
				".local/share/opencode/storage/session/p/unrelated_1.json": `{}`,
			},
			is: files{".local/share/opencode/storage/part/msg_1/prt_1.json": `{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"something else"}`}, aside: 1,
		},
		"crabtalk, in steps":   {id: "crabtalk:crab_user_1", was: files{steps + "meta": `{"agent":"crab","title":"T"}`, steps + "step-000001": `{"role":"user","content":"one"}`, steps + "step-000002": `{"role":"user","content":"two"}`}, is: files{steps + "step-000003": `{"role":"user","content":"three"}`}},
		"crabtalk, steps lost": {id: "crabtalk:crab_user_1", was: files{steps + "meta": `{"agent":"crab","title":"T"}`, steps + "step-000001": `{"role":"user","content":"one"}`}, is: files{steps + "step-000001": `{"role":"user","content":"and two"}`}, aside: 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
			b := m.open()
			for i, state := range []files{c.was, c.is} {
				for path, text := range state {
					sourcetest.Write(t, m.others, path, text)
				}
				if name == "codex, packed" && i > 0 {
					newsMust(t, os.Remove(filepath.Join(m.others, filepath.FromSlash(place))))
				}
				b = m.open()
				if kept, err := b.Keep(t.Context(), []string{c.id}); err != nil || kept[0].Problem != nil {
					t.Fatalf("%+v, %v", kept[0].Problem, err)
				}
			}
			want, err := b.Context(c.id, ContextOptions{})
			newsMust(t, err)
			m.others = t.TempDir()
			b = m.open()
			all, err := b.KeptCopies(t.Context())
			if err != nil || len(all) != 1+c.aside {
				t.Fatalf("%+v, %v", all, err)
			}
			for _, one := range all {
				got, err := b.Context(one.ID, ContextOptions{})
				if err != nil || len(got.Messages) == 0 || one.ID == c.id && len(got.Messages) != len(want.Messages) {
					t.Errorf("%s: %+v, %v", one.ID, got.Messages, err)
				}
			}
		})
	}
}

// TestKeptCountsOnce: what was saved of a conversation is a part of it, whether the file that has it is still there or only its copy.
func TestKeptCountsOnce(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
	sourcetest.Write(t, m.others, ".gemini/tmp/app/chats/session-1-s1.jsonl", `{"sessionId":"s1","startTime":"2026-01-02T10:00:00.000Z","kind":"main"}
{"id":"u1","timestamp":"2026-01-02T10:00:01Z","type":"user","content":"one"}
{"id":"g1","timestamp":"2026-01-02T10:00:02Z","type":"gemini","content":"two","model":"m"}
`)
	saved := sourcetest.Write(t, m.others, ".gemini/tmp/app/checkpoint-x.json", `[{"role":"user","parts":[{"text":"one"}]},{"role":"model","parts":[{"text":"two"}]}]`)
	counted := func(b *Backend) int {
		t.Helper()
		scanned(t, b)
		stats, err := b.Statistics(t.Context(), StatisticsOptions{})
		newsMust(t, err)
		return stats.Totals.Messages
	}
	b := m.open()
	if n := counted(b); n != 2 {
		t.Errorf("%d messages", n)
	}
	if kept, err := b.Keep(t.Context(), []string{"gemini:checkpoint-x@app"}); err != nil || kept[0].Problem != nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	newsMust(t, os.Remove(saved))
	if n := counted(m.open()); n != 2 {
		t.Errorf("%d messages, of a copy", n)
	}
}

// TestKeptIsOlder: what was said in a session after it was kept is nowhere but in the index once its files are gone, and stays in that.
func TestKeptIsOlder(t *testing.T) {
	home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	b := ashore(t, home, own, cache, pi.Source{})
	scanned(t, b)
	if kept, err := b.Keep(t.Context(), []string{"pi:s1"}); err != nil || kept[0].Problem != nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	writePi(t, home, piSession()+piMore)
	scanned(t, b)
	messages := func(b *Backend) int {
		t.Helper()
		stats, err := b.Statistics(t.Context(), StatisticsOptions{})
		newsMust(t, err)
		return stats.Totals.Messages
	}
	all := messages(b)
	for _, away := range []bool{true, false, true} {
		if path := filepath.Join(home, filepath.FromSlash(piPlace)); away {
			newsMust(t, os.Remove(path))
		} else {
			writePi(t, home, piSession()+piMore)
		}
		for _, rebuild := range []bool{false, away} {
			b := ashore(t, home, own, cache, pi.Source{})
			newsMust(t, b.Scan(t.Context(), rebuild, nil))
			found := look(t, b, "grown")
			if len(found.Hits) != 1 || found.Hits[0].Gone != away || messages(b) != all {
				t.Errorf("away %t, rebuilt %t: %+v, %d messages of %d", away, rebuild, found.Hits, messages(b), all)
			}
			in, err := b.SearchIn(t.Context(), "pi:s1", SearchOptions{Text: "grown"})
			if err != nil || len(in.Hits) != 1 || slices.ContainsFunc(in.Skipped, func(u Unsearched) bool { return u.Reason == notYetScanned }) {
				t.Errorf("away %t, rebuilt %t: %+v, %v", away, rebuild, in, err)
			}
			list, err := b.List(t.Context(), ListOptions{})
			if err != nil || len(list) != 1 || list[0].FromCopy != away || list[0].Gone || away == (*list[0].MessageCount == 7) {
				t.Errorf("away %t, rebuilt %t: %+v, %v", away, rebuild, list, err)
			}
		}
	}
}

// TestKeptHasAll: a copy has all of a session whose file was only touched since, and less than one in which something was said at the same time.
func TestKeptHasAll(t *testing.T) {
	for name, c := range map[string]struct {
		more string
		gone bool
	}{"touched": {"", false}, "at the same time": {strings.Replace(piMore, "10:00:08", "10:00:07", 1), true}} {
		t.Run(name, func(t *testing.T) {
			home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
			writePi(t, home, piSession())
			path := filepath.Join(home, filepath.FromSlash(piPlace))
			b := ashore(t, home, own, cache, pi.Source{})
			scanned(t, b)
			if kept, err := b.Keep(t.Context(), []string{"pi:s1"}); err != nil || kept[0].Problem != nil {
				t.Fatalf("%+v, %v", kept, err)
			}
			writePi(t, home, piSession()+c.more)
			later := time.Now().Add(time.Hour)
			newsMust(t, os.Chtimes(path, later, later))
			scanned(t, b)
			newsMust(t, os.Remove(path))
			for range 2 {
				scanned(t, b)
				row, there, err := b.indexing.index.Session(t.Context(), "pi:s1")
				if err != nil || !there || row.Gone != c.gone || len(look(t, b, "third").Hits) != 1 || c.gone != (len(look(t, b, "grown").Hits) == 1) {
					t.Errorf("%+v, %t, %v", row.Gone, there, err)
				}
			}
		})
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
	for i := range listed {
		if (listed[i].Title == nil) == (listed[i].FirstMessage == nil) {
			t.Errorf("%s is called by its title or by what was said first: %v, %v", listed[i].ID, listed[i].Title, listed[i].FirstMessage)
		}
	}
	if err := b.DropCopy(t.Context(), "pi:s1"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Get("pi:s1"); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
	if err := b.DropCopy(t.Context(), "pi:s1"); ProblemOf(err).Code != CodeNotFound {
		t.Error(err)
	}
}

// TestKeptApart: of a session that went on apart in two places, each copy is read where the other is not.
func TestKeptApart(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
	sourcetest.Write(t, m.others, claudePlace, claudeText)
	sourcetest.Write(t, m.others, ".claude/projects/-x/p.jsonl", strings.Replace(claudeText, "gone", "otherwise", 1))
	b := m.open()
	ids := []string{"claudecode:p", "claudecode:p@-x"}
	if kept, err := b.Keep(t.Context(), ids); err != nil || kept[0].Problem != nil || kept[1].Problem != nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	if err := os.RemoveAll(filepath.Join(m.others, ".claude")); err != nil {
		t.Fatal(err)
	}
	b = m.open()
	for i, said := range []string{"gone", "otherwise"} {
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
			if len(list) == 0 {
				t.Error("no sessions")
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
				if !reflect.DeepEqual(was.Messages, is.Messages) { // which is told much faster than the difference
					t.Errorf("%s is another: %s", id, cmp.Diff(was.Messages, is.Messages))
				}
			}
		})
	}
}
