package backend

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/reach"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// TestHidden: of a session whose folder can't be looked into, nobody says that its files are gone.
func TestHidden(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := scanOf(t, home, t.TempDir(), pi.Source{})
	scanNow(t, b, "pi:s1")
	folder := filepath.Join(home, filepath.FromSlash(filepath.Dir(piPlace)))
	told := func() (row Session, why string) {
		t.Helper()
		newsMust(t, b.Scan(t.Context(), false, nil))
		all, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		if len(all) != 1 || !all[0].Gone {
			t.Fatalf("%+v", all)
		}
		_, err = b.Page("pi:s1", PageOptions{})
		if ProblemOf(err).Code != CodeNotFound {
			t.Fatal(err)
		}
		return all[0], err.Error()
	}
	newsMust(t, os.RemoveAll(folder))
	if err := os.Symlink(folder, folder); err != nil { // it leads to itself, and so to no file that could be there or not
		t.Skip(err)
	}
	if row, why := told(); row.Problem == nil || !strings.Contains(*row.Problem, "can't be reached") || !strings.Contains(why, "its files can't be reached") {
		t.Errorf("%v, %s", row.Problem, why)
	}
	newsMust(t, os.Remove(folder))
	if row, why := told(); row.Problem != nil || !strings.Contains(why, "its files are gone since") {
		t.Errorf("%v, %s", row.Problem, why)
	}
	newsMust(t, os.WriteFile(folder, nil, 0o600))
	if row, why := told(); row.Problem != nil || !strings.Contains(why, "its files are gone since") {
		t.Errorf("%v, %s", row.Problem, why)
	}
}

// TestAListWaitsForNoFolder: that the folder of sessions that vanished does not answer is said, and not waited for.
func TestAListWaitsForNoFolder(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	writePi(t, home, piSession())
	b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{pi.Source{}}})
	newsMust(t, err)
	t.Cleanup(b.Close)
	scanNow(t, b, "pi:s1")
	newsMust(t, os.Remove(filepath.Join(home, filepath.FromSlash(piPlace))))
	dead := make(chan struct{})
	defer close(dead)
	b.reach.Look = func(string, string) error { <-dead; return nil }
	b.reach.Patience = time.Millisecond
	all, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	if len(all) != 1 || !all[0].Gone || all[0].Problem == nil || !strings.Contains(*all[0].Problem, "does not answer") {
		t.Errorf("%+v", all)
	}
}

// TestSilentFolder: where the folder of an agent does not answer, its sessions stay on the list, marked, in a program that has found them and
// in one that has not; those of others are as they were.
func TestSilentFolder(t *testing.T) {
	home, cache, own := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	claude := filepath.Join(home, filepath.FromSlash(claudePlace))
	newsMust(t, os.MkdirAll(filepath.Dir(claude), 0o700))
	newsMust(t, os.WriteFile(claude, []byte(claudeText), 0o600))
	for _, found := range []bool{true, false} {
		b, err := Open(Options{Home: own, UserHome: home, Cache: cache, Sources: []sources.Source{pi.Source{}, claudecode.Source{}}})
		newsMust(t, err)
		t.Cleanup(b.Close)
		if found {
			newsMust(t, b.Scan(t.Context(), false, nil))
		}
		b.reach.Patience = time.Minute
		b.reach.Look = func(folder, name string) error {
			if !strings.HasPrefix(folder, filepath.Join(home, ".pi")) {
				return nil
			}
			if name != "" {
				t.Errorf("it was looked for %s in a folder that does not answer", name)
			}
			return reach.ErrNoAnswer
		}
		all, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		if len(all) != 2 {
			t.Fatalf("%+v", all)
		}
		for _, s := range all {
			if away := strings.HasPrefix(s.ID, "pi:"); away != (s.Problem != nil && strings.Contains(*s.Problem, "does not answer")) || away != s.Gone || s.FirstMessage == nil {
				t.Errorf("%+v", s)
			}
		}
		b.Close()
	}
}

