//go:build unix

package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/pi"
)

// edit changes a file where it stands, and gives it back its time.
func edit(t *testing.T, path, old, text string) {
	t.Helper()
	info, err := os.Stat(path)
	newsMust(t, err)
	before, err := os.ReadFile(path)
	newsMust(t, err)
	at := strings.Index(string(before), old)
	if at < 0 || len(old) != len(text) {
		t.Fatalf("%q can't take the place of %q", text, old)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	newsMust(t, err)
	_, err = file.WriteAt([]byte(text), int64(at))
	newsMust(t, err)
	newsMust(t, file.Close())
	newsMust(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	if after, err := os.Stat(path); err != nil || after.Size() != info.Size() || !after.ModTime().Equal(info.ModTime()) {
		t.Fatal("it does not look as before", err)
	}
}

// nextOf is another program of the same user, with the same cache.
func nextOf(t *testing.T, home, own, cache string, source sources.Source) *Backend {
	t.Helper()
	b, err := Open(Options{Home: own, UserHome: home, Cache: cache, Sources: []sources.Source{source}, Warn: func(err error) { t.Error(err) }})
	newsMust(t, err)
	t.Cleanup(b.Close)
	return b
}

// shown is what a session shows.
func shown(t *testing.T, b *Backend, id string) string {
	t.Helper()
	page, err := b.Page(id, PageOptions{Limit: pageMost})
	newsMust(t, err)
	var all strings.Builder
	for _, line := range page.Records {
		all.Write(line)
	}
	return all.String()
}

// TestEditedAndGivenBackItsTime: an edit that leaves a file its size and its time is seen by lists, searches and who reads the session, in
// a program that runs and in the next.
func TestEditedAndGivenBackItsTime(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]int{"small": 0, "large": 1 << 20} {
		t.Run(name, func(t *testing.T) {
			home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
			writePi(t, home, strings.Replace(piSession(), "first", "first "+strings.Repeat("long ", more/5), 1)+piMore)
			path := filepath.Join(home, filepath.FromSlash(piPlace))
			b := nextOf(t, home, own, cache, pi.Source{})
			scanNow(t, b, "pi:s1")
			if !strings.Contains(shown(t, b, "pi:s1"), "grown") {
				t.Fatal("it does not show what it holds")
			}
			for i, word := range []string{"grown", "green", "groan"} {
				if i > 0 {
					edit(t, path, []string{"grown", "green"}[i-1], word)
				}
				if i == 2 {
					b = nextOf(t, home, own, cache, pi.Source{})
				}
				scanNow(t, b, "pi:s1")
				if n := hits(t, b, word); n != 1 || i > 0 && hits(t, b, []string{"grown", "green"}[i-1]) != 0 {
					t.Errorf("%s is found %d times", word, n)
				}
				if _, err := b.List(t.Context(), ListOptions{}); err != nil {
					t.Error(err)
				}
				if !strings.Contains(shown(t, b, "pi:s1"), word) {
					t.Errorf("%s is not shown", word)
				}
			}
		})
	}
}

// TestTouchedOrMoved: a large session whose file others may read now, or that its agent put away, is not read again, and one of which the
// index of an earlier version says less neither; but where the text is another one as well, it is.
func TestTouchedOrMoved(t *testing.T) {
	const id = "codex:019a0000-0000-7000-8000-000000000001"
	const name = "rollout-2026-01-02T10-00-00-019a0000-0000-7000-8000-000000000001.jsonl"
	text := `{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"019a0000-0000-7000-8000-000000000001","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}}
{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"the needle"}]}}
{"timestamp":"2026-01-02T10:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + strings.Repeat("found ", 100_000) + `"}]}}
`
	home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
	inUse, away := filepath.Join(home, ".codex", "sessions", "2026", "01", "02"), filepath.Join(home, ".codex", "archived_sessions")
	path := filepath.Join(inUse, name)
	for _, dir := range []string{inUse, away} {
		newsMust(t, os.MkdirAll(dir, 0o700))
	}
	newsMust(t, os.WriteFile(path, []byte(text), 0o600))
	counted := &counting{Follower: codex.Source{}}
	program := func() *Backend {
		b := nextOf(t, home, own, cache, counted)
		scanNow(t, b, id)
		return b
	}
	steps := []struct {
		name string
		do   func(b *Backend)
		read int64
	}{
		{"as it was written", func(*Backend) {}, 2},
		{"unchanged", func(*Backend) {}, 0},
		{"others may read it", func(*Backend) { newsMust(t, os.Chmod(path, 0o644)) }, 0},
		{"put away", func(*Backend) {
			newsMust(t, os.Rename(path, filepath.Join(away, name)))
			path = filepath.Join(away, name)
		}, 0},
		{"noted by an earlier version", func(b *Backend) {
			row, _, err := b.indexing.index.Session(t.Context(), id)
			newsMust(t, err)
			row.Stamp, _, _ = strings.Cut(row.Stamp, noteEnd)
			newsMust(t, b.indexing.index.Touch(t.Context(), row))
		}, 0},
		{"edited", func(*Backend) { edit(t, path, "the needle", "the noodle") }, 2},
	}
	for _, step := range steps {
		before := counted.times.Load()
		step.do(program())
		b := program()
		if shows := shown(t, b, id); strings.Contains(shows, "needle") == (step.name == "edited") {
			t.Errorf("%s: it does not show what it holds", step.name)
		}
		if n := counted.times.Load() - before; n != step.read {
			t.Errorf("%s: read %d times, not %d", step.name, n, step.read)
		}
		listed, err := b.List(t.Context(), ListOptions{Archived: true})
		newsMust(t, err)
		if len(listed) != 1 || (listed[0].ArchivedAt != nil) != (filepath.Dir(path) == away) || *listed[0].MessageCount != 2 {
			t.Errorf("%s: %+v", step.name, listed)
		}
		word := map[bool]string{true: "noodle", false: "needle"}[step.name == "edited"]
		if found := look(t, b, word); len(found.Hits) != 1 || len(found.Skipped) > 0 {
			t.Errorf("%s: %+v", step.name, found)
		}
	}
}
