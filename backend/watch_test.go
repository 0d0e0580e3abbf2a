package backend

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"palimpsest/backend/library"
	"palimpsest/backend/notify"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/openclaw"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/picoclaw"
	"palimpsest/backend/sources/sourcetest"
)

// TestWatchRests: as long as nothing happens all sessions are looked at ever more seldom, and at once as often as before when something
// does. That one came is seen each time.
func TestWatchRests(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	id := newsSession(t, b)
	w := b.newWatcher(nil)
	var told []EventKind
	w.publish = func(kind EventKind, _ string) { told = append(told, kind) }
	all, ids := 0, w.ids
	w.ids = func() ([]string, error) { all++; return ids() }
	w.begin(t.Context())
	all = 0
	turns := func(n int) (looks []int) {
		for i := range n {
			before := all
			if w.turn(t.Context(), 1); all > before {
				looks = append(looks, i)
			}
		}
		return looks
	}
	quiet := []int{0, 1, 3, 7, 15, 31, 61, 91}
	if got := turns(100); !slices.Equal(got, quiet) || len(told) > 0 {
		t.Errorf("looked at turns %v, told %v", got, told)
	}
	newsMust(t, os.Chtimes(b.store.LogPath(id), time.Time{}, time.Unix(1, 0)))
	if turns(listTurns); !slices.Equal(told, []EventKind{EventChanged}) {
		t.Errorf("a change was not seen: %v", told)
	}
	turns(100)
	newsSession(t, b)
	if turns(1); !slices.Equal(told, []EventKind{EventChanged, EventCreated}) {
		t.Errorf("a new session was not seen at once: %v", told)
	}
	if got := turns(8); !slices.Equal(got, []int{0, 2, 6}) {
		t.Errorf("after something happened, looked at turns %v", got)
	}
	w.look(t.Context(), []string{id})
	turns(100)
	newsMust(t, os.Chtimes(b.store.LogPath(id), time.Time{}, time.Unix(2, 0)))
	w.look(t.Context(), []string{id}) // as one that is viewed is
	if got := turns(3); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("after a change that the system told of, looked at turns %v", got)
	}
}

func TestNextSearch(t *testing.T) {
	for _, c := range []struct {
		every, took, want time.Duration
		seen              sight
	}{
		{30 * time.Second, 0, time.Minute, fairly},
		{time.Minute, 12 * time.Millisecond, 2 * time.Minute, fairly},
		{4 * time.Minute, 0, 5 * time.Minute, fairly},
		{5 * time.Minute, 60 * time.Millisecond, 5 * time.Minute, fairly},
		{30 * time.Second, 120 * time.Millisecond, 10 * time.Minute, fairly},
		{20 * time.Minute, 0, 5 * time.Minute, fairly},
		{time.Minute, time.Hour, 10 * time.Minute, fairly},
		{30 * time.Second, 0, 30 * time.Second, poorly},
		{30 * time.Second, 12 * time.Millisecond, time.Minute, poorly},
		{time.Minute, time.Hour, 10 * time.Minute, poorly},
		{30 * time.Second, 0, time.Hour, fully},
		{30 * time.Second, 500 * time.Millisecond, time.Hour, fully},
		{time.Hour, time.Hour, time.Hour, fully},
	} {
		if got := nextSearch(c.every, c.took, c.seen); got != c.want {
			t.Errorf("after %v, with a search of %v: %v, not %v", c.every, c.took, got, c.want)
		}
	}
}