// TestSilentRows: what lists tell of sessions is the same where their folder does not answer: those that others started, where the other is
// not there, how many there are where it is, and how many messages are in one.
func TestSilentRows(t *testing.T) {
	home := t.TempDir()
	const one, other = ".claude/projects/-w/p/subagents/agent-a.jsonl", ".claude/projects/-w/q/subagents/agent-b.jsonl"
	for place, text := range map[string]string{claudePlace: claudeText, one: claudeSide("a"), other: claudeSide("b")} {
		sourcetest.Write(t, home, place, text)
	}
	b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{claudecode.Source{}}})
	newsMust(t, err)
	t.Cleanup(b.Close)
	var silent atomic.Bool
	b.reach.Look = func(string, string) error {
		if silent.Load() {
			return reach.ErrNoAnswer
		}
		return nil
	}
	newsMust(t, b.Scan(t.Context(), false, nil))
	list := func() map[string][2]int {
		all, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		rows := map[string][2]int{}
		for _, s := range all {
			messages := -1
			if s.MessageCount != nil {
				messages = *s.MessageCount
			}
			rows[s.ID] = [2]int{s.Children, messages}
		}
		return rows
	}
	before := list()
	silent.Store(true)
	if got := list(); len(before) != 2 || before["claudecode:p"][0] != 1 || !maps.Equal(got, before) {
		t.Errorf("%v became %v", before, got)
	}
}

// TestUnreadAndGone: of a database that could not be read for a while, and of which nothing was known, nothing stays.
func TestUnreadAndGone(t *testing.T) {
	home := t.TempDir()
	database := sourcetest.Write(t, home, ".local/share/opencode/opencode.db", "it is being written")
	b := scanOf(t, home, t.TempDir(), opencode.Source{})
	told := func() (rows, skipped, hits int) {
		t.Helper()
		newsMust(t, b.Scan(t.Context(), false, nil))
		all, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		status, err := b.IndexStatus(t.Context())
		newsMust(t, err)
		found, err := b.Search(t.Context(), SearchOptions{Text: "is:gone"})
		newsMust(t, err)
		return len(all), len(status.Skipped), len(found.Hits)
	}
	if rows, skipped, _ := told(); rows != 1 || skipped != 1 {
		t.Fatalf("%d rows, %d reasons", rows, skipped)
	}
	newsMust(t, os.Remove(database))
	if rows, skipped, hits := told(); rows != 0 || skipped != 0 || hits != 0 {
		t.Errorf("%d rows, %d reasons, %d hits", rows, skipped, hits)
	}
}

// TestGoneOutlivesTheVersion: what is known of a session that can't be read again stays when a newer program would know more.
func TestGoneOutlivesTheVersion(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := scanOf(t, home, t.TempDir(), pi.Source{})
	scanNow(t, b, "pi:s1")
	newsMust(t, os.Remove(filepath.Join(home, filepath.FromSlash(piPlace))))
	newsMust(t, b.Scan(t.Context(), false, nil))
	row, _, err := b.indexing.index.Session(t.Context(), "pi:s1")
	newsMust(t, err)
	d, err := digest.Decode(row.Digest)
	newsMust(t, err)
	for _, version := range []int{digest.Version, digest.Version - 1, digest.Version + 1} {
		d.Version = version
		row.Digest, row.Revision = d.Encode(), 0
		newsMust(t, b.indexing.index.Touch(t.Context(), row))
		b.indexing.stock.forgetAll()
		all, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		digests, err := b.digests(t.Context())
		newsMust(t, err)
		_, err = b.Page("pi:s1", PageOptions{})
		if known := version <= digest.Version; len(all) == 1 != known || len(digests) == 1 != known || isVanished(err) != known {
			t.Errorf("of version %d: %+v, %v, %v", version, all, digests, err)
		}
	}
}

