package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/digest"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
)

// largeFork is a session of Claude Code before 2.1: so many questions and answers of those before it, which are copied without a word about
// that, and more of its own. What makes it long are images, which no search looks into.
func largeFork(session, family string, shared, own int) string {
	var out strings.Builder
	long := strings.Repeat("AAAA", 1<<10)
	row := func(name string, i, at int) {
		when := fmt.Sprintf("%02d:%02d:%02d", 10+at/3600, at/60%60, at%60)
		fmt.Fprintf(&out, `{"type":"user","uuid":"u%s%d","parentUuid":null,"timestamp":"2026-01-02T%sZ","sessionId":%q,"cwd":"/w","message":{"role":"user","content":[{"type":"text","text":"%s%d"},`+
			`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}]}}`+"\n", name, i, when, session, name, i, long)
		fmt.Fprintf(&out, `{"type":"assistant","uuid":"a%s%d","parentUuid":"u%s%d","timestamp":"2026-01-02T%sZ","sessionId":%q,"message":{"id":"m%s%d","role":"assistant","model":"m","content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":7,"output_tokens":3}}}`+"\n",
			name, i, name, i, when, session, name, i)
	}
	for i := range shared {
		row(family, i, 2*i)
	}
	for i := range own {
		row(session, i, goesOn[session]+i)
	}
	return out.String()
}

// goesOn is when each goes on by itself, in seconds: a session does after its forks.
var goesOn = map[string]int{"q": 100, "fork-two": 257, "fork": 300, "of-a-fork": 400, "stranger": 500, "p": 900}

// TestLargeForksCountOnce: what forks have copied without a word that are too long to be compared for a list is counted once, however they
// stand to each other and whatever comes to them.
func TestLargeForksCountOnce(t *testing.T) {
	const long = 512 << 10
	claudecode.TestLongIs(t, long)
	home, own, cache, first := t.TempDir(), t.TempDir(), t.TempDir(), "p"
	path := func(name string) string { return filepath.Join(home, ".claude/projects", name+".jsonl") }
	write := func(name, text string) {
		t.Helper()
		newsMust(t, os.MkdirAll(filepath.Dir(path(name)), 0o700))
		newsMust(t, os.WriteFile(path(name), []byte(text), 0o600))
	}
	check := func(what string, answers int64) {
		t.Helper()
		b, err := Open(Options{Home: own, UserHome: home, Cache: cache, Sources: []sources.Source{claudecode.Source{}}, Warn: func(err error) { t.Error(err) }})
		newsMust(t, err)
		defer b.Close()
		scanNow(t, b, "claudecode:"+first)
		stats, err := b.Statistics(t.Context(), StatisticsOptions{})
		newsMust(t, err)
		got := stats.Totals
		if got.Input == nil || *got.Input != 7*answers || *got.Output != 3*answers || got.Messages != int(2*answers) {
			t.Errorf("%s: %d messages, not those of %d answers", what, got.Messages, answers)
		}
		list, err := b.List(t.Context(), ListOptions{Quick: true})
		newsMust(t, err)
		for i := range list {
			if s := &list[i]; s.ID == "claudecode:fork" && !s.Gone && (s.Relation == nil || *s.Relation != "fork") {
				t.Errorf("%s: %+v", what, s)
			}
		}
	}
	const shared = 130
	text := largeFork("p", "x", shared, 2)
	if len(text) < long {
		t.Fatalf("%d bytes are not long", len(text))
	}
	write("-w/p", text)
	check("alone", shared+2)
	write("-w/fork", largeFork("fork", "x", shared, 3))
	check("a fork", shared+5)
	write("-other/fork-two", largeFork("fork-two", "x", shared-1, 4))
	check("another one, from before and in another folder", shared+9)
	write("-w/of-a-fork", strings.ReplaceAll(largeFork("fork", "x", shared, 2), `"fork"`, `"of-a-fork"`)+largeFork("of-a-fork", "x", 0, 1))
	check("a fork of the fork", shared+10)
	write("-w/stranger", largeFork("stranger", "x", 1, shared))
	check("one that has the first row alone", shared+10+shared)
	write("-w/fork", largeFork("fork", "x", shared, 5))
	check("the fork has grown", shared+12+shared)
	newsMust(t, os.Remove(path("-w/p")))
	check("the session itself is gone", shared+12+shared) // what is left of it is in the index
	write("-w/fork", largeFork("fork", "x", shared, 6))
	check("and the fork goes on", shared+13+shared)
	cache, first = t.TempDir(), "fork"
	check("the index has never seen it", shared+11+shared)
}

