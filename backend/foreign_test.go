package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/all"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

const (
	piPlace = ".pi/agent/sessions/--w--/2026-01-02T10-00-00-000Z_s1.jsonl"
	piHead  = `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}` + "\n"
	png     = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

// piSession has a call with its result, an image, a branch that was left and a compaction.
func piSession() string {
	return piHead +
		`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"first"},{"type":"image","data":"` + png + `","mimeType":"image/png"}]}}` + "\n" +
		`{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-02T10:00:02.000Z","message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"thinking","thinking":"hm"},{"type":"toolCall","id":"t1","name":"ls","arguments":{"path":"."}}],"stopReason":"toolUse","usage":{"input":10,"output":2,"cacheRead":3,"cacheWrite":0}}}` + "\n" +
		`{"type":"message","id":"c","parentId":"b","timestamp":"2026-01-02T10:00:03.000Z","message":{"role":"toolResult","toolCallId":"t1","toolName":"ls","content":[{"type":"text","text":"x y"}],"isError":true}}` + "\n" +
		`{"type":"message","id":"d","parentId":"c","timestamp":"2026-01-02T10:00:04.000Z","message":{"role":"user","content":"left"}}` + "\n" +
		`{"type":"message","id":"e","parentId":"c","timestamp":"2026-01-02T10:00:05.000Z","message":{"role":"user","content":"second"}}` + "\n" +
		`{"type":"compaction","id":"f","parentId":"e","timestamp":"2026-01-02T10:00:06.000Z","summary":"S","firstKeptEntryId":"e","tokensBefore":9}` + "\n" +
		`{"type":"message","id":"g","parentId":"f","timestamp":"2026-01-02T10:00:07.000Z","message":{"role":"user","content":"third"}}` + "\n"
}

const piMore = `{"type":"message","id":"h","parentId":"g","timestamp":"2026-01-02T10:00:08.000Z","message":{"role":"user","content":"grown"}}` + "\n"

// abroad is a backend on a machine with sessions of other agents.
func abroad(t testing.TB, home string) *Backend {
	t.Helper()
	others, release := all.Open()
	b, err := Open(Options{
		Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: others, Release: release,
		Warn: func(err error) { t.Error(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// TestHomeOfTheSystem: cron and systemd may start a program without a variable for the home directory.
func TestHomeOfTheSystem(t *testing.T) {
	if known, err := user.Current(); err != nil || known.HomeDir == "" {
		t.Skip("the system knows of no home")
	}
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	b, err := Open(Options{Home: t.TempDir(), Cache: t.TempDir(), Sources: []sources.Source{pi.Source{}}})
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
}

func writePi(t testing.TB, home, text string) { sourcetest.Write(t, home, piPlace, text) }

func TestEverythingThatReadsReadsTheirs(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	const id = "pi:s1"
	row, err := b.Get(id)
	newsMust(t, err)
	if !row.Foreign || *row.Agent != "pi" || *row.Cwd != "/w" || *row.FirstMessage != "first" || row.Path != filepath.Join(home, filepath.FromSlash(piPlace)) {
		t.Errorf("%+v", row)
	}
	sourcetest.Unchanged(t, home, func() {
		page, err := b.Page(id, PageOptions{})
		if err != nil || page.SessionID != id || page.Total == 0 {
			t.Errorf("%+v, %v", page, err)
		}
		outline, err := b.Outline(id)
		if err != nil || len(outline.Compactions) != 1 {
			t.Fatalf("%+v, %v", outline, err)
		}
		if review, err := b.Review(id, outline.Compactions[0].Seq); err != nil || review.SessionID != id || review.Compaction.Summary != "S" {
			t.Errorf("%+v, %v", review, err)
		}
		if prompts, err := b.Prompts(id, PromptOptions{}); err != nil || prompts.Total != 4 {
			t.Errorf("%+v, %v", prompts, err)
		}
		if finds, err := b.Find(t.Context(), id, FindOptions{Query: "second"}); err != nil || len(finds.Matches) != 1 {
			t.Errorf("%+v, %v", finds, err)
		}
		seen, err := b.Context(id, ContextOptions{})
		if err != nil || seen.SessionID != id || len(seen.Messages) != 3 || seen.Parts.Injected != 0 {
			t.Errorf("%+v, %v", seen, err)
		}
		if before, err := b.Context(id, ContextOptions{At: 2}); err != nil || len(before.Messages) != 1 {
			t.Errorf("%+v, %v", before, err)
		}
		if turns, err := b.Turns(id); err != nil || !turns.ReadOnly || turns.CanRetry {
			t.Errorf("%+v, %v", turns, err)
		}
		if checked, err := b.Check(id); err != nil || !checked.Sound() || checked.ID != id || checked.File != row.Path {
			t.Errorf("%+v, %v", checked, err)
		}
		blob := blobIn(t, page)
		file, err := b.OpenBlob(id, blob)
		newsMust(t, err)
		newsMust(t, file.Close())
	})
}

// blobIn is the first blob that a page names.
func blobIn(t testing.TB, page Page) string {
	t.Helper()
	for _, rec := range page.Records {
		if _, rest, ok := strings.Cut(string(rec), `"blob":"`); ok {
			return rest[:64]
		}
	}
	t.Fatal("no blob")
	return ""
}

func TestTheirsAreNotChanged(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	const id = "pi:s1"
	ctx := t.Context()
	line := func() *strings.Reader {
		return strings.NewReader(`{"recordType":"message","role":"user","content":[]}`)
	}
	ignore := func(_ any, err error) error { return err }
	sourcetest.Unchanged(t, home, func() {
		for name, do := range map[string]func() error{
			"append":      func() error { return ignore(b.Append(ctx, id, line())) },
			"rename":      func() error { return ignore(b.Rename(ctx, id, "x")) },
			"archive":     func() error { return ignore(b.Archive(ctx, id, true)) },
			"fork":        func() error { return ignore(b.Fork(id, 0)) },
			"trash":       func() error { return b.Trash(ctx, id) },
			"restore":     func() error { return ignore(b.Restore(id)) },
			"purge":       func() error { return b.Purge(id) },
			"revert":      func() error { return ignore(b.Revert(ctx, id, 1)) },
			"compact":     func() error { return ignore(b.Compact(ctx, id, Compact{Offline: true})) },
			"dry run":     func() error { return ignore(b.Compact(ctx, id, Compact{Offline: true, DryRun: true})) },
			"plan":        func() error { return ignore(b.PlanCompaction(ctx, id, Cut{})) },
			"draft":       func() error { return ignore(b.StartDraft(ctx, id, DraftRequest{})) },
			"send":        func() error { return ignore(b.Send(ctx, id, Outgoing{Text: "x"}, nil)) },
			"permissions": func() error { return ignore(b.SetPermissions(ctx, id, nil, nil)) },
			"rules":       func() error { return ignore(b.Permissions(id)) },
			"undo":        func() error { return ignore(b.UndoFiles(ctx, id, UndoOptions{})) },
			"dry undo":    func() error { return ignore(b.UndoFiles(ctx, id, UndoOptions{DryRun: true})) },
			"repair":      func() error { return b.RepairMetadata(ctx, id) },
		} {
			err := do()
			if problem := ProblemOf(errOr(err)); !errors.Is(err, ErrReadOnly) || problem.Code != CodeBadInput || !strings.Contains(problem.Hint, "palimpsest import pi:s1") {
				t.Errorf("%s: %v (%+v)", name, err, problem)
			}
		}
	})
	if b.agent.State(id).Running != nil {
		t.Error("a turn runs")
	}
}

func errOr(err error) error {
	if err == nil {
		return errors.New("nothing was refused")
	}
	return err
}

func TestListHasAll(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	ours, err := b.New(NewSession{Name: "ours"})
	newsMust(t, err)
	for _, c := range []struct {
		opts ListOptions
		want []string
	}{
		{ListOptions{}, []string{ours.ID, "pi:s1"}},
		{ListOptions{Agent: "palimpsest"}, []string{ours.ID}},
		{ListOptions{Agent: "pi"}, []string{"pi:s1"}},
		{ListOptions{Agent: "codex"}, nil},
		{ListOptions{Query: "FIRST"}, []string{"pi:s1"}},
		{ListOptions{Limit: 1}, []string{ours.ID}},
		{ListOptions{Trash: true}, nil},
	} {
		list, err := b.List(t.Context(), c.opts)
		var ids []string
		for _, s := range list {
			ids = append(ids, s.ID)
		}
		if diff := cmp.Diff(c.want, ids); diff != "" || err != nil {
			t.Errorf("%+v: %s %v", c.opts, diff, err)
		}
	}
}

// TestNothingIsCountedOfWhatCannotBeRead: what is no session any more has no number of messages, not none of them.
func TestNothingIsCountedOfWhatCannotBeRead(t *testing.T) {
	home := t.TempDir()
	const broken = "\x8a\x01 something else \xff"
	sourcetest.Write(t, home, ".openclaw/agents/main/sessions/9fba0000-0000-4000-8000-000000000001.jsonl", broken)
	sourcetest.Write(t, home, ".picoclaw/workspace/sessions/cli_x.jsonl", broken)
	b := abroad(t, home)
	look := func(when string) {
		list, err := b.List(t.Context(), ListOptions{})
		if err != nil || len(list) != 2 {
			t.Fatal(list, err)
		}
		for _, s := range list {
			if s.Problem == nil || s.MessageCount != nil || s.Compactions != nil {
				t.Errorf("%s: %+v", when, s)
			}
		}
	}
	look("before it is scanned")
	newsMust(t, b.Scan(t.Context(), false, nil))
	look("after that")
}

// TestListCountsWhatCameSinceTheIndex: the index is as old as the last scan, which a list does not begin.
func TestListCountsWhatCameSinceTheIndex(t *testing.T) {
	home := t.TempDir()
	const id, row = "5f0e0d0c-0000-4000-8000-000000000001", `{"type":"user","uuid":"%s","parentUuid":%s,"sessionId":"5f0e0d0c-0000-4000-8000-000000000001","timestamp":"2026-01-02T10:00:00Z","cwd":"/w","message":{"role":"user","content":"one"}}` + "\n"
	first := fmt.Sprintf(row, "u1", "null")
	place := ".claude/projects/-w/" + id + ".jsonl"
	sourcetest.Write(t, home, place, first)
	b := abroad(t, home)
	newsMust(t, b.Scan(t.Context(), false, nil))
	for n, text := range []string{first, first + fmt.Sprintf(row, "u2", `"u1"`)} {
		sourcetest.Write(t, home, place, text)
		list, err := b.List(t.Context(), ListOptions{})
		if err != nil || len(list) != 1 || list[0].MessageCount == nil || *list[0].MessageCount != n+1 {
			t.Errorf("with %d: %+v, %v", n+1, list, err)
		}
	}
}

func TestImportAgain(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	bring := func(did string) Import {
		t.Helper()
		made, err := b.Import(t.Context(), "pi:s1")
		if err != nil || made.Did != did {
			t.Fatalf("%s, not %s: %v", made.Did, did, err)
		}
		sameContext(t, b, "pi:s1", made.ID)
		return made
	}
	first := bring(ImportCreated)
	if *first.ImportedFrom != "pi:s1" || first.CreatedAt != "2026-01-02T10:00:00Z" || first.Foreign || *first.Cwd != "/w" || *first.MessageCount != 6 {
		t.Errorf("%+v", first)
	}
	if again := bring(ImportUnchanged); again.ID != first.ID {
		t.Errorf("%s and %s", first.ID, again.ID)
	}
	_, err := b.Rename(t.Context(), first.ID, "mine")
	newsMust(t, err)

	writePi(t, home, piSession()+piMore)
	if grown := bring(ImportUpdated); grown.ID != first.ID || *grown.MessageCount != 7 || *grown.Name != "mine" {
		t.Errorf("%+v", grown)
	}
	writePi(t, home, strings.Replace(piSession(), `"third"`, `"another third"`, 1))
	other := bring(ImportUpdated)
	if other.ID == first.ID || *other.Replaced != first.ID || *other.Name != "mine" {
		t.Errorf("%+v", other)
	}
	if _, err := b.ResolveTrashed(t.Context(), first.ID); err != nil {
		t.Errorf("the copy from before: %v", err)
	}

	_, err = b.Append(t.Context(), other.ID, strings.NewReader(`{"recordType":"message","role":"user","content":[]}`))
	newsMust(t, err)
	same, err := b.Import(t.Context(), "pi:s1")
	if err != nil || same.ID != other.ID || same.Did != ImportUnchanged {
		t.Errorf("continued, and nothing new: %+v, %v", same, err)
	}
	writePi(t, home, piSession()+piMore)
	if beside := bring(ImportCreated); beside.ID == other.ID || *beside.Earlier != other.ID {
		t.Errorf("continued, and something new: %+v", beside)
	}
}

// TestImportGoesOnWhereItWasInterrupted: what a crash left of an update is its beginning.
func TestImportGoesOnWhereItWasInterrupted(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	first, err := b.Import(t.Context(), "pi:s1")
	newsMust(t, err)
	old, err := os.ReadFile(first.Path)
	newsMust(t, err)
	writePi(t, home, piSession()+piMore)
	_, err = b.Import(t.Context(), "pi:s1")
	newsMust(t, err)
	whole, err := os.ReadFile(first.Path)
	newsMust(t, err)
	for _, size := range []int{len(old) + 1, len(old) + 40, len(whole) - 1} {
		newsMust(t, os.WriteFile(first.Path, whole[:size], 0o600))
		again, err := b.Import(t.Context(), "pi:s1")
		if err != nil || again.ID != first.ID || again.Did != ImportUpdated {
			t.Errorf("after %d bytes: %+v, %v", size, again, err)
		}
		if now, err := os.ReadFile(first.Path); err != nil || string(now) != string(whole) {
			t.Errorf("after %d bytes the log is another one, %v", size, err)
		}
	}
}

func TestExportToPiAndBack(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	exportedIsTheSame(t, b, "pi:s1")
	ours, err := b.store.Import(session.New{Name: "story"}, []byte(story()))
	newsMust(t, err)
	exportedIsTheSame(t, b, ours.ID)
	pruned, err := b.store.Import(session.New{}, []byte(said(1, "user", "one")+
		`{"recordType":"message","schemaVersion":1,"seq":2,"role":"assistant","content":[{"type":"toolCall","id":"c","name":"ls","arguments":{}}]}`+"\n"+
		said(3, "toolResult", "out")+`{"recordType":"prune","schemaVersion":2,"seq":4,"seqs":[3],"tokensFreed":1}`+"\n"+said(5, "user", "five")))
	newsMust(t, err)
	exportedIsTheSame(t, b, pruned.ID)
}

// exportedIsTheSame reads what pi would, and compares what the model sees.
func exportedIsTheSame(t *testing.T, b *Backend, id string) {
	t.Helper()
	home := t.TempDir()
	var out strings.Builder
	_, err := b.Export(t.Context(), id, ExportOptions{Format: "pi"}, &out)
	newsMust(t, err)
	sourcetest.Write(t, home, ".pi/agent/sessions/x/x.jsonl", out.String())
	there := abroad(t, home)
	list, err := there.List(t.Context(), ListOptions{Agent: "pi"})
	if err != nil || len(list) != 1 {
		t.Fatalf("%s: %d sessions, %v\n%s", id, len(list), err, out.String())
	}
	if diff := cmp.Diff(unframed(viewOf(t, b, id), out.String()), unframed(viewOf(t, there, list[0].ID), out.String())); diff != "" {
		t.Errorf("%s: %s\n%s", id, diff, out.String())
	}
}

// unframed is a view with summaries without the words that are said around them, which are each agent's own.
func unframed(view []string, exported string) (out []string) {
	for _, text := range view {
		for line := range strings.Lines(exported) {
			summary := gjson.Get(line, "summary").Str
			_, said, _ := strings.Cut(text, " ")
			framed := said == summary || said == glean.Compacted.Say(summary) || said == overlay.SummaryBlocks(summary)[0].Text ||
				strings.HasPrefix(said, "CONTEXT_SUMMARY: ") && strings.HasSuffix(said, "\n\n"+summary) // PicoClaw's
			if gjson.Get(line, "type").Str != "compaction" || !framed {
				continue
			}
			if last := len(out) - 1; last >= 0 && out[last] == "user What did we do so far?" {
				out = out[:last] // opencode has it asked for
			}
			text = "summary " + summary
			break
		}
		out = append(out, text)
	}
	return out
}

// viewOf is what the model sees, without what says where it stands.
func viewOf(t *testing.T, b *Backend, id string) []string {
	t.Helper()
	seen, err := b.Context(id, ContextOptions{})
	newsMust(t, err)
	var view []string
	for _, m := range seen.Messages {
		text := m.Role
		if m.IsError != nil && *m.IsError {
			text += " error"
		}
		for _, block := range m.Content {
			if b := gjson.ParseBytes(block); b.Get("type").Str == "text" {
				text += " " + b.Get("text").Str // what is kept of it beside the log is no part of the view
				continue
			}
			text += " " + strings.Replace(string(block), `,"anyProvider":true`, "", 1) // as what pi has always goes
		}
		view = append(view, text)
	}
	return view
}

func sameContext(t *testing.T, b *Backend, id, other string) {
	t.Helper()
	if diff := cmp.Diff(wholeView(t, b, id), wholeView(t, b, other)); diff != "" {
		t.Errorf("%s and %s: %s", id, other, diff)
	}
}

func wholeView(t *testing.T, b *Backend, id string) string {
	t.Helper()
	seen, err := b.Context(id, ContextOptions{})
	newsMust(t, err)
	text, err := json.MarshalIndent(seen.Messages, "", " ")
	newsMust(t, err)
	return string(text)
}

// TestSamples: every session of a real agent is listed, read, checked and imported, and to pi and back.
func TestSamples(t *testing.T) {
	for _, home := range sourcetest.Samples(t, "") {
		b := abroad(t, home)
		list, err := b.List(t.Context(), ListOptions{Archived: true, Subagents: true})
		newsMust(t, err)
		if len(list) == 0 {
			t.Errorf("%s: no sessions", filepath.Base(home))
		}
		sourcetest.Unchanged(t, home, func() {
			for _, s := range list {
				readSample(t, b, s)
			}
		})
	}
}

func readSample(t *testing.T, b *Backend, s Session) {
	t.Helper()
	if s.Problem != nil {
		t.Errorf("%s: %s", s.ID, *s.Problem)
		return
	}
	lines := 0
	if err := b.Show(context.Background(), s.ID, ShowOptions{}, func(*Shown) error { lines++; return nil }); err != nil || lines == 0 {
		t.Errorf("%s: %d lines, %v", s.ID, lines, err)
	}
	if checked, err := b.Check(s.ID); err != nil || len(checked.Damage) > 0 || checked.Problem != "" {
		t.Errorf("%s: %+v, %v", s.ID, checked, err)
	}
	made, err := b.Import(t.Context(), s.ID)
	if err != nil {
		t.Errorf("%s: %v", s.ID, err)
		return
	}
	sameContext(t, b, s.ID, made.ID)
	if again, err := b.Import(t.Context(), s.ID); err != nil || again.Did != ImportUnchanged || again.ID != made.ID {
		t.Errorf("%s again: %+v, %v", s.ID, again, err)
	}
	exportedIsTheSame(t, b, s.ID)
}