// TestGoneOutlivesTheIndex: what the index alone still has is not lost with it: not where it is damaged, not where it is of an older version.
func TestGoneOutlivesTheIndex(t *testing.T) {
	t.Parallel()
	const anew, back, put = "begun anew", "lacked 1 sessions whose files are gone: they are back from", "everything is back: 0 sessions"
	for name, c := range map[string]struct {
		broken func([]byte) []byte
		told   []string
		alone  bool // there is no second copy
	}{
		"damaged":        {func(data []byte) []byte { data[3] ^= 1; return data }, []string{anew, put, back}, false},
		"damaged, alone": {func(data []byte) []byte { data[3] ^= 1; return data }, []string{anew, "everything is back: 1 session"}, true},
		"older":          {func(data []byte) []byte { data[63]--; return data }, []string{anew, put, back}, false},
		"older, alone":   {func(data []byte) []byte { data[63]--; return data }, []string{anew, "everything is back: 1 session"}, true},
		"cut":            {func(data []byte) []byte { return data[:len(data)-4096] }, []string{anew, put, back}, false},
		"cut, alone":     {func(data []byte) []byte { return data[:len(data)-4096] }, []string{anew, "everything is back: 1 session"}, true},
		"in half":        {func(data []byte) []byte { return data[:len(data)/2] }, []string{anew, put, back}, false},
		"another file":   {func([]byte) []byte { return []byte(strings.Repeat("notes\n", 1000)) }, []string{anew, "0 sessions are back", back}, false},
		"of zeros":       {func(data []byte) []byte { return make([]byte, len(data)) }, []string{anew, "0 sessions are back", back}, false},
		"emptied":        {func([]byte) []byte { return nil }, []string{back}, false},
		"deleted":        {nil, []string{back}, false},
	} {
		t.Run(name, func(t *testing.T) {
			home, cache, ours := t.TempDir(), t.TempDir(), t.TempDir()
			writePi(t, home, piSession())
			var told []string
			open := func() *Backend {
				b, err := Open(Options{
					Home: ours, UserHome: home, Cache: cache, Sources: []sources.Source{pi.Source{}}, Warn: func(err error) { told = append(told, err.Error()) },
				})
				newsMust(t, err)
				return b
			}
			b := open()
			scanNow(t, b, "pi:s1")
			newsMust(t, os.Remove(filepath.Join(home, filepath.FromSlash(piPlace))))
			newsMust(t, b.Scan(t.Context(), false, nil))
			before, err := b.List(t.Context(), ListOptions{})
			newsMust(t, err)
			b.Close()
			path := filepath.Join(indexDir(cache, ours), "index.db")
			data, err := os.ReadFile(path)
			newsMust(t, err)
			if c.alone {
				newsMust(t, os.RemoveAll(filepath.Join(filepath.Dir(path), secondName)))
			}
			if newsMust(t, os.Remove(path)); c.broken != nil {
				newsMust(t, os.WriteFile(path, c.broken(data), 0o600))
			}

			b = open()
			defer b.Close()
			newsMust(t, b.Scan(t.Context(), false, nil))
			after, err := b.List(t.Context(), ListOptions{})
			newsMust(t, err)
			if len(after) != 1 || !after[0].Gone || !reflect.DeepEqual(before, after) {
				t.Errorf("%+v, not %+v", after, before)
			}
			found, err := b.Search(t.Context(), SearchOptions{Text: "third"})
			if err != nil || len(found.Hits) != 1 {
				t.Errorf("%+v, %v", found, err)
			}
			if !slices.EqualFunc(told, c.told, strings.Contains) {
				t.Errorf("told %q", told)
			}
			newsMust(t, b.Scan(t.Context(), false, nil))
			if len(told) != len(c.told) {
				t.Errorf("told again: %q", told[len(c.told):])
			}
		})
	}
}

// TestGoneRowHasItsLastMessage: what was read of a session when it grew, and not only what was found when all were listed.
func TestGoneRowHasItsLastMessage(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := residing(t, home, t.TempDir(), t.TempDir())
	awaitIndex(t, b, "whole", ready(1))
	writePi(t, home, piSession()+piMore)
	b.hintScan("pi:s1")
	for hits(t, b, "grown") == 0 {
		<-time.After(time.Millisecond)
	}
	newsMust(t, os.Remove(filepath.Join(home, filepath.FromSlash(piPlace))))
	b.wantScan()
	awaitIndex(t, b, "gone", func(s IndexStatus) bool { return s.State == stateIdle && s.Sessions == 0 })
	list, err := b.List(t.Context(), ListOptions{})
	if err != nil || len(list) != 1 || !list[0].Gone || list[0].LastMessageAt != "2026-01-02T10:00:08Z" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestGoneForTwo: programs that find out at the same time that sessions vanished, and that they are back, do not fail for each other.
func TestGoneForTwo(t *testing.T) {
	const sessions = 30
	home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
	several(t, home, sessions)
	place := filepath.Join(home, ".pi", "agent", "sessions", "--w--")
	programs := []*Backend{ashore(t, home, own, cache, pi.Source{}), ashore(t, home, own, cache, pi.Source{})}
	scan := func(gone int) {
		t.Helper()
		var wg sync.WaitGroup
		for _, b := range programs {
			wg.Go(func() {
				if err := b.Scan(t.Context(), false, nil); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, b := range programs {
			all, err := b.List(t.Context(), ListOptions{})
			newsMust(t, err)
			n := 0
			for _, s := range all {
				if s.Gone {
					n++
				}
			}
			if len(all) != sessions || n != gone {
				t.Errorf("%d sessions, %d gone", len(all), n)
			}
		}
	}
	scan(0)
	newsMust(t, os.Rename(place, filepath.Join(home, "away")))
	newsMust(t, os.Mkdir(place, 0o700))
	scan(sessions)
	newsMust(t, os.Remove(place))
	newsMust(t, os.Rename(filepath.Join(home, "away"), place))
	scan(0)
}