// forked is a home with a session and a fork of it, and the file of the session.
func forked(t *testing.T) (home, file string) {
	t.Helper()
	home = t.TempDir()
	folder := filepath.Join(home, ".claude/projects/-w")
	newsMust(t, os.MkdirAll(folder, 0o700))
	file = filepath.Join(folder, "p.jsonl")
	newsMust(t, os.WriteFile(file, []byte(largeFork("p", "x", 2, 1)), 0o600))
	newsMust(t, os.WriteFile(filepath.Join(folder, "fork.jsonl"), []byte(largeFork("fork", "x", 2, 1)), 0o600))
	return home, file
}

// TestForkOfAKeptSession: what was copied from a session that is gone, and of which there is a copy, counts in that.
func TestForkOfAKeptSession(t *testing.T) {
	home, p := forked(t)
	b := scanOf(t, home, t.TempDir(), claudecode.Source{})
	for _, gone := range []bool{false, true} {
		if gone {
			_, err := b.Keep(t.Context(), []string{"claudecode:p"})
			newsMust(t, err)
			newsMust(t, os.Remove(p))
		}
		scanNow(t, b, "claudecode:fork")
		stats, err := b.Statistics(t.Context(), StatisticsOptions{})
		newsMust(t, err)
		if got := stats.Totals; got.Input == nil || *got.Input != 4*7 || got.Messages != 8 {
			t.Errorf("gone %t: %d messages", gone, got.Messages)
		}
	}
}

// TestForkOfAContinuationCountsOnce: three files have the first answer, two the second.
func TestForkOfAContinuationCountsOnce(t *testing.T) {
	home := t.TempDir()
	own, place := largeFork("p", "x", 1, 0), filepath.Join(home, ".claude/projects/-w")
	more := largeFork("q", "x", 0, 1)
	newsMust(t, os.MkdirAll(place, 0o700))
	for name, text := range map[string]string{
		"p": own, "q": own + more, "fork": strings.NewReplacer(`"p"`, `"fork"`, `"q"`, `"fork"`).Replace(own+more) + largeFork("fork", "x", 0, 1),
	} {
		newsMust(t, os.WriteFile(filepath.Join(place, name+".jsonl"), []byte(text), 0o600))
	}
	b := scanOf(t, home, t.TempDir(), claudecode.Source{})
	scanNow(t, b, "claudecode:q")
	stats, err := b.Statistics(t.Context(), StatisticsOptions{})
	newsMust(t, err)
	if got := stats.Totals; got.Input == nil || *got.Input != 3*7 || got.Messages != 6 || got.Sessions != 3 {
		t.Errorf("%+v", got)
	}
}

// TestOtherNameCountsOnce: a file of another name, with the rows of a session under that one's, counts none that the session has, though its
// bytes are others.
func TestOtherNameCountsOnce(t *testing.T) {
	home := t.TempDir()
	place, text := filepath.Join(home, ".claude/projects/-w"), largeFork("p", "x", 2, 0)
	newsMust(t, os.MkdirAll(place, 0o700))
	newsMust(t, os.WriteFile(filepath.Join(place, "p.jsonl"), []byte(text), 0o600))
	newsMust(t, os.WriteFile(filepath.Join(place, "backup.jsonl"), []byte(strings.ReplaceAll(text, "\n", "\r\n")), 0o600))
	b := scanOf(t, home, t.TempDir(), claudecode.Source{})
	scanNow(t, b, "claudecode:p")
	stats, err := b.Statistics(t.Context(), StatisticsOptions{})
	newsMust(t, err)
	if got := stats.Totals; got.Input == nil || *got.Input != 2*7 || got.Messages != 4 {
		t.Errorf("%d messages", got.Messages)
	}
}

// TestForkOfWhatAnOlderVersionRead: what was copied from a session that is gone counts there, also where a version of this program read that
// which noted no names of answers.
func TestForkOfWhatAnOlderVersionRead(t *testing.T) {
	home, p := forked(t)
	b := scanOf(t, home, t.TempDir(), claudecode.Source{})
	scanNow(t, b, "claudecode:fork")
	newsMust(t, os.Remove(p))
	newsMust(t, b.Scan(t.Context(), false, nil))
	for _, id := range []string{"claudecode:p", "claudecode:fork"} {
		row, _, err := b.indexing.index.Session(t.Context(), id)
		newsMust(t, err)
		d, err := digest.Decode(row.Digest)
		newsMust(t, err)
		d.Version, d.Parts, d.Said = digest.Version-1, nil, nil
		row.Digest, row.Revision, row.Stamp = d.Encode(), 0, "11."+row.Stamp
		newsMust(t, b.indexing.index.Touch(t.Context(), row))
	}
	b.indexing.stock.forgetAll()
	newsMust(t, b.Scan(t.Context(), false, nil))
	stats, err := b.Statistics(t.Context(), StatisticsOptions{})
	newsMust(t, err)
	if got := stats.Totals; got.Input == nil || *got.Input != 4*7 || got.Messages != 8 {
		t.Errorf("%d messages", got.Messages)
	}
}