// TestListingOnlyIfNew: what the watcher asks for every two seconds is nothing as long as nothing was listed anew.
func TestListingOnlyIfNew(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	x := residing(t, home, t.TempDir(), t.TempDir())
	if _, err := x.openIndex(); err != nil {
		t.Fatal(err)
	}
	c := x.indexing.stock
	if _, err := c.List(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	found, listed := c.listing(0)
	if len(found) != 1 || listed == 0 {
		t.Fatal(len(found), listed)
	}
	if again, same := c.listing(listed); again != nil || same != listed {
		t.Error(len(again), same)
	}
}

// watching is what hears of an agent's sessions in a home, without a clock.
func watching(t *testing.T, home string, source sources.Source) (a *outside, arrange func() (looks bool)) {
	t.Helper()
	b := scanOf(t, home, t.TempDir(), source)
	_, err := b.openIndex()
	newsMust(t, err)
	system, err := notify.New()
	newsMust(t, err)
	t.Cleanup(system.Close)
	a = newOutside(b, system)
	return a, func() bool {
		a.all = false
		_, err := b.indexing.stock.List(t.Context(), nil)
		newsMust(t, err)
		a.arrange()
		return a.all
	}
}

// TestWatchedOnceListed: what is appended just after the first list is seen as soon as later.
func TestWatchedOnceListed(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	a, _ := watching(t, home, pi.Source{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.run(ctx, time.Hour) // without ever a look of its own
	}()
	_, err := a.b.indexing.stock.List(t.Context(), nil)
	newsMust(t, err)
	for a.b.indexing.stock.watching.Load() == 0 {
		<-time.After(time.Millisecond)
	}
	cancel()
	<-ended
}

// TestLookedAtOnceWatched: what changed in folders between the listing and the watch is looked for once they are watched, and not again.
func TestLookedAtOnceWatched(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	_, looks := watching(t, home, pi.Source{})
	if !looks() || looks() {
		t.Error("folders are looked at again when they are watched, and only then")
	}
	sourcetest.Write(t, home, ".pi/agent/sessions/--new--/2026-01-02T10-00-00-000Z_new.jsonl", `{"type":"session","version":3,"id":"new"}`+"\n")
	if !looks() || looks() {
		t.Error("so is a new one")
	}
}

// TestLookedAtForTheFirstTime: what came to a session after the listing, and before anybody looked at it, is told with the first look.
func TestLookedAtForTheFirstTime(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	a, arrange := watching(t, home, pi.Source{})
	arrange()
	viewed := []library.Ref{{Agent: "pi", ID: "s1"}}
	writePi(t, home, piSession()+piMore)
	if a.look(viewed); !a.dirty["pi:s1"] {
		t.Error("nobody is told of it")
	}
	clear(a.dirty)
	if a.look(viewed); len(a.dirty) > 0 {
		t.Error("it is told of twice")
	}
}

// TestFoldersThatGoAndCome: where an agent keeps its sessions may come later, go, and come back as another folder.
func TestFoldersThatGoAndCome(t *testing.T) {
	home := t.TempDir()
	a, arrange := watching(t, home, pi.Source{})
	arrange()
	says := func(name string, op fsnotify.Op) bool {
		a.all = false
		a.note(fsnotify.Event{Name: filepath.Join(home, filepath.FromSlash(name)), Op: op})
		return a.all
	}
	if a.watched[home] == nil || says("notes.txt", fsnotify.Create) || says("notes.txt", fsnotify.Write) || !says(".pi", fsnotify.Create) {
		t.Errorf("of what is above, only what leads to sessions counts: %v", a.watched)
	}
	writePi(t, home, piSession())
	folder := filepath.Dir(filepath.FromSlash(piPlace))
	root := filepath.Dir(folder)
	if !arrange() || a.watched[home] != nil || a.watched[filepath.Join(home, root)] == nil || a.watched[filepath.Join(home, folder)] == nil || a.blind {
		t.Errorf("%v", a.watched)
	}
	newsMust(t, os.RemoveAll(filepath.Join(home, root)))
	if !says(filepath.ToSlash(root), fsnotify.Remove) || a.watched[filepath.Join(home, root)] != nil || a.watched[filepath.Join(home, folder)] != nil {
		t.Errorf("what is gone is still watched: %v", a.watched)
	}
	arrange()
	writePi(t, home, piSession())
	if !says(filepath.ToSlash(root), fsnotify.Create) || !arrange() || a.watched[filepath.Join(home, folder)] == nil {
		t.Errorf("what came back is not watched: %v", a.watched)
	}
}

// TestFilesThatCouldNotBeRead: a file that was empty, or that nobody might read, is looked for again when that changes; another one is not.
func TestFilesThatCouldNotBeRead(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, "")
	a, arrange := watching(t, home, pi.Source{})
	says := func(op fsnotify.Op) bool {
		arrange()
		a.all = false
		a.note(fsnotify.Event{Name: filepath.Join(home, filepath.FromSlash(piPlace)), Op: op})
		return a.all
	}
	if !says(fsnotify.Write) || !says(fsnotify.Chmod) {
		t.Error("it is not looked for")
	}
	writePi(t, home, piSession())
	if says(fsnotify.Write) || says(fsnotify.Chmod) {
		t.Error("all are looked for, where one changed that is known")
	}
}

// TestFoldersThatAreReplaced: where a folder above was moved and another one has its name, what is there now is watched.
func TestFoldersThatAreReplaced(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	a, arrange := watching(t, home, pi.Source{})
	if !arrange() || a.replaced() {
		t.Fatal("nothing was replaced")
	}
	newsMust(t, os.Rename(filepath.Join(home, ".pi"), filepath.Join(home, "before")))
	writePi(t, home, piSession())
	folder := filepath.Join(home, filepath.Dir(filepath.FromSlash(piPlace)))
	if !a.replaced() || !arrange() || arrange() {
		t.Fatal("what was replaced is looked for again, once")
	}
	newsMust(t, os.WriteFile(filepath.Join(folder, "sign"), nil, 0o600))
	for event := range a.notify.Events {
		if event.Name == filepath.Join(folder, "sign") {
			break
		}
	}
}

// TestFoldersWithoutSessions: the first session of a folder is seen where there was none in it as all was looked for.
func TestFoldersWithoutSessions(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	projects := filepath.Dir(filepath.Join(home, filepath.Dir(filepath.FromSlash(piPlace))))
	empty := filepath.Join(projects, "--empty--")
	newsMust(t, os.Mkdir(empty, 0o700))
	a, arrange := watching(t, home, pi.Source{})
	if !arrange() {
		t.Fatal("nothing is watched")
	}
	path := filepath.Join(empty, "2026-01-03T10-00-00-000Z_s2.jsonl")
	newsMust(t, os.WriteFile(path, []byte(piHead), 0o600))
	for event := range a.notify.Events {
		if event.Name == path {
			break
		}
	}
}

// TestFoldersThatWereEmptied: a folder of which all sessions are gone is watched for as long as it is there: the next may come in it.
func TestFoldersThatWereEmptied(t *testing.T) {
	home := t.TempDir()
	day := filepath.Join(home, ".codex", "sessions", "2026", "01", "02")
	path := filepath.Join(day, "rollout-2026-01-02T10-00-00-0199c3c1-9d3f-7a21-b9a3-3f6f0c1d2e4f.jsonl")
	newsMust(t, os.MkdirAll(day, 0o700))
	newsMust(t, os.WriteFile(path, nil, 0o600))
	a, arrange := watching(t, home, codex.Source{})
	arrange()
	newsMust(t, os.Remove(path))
	for range 2 {
		if arrange(); a.watched[day] == nil {
			t.Errorf("%v", a.watched)
		}
	}
	newsMust(t, os.Remove(day))
	if arrange(); a.watched[day] != nil {
		t.Errorf("%v", a.watched)
	}
}

// TestFoldersThatMayHoldSessions: what is watched where an agent has folders in folders is where sessions may come, or else it is not said that
// the system tells of all.
func TestFoldersThatMayHoldSessions(t *testing.T) {
	const session = "agents/main/sessions/"
	before := mostBesides
	t.Cleanup(func() { mostBesides = before })
	mostBesides = 4
	for name, c := range map[string]struct {
		folders, sessions []string
		watched, not      []string
		all               bool
	}{
		"beside one that holds some": {
			[]string{session, "agents/y/sessions/", "agents/y/other/", "agents/z/"},
			[]string{session},
			[]string{"agents/y/sessions", "agents/z"},
			[]string{"agents/y/other"},
			true,
		},
		"none yet, and no folders in folders": {[]string{"agents/"}, nil, []string{"agents"}, nil, true},
		"none yet":                            {[]string{"agents/y/sessions/"}, nil, []string{"agents"}, nil, false},
		"too many":                            {[]string{session, "agents/1/", "agents/2/", "agents/3/", "agents/4/"}, []string{session}, nil, []string{"agents/1"}, false},
		"in one that holds some":              {[]string{session, session + "x/y/"}, []string{session}, nil, []string{session + "x"}, true},
	} {
		root := t.TempDir()
		seen, found := map[string]bool{root: true}, []*sources.Found(nil)
		for _, folder := range c.folders {
			newsMust(t, os.MkdirAll(filepath.Join(root, filepath.FromSlash(folder)), 0o700))
		}
		for _, folder := range c.sessions {
			path := filepath.Join(root, filepath.FromSlash(folder), "s.jsonl")
			found = append(found, &sources.Found{Files: []string{path}})
			for dir := filepath.Dir(path); dir != root; dir = filepath.Dir(dir) {
				seen[dir] = true
			}
		}
		dirs, all := besides(seen, found)
		has := func(folder string) bool {
			return slices.Contains(dirs, filepath.Join(root, filepath.FromSlash(folder)))
		}
		if !all == c.all || slices.ContainsFunc(c.not, has) || slices.ContainsFunc(c.watched, func(folder string) bool { return !has(folder) }) {
			t.Errorf("%s: %v, %v", name, dirs, all)
		}
	}
}

// TestNamesThatStandElsewhere: what sessions are called may be said outside the folders that hold them, and who writes there is heard; so is
// who says that they are in another folder.
func TestNamesThatStandElsewhere(t *testing.T) {
	home := t.TempDir()
	t.Setenv("OPENCLAW_CONFIG_PATH", filepath.Join(home, "settings", "claw.json"))
	for _, one := range []struct {
		source sources.Source
		files  []string
	}{
		{openclaw.Source{}, []string{"settings/claw.json"}},
		{codex.Source{}, []string{".codex/session_index.jsonl", ".codex/config.toml", ".codex/state_5.sqlite", ".codex/state_5.sqlite-wal"}},
		{gemini.Source{}, []string{".gemini/projects.json"}},
		{pi.Source{}, []string{".pi/agent/settings.json"}},
		{picoclaw.Source{}, []string{".picoclaw/config.json"}},
	} {
		b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{one.source}})
		newsMust(t, err)
		t.Cleanup(b.Close)
		_, err = b.openIndex()
		newsMust(t, err)
		system, err := notify.New()
		newsMust(t, err)
		t.Cleanup(system.Close)
		a := newOutside(b, system)
		for _, root := range one.source.Roots(sources.Env{Home: home, Getenv: func(string) string { return "" }}) {
			newsMust(t, os.MkdirAll(root, 0o700))
		}
		for _, name := range one.files {
			sourcetest.Write(t, home, name, "")
		}
		_, err = b.indexing.stock.List(t.Context(), nil)
		newsMust(t, err)
		a.arrange()
		for _, name := range one.files {
			path := filepath.Join(home, filepath.FromSlash(name))
			a.all, a.named = false, false
			if a.watched[filepath.Dir(path)] == nil {
				t.Errorf("%s is not watched", name)
			}
			if a.note(fsnotify.Event{Name: path, Op: fsnotify.Write}); !a.named {
				t.Errorf("%s: nothing is looked for", name)
			}
			a.all, a.named = false, false
			if a.note(fsnotify.Event{Name: path + ".other", Op: fsnotify.Write}); a.named || a.all {
				t.Errorf("beside %s: all is looked for", name)
			}
		}
	}
}

// TestOtherPlaces: where settings name another folder, or one of another profile comes, that is seen without a search.
func TestOtherPlaces(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	a, arrange := watching(t, home, pi.Source{})
	if arrange(); a.moved() {
		t.Error("nothing has moved")
	}
	sourcetest.Write(t, home, ".pi/agent/settings.json", `{"sessionDir":"~/elsewhere"}`)
	if !a.moved() {
		t.Error("the new folder is not seen")
	}
	if arrange(); a.moved() {
		t.Error("it is looked for again and again")
	}
}
