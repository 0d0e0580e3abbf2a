package backend

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend/config"
	"palimpsest/backend/notify"
	"palimpsest/backend/session"
)

const newsDeadline = 30 * time.Second

// newsBackend is a backend whose goroutines are gone at the end of the test.
func newsBackend(t *testing.T, home string) *Backend {
	t.Helper()
	ignore := goleak.IgnoreCurrent()
	b, err := Open(Options{Home: home, Wait: newsDeadline})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.Close()
		goleak.VerifyNone(t, ignore)
	})
	return b
}

func newsSession(t *testing.T, b *Backend) string {
	t.Helper()
	made, err := b.New(NewSession{})
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

func newsMust(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newsOf reads on until there is news of that kind about that session, and returns what came on the way too.
func newsOf(t *testing.T, events <-chan Event, kind EventKind, id string) []Event {
	t.Helper()
	var all []Event
	timeout := time.After(newsDeadline)
	for {
		select {
		case event, open := <-events:
			if !open {
				t.Fatalf("the news ended before %s %s, after %s", kind, id, newsText(all))
			}
			all = append(all, event)
			if event.Kind == kind && (event.SessionID == nil && id == "" || event.SessionID != nil && *event.SessionID == id) {
				return all
			}
		case <-timeout:
			t.Fatalf("no news %s %s, but %s", kind, id, newsText(all))
		}
	}
}

func newsText(events []Event) string {
	text, err := json.Marshal(events)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

const newsHome = "PALIMPSEST_TEST_NEWS_HOME"

// TestNewsOtherProcess is the other process when it is told where to work.
func TestNewsOtherProcess(t *testing.T) {
	home := os.Getenv(newsHome)
	if home == "" {
		t.Skip("only as a process of its own")
	}
	b, err := Open(Options{Home: home})
	newsMust(t, err)
	verb, id, _ := strings.Cut(os.Getenv(newsHome+"_DO"), " ")
	switch verb {
	case "append":
		_, err = b.Append(t.Context(), id, strings.NewReader(`{"recordType":"message","role":"user","content":[{"type":"text","text":"hi"}]}`))
	case "rename":
		_, err = b.Rename(t.Context(), id, "another name")
	case "trash":
		err = b.Trash(t.Context(), id)
	case "restore":
		_, err = b.Restore(id)
	case "new":
		_, err = b.New(NewSession{})
	default:
		t.Fatal(verb)
	}
	newsMust(t, err)
}

func inOtherProcess(t *testing.T, home, do string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNewsOtherProcess$")
	command.Env = append(os.Environ(), newsHome+"="+home, newsHome+"_DO="+do)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", do, err, out)
	}
}

func TestNewsOfAnotherProcess(t *testing.T) {
	home := t.TempDir()
	b := newsBackend(t, home)
	id := newsSession(t, b)
	events, cancel := b.Subscribe()
	defer cancel()

	for do, kind := range map[string]EventKind{"append": EventChanged, "rename": EventChanged} {
		inOtherProcess(t, home, do+" "+id)
		newsOf(t, events, kind, id)
	}
	inOtherProcess(t, home, "trash "+id)
	newsOf(t, events, EventRemoved, id)
	inOtherProcess(t, home, "restore "+id)
	newsOf(t, events, EventCreated, id)
	inOtherProcess(t, home, "append "+id)
	newsOf(t, events, EventChanged, id)

	inOtherProcess(t, home, "new")
	ids, err := b.store.IDs()
	newsMust(t, err)
	ids = slices.DeleteFunc(ids, func(other string) bool { return other == id })
	for _, event := range newsOf(t, events, EventCreated, ids[0]) {
		if event.Kind == EventRemoved {
			t.Errorf("unexpected: %+v", event)
		}
	}
}

func TestNewsIsNumberedAndBatched(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	id := newsSession(t, b)
	first, cancelFirst := b.Subscribe()
	defer cancelFirst()
	second, cancelSecond := b.Subscribe()
	defer cancelSecond()
	batch := strings.Repeat(`{"recordType":"message","role":"user","content":[]}`+"\n", 200)
	_, err := b.Append(t.Context(), id, strings.NewReader(batch))
	newsMust(t, err)
	marker := newsSession(t, b)
	seen := newsOf(t, first, EventCreated, marker)
	if len(seen) > 50 {
		t.Errorf("%d pieces of news of one batch", len(seen))
	}
	for i, event := range seen {
		if event.N != seen[0].N+int64(i) {
			t.Errorf("gap in %s", newsText(seen))
		}
	}
	if got := newsOf(t, second, EventCreated, marker); newsText(got) != newsText(seen) {
		t.Errorf("one was told %s, the other %s", newsText(seen), newsText(got))
	}
	text, err := json.Marshal(Event{SessionID: &id, N: 7, Kind: EventChanged, Data: struct{}{}})
	newsMust(t, err)
	if want := fmt.Sprintf(`{"sessionId":%q,"turnId":null,"n":7,"kind":"changed","data":{}}`, id); string(text) != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// TestNewsNoNoise does what is no news, then what is, and sees only that.
func TestNewsNoNoise(t *testing.T) {
	home := t.TempDir()
	b := newsBackend(t, home)
	id := newsSession(t, b)
	events, cancel := b.Subscribe()
	defer cancel()
	dir := filepath.Dir(b.store.LogPath(id))
	newsMust(t, os.WriteFile(filepath.Join(dir, "lock"), []byte("{}"), 0o600))
	newsMust(t, os.WriteFile(filepath.Join(dir, "metadata.json.tmp-1"), []byte("{}"), 0o600))
	newsMust(t, os.Mkdir(filepath.Join(home, "sessions", ".new-1"), 0o700))
	newsMust(t, os.WriteFile(filepath.Join(home, "sessions", ".new-1", "session.jsonl"), nil, 0o600))
	newsMust(t, os.WriteFile(filepath.Join(home, "notes.txt"), nil, 0o600))
	newsMust(t, os.Mkdir(filepath.Join(home, "sessions", "01ARZ3NDEKTSV4RRFFQ69G5FAV"), 0o700)) // no log
	marker := newsSession(t, b)
	if seen := newsOf(t, events, EventCreated, marker); len(seen) != 1 {
		t.Errorf("told %s", newsText(seen))
	}
}

func TestNewsSessionsDirectoryComesAndGoes(t *testing.T) {
	root := t.TempDir()
	home := filepath.Join(root, "not", "yet")
	b := newsBackend(t, home)
	events, cancel := b.Subscribe()
	defer cancel()
	first := newsSession(t, b)
	newsOf(t, events, EventCreated, first)
	newsMust(t, os.RemoveAll(filepath.Join(root, "not")))
	newsOf(t, events, EventRemoved, first)
	second := newsSession(t, b)
	newsOf(t, events, EventCreated, second)
	newsMust(t, os.Rename(home, home+".away"))
	newsOf(t, events, EventRemoved, second)
	newsMust(t, os.Rename(home+".away", home))
	newsOf(t, events, EventCreated, second)
	_, err := b.Rename(t.Context(), second, "watched again")
	newsMust(t, err)
	newsOf(t, events, EventChanged, second)
}

// TestNewsWhileSessionsCome and go, faster than the system's signs are worked through: it neither stops nor waits for itself.
func TestNewsWhileSessionsComeAndGo(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	events, cancel := b.Subscribe()
	defer cancel()
	var coming sync.WaitGroup
	for range 8 {
		coming.Go(func() {
			for range 15 {
				made, err := b.New(NewSession{})
				if err == nil {
					_, err = b.Rename(t.Context(), made.ID, "x")
				}
				if err == nil {
					err = b.Trash(t.Context(), made.ID)
				}
				if err == nil {
					err = b.Purge(made.ID)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	coming.Wait()
	newsOf(t, events, EventCreated, newsSession(t, b))
}

func TestNewsOfSettings(t *testing.T) {
	home := t.TempDir()
	b := newsBackend(t, home)
	path := filepath.Join(home, config.FileName)
	newsMust(t, os.WriteFile(path, []byte("model: a\n"), 0o600)) // after Open, before anybody asked for news
	events, cancel := b.Subscribe()
	if settings, _ := b.Settings(); settings.Model != "a" {
		t.Errorf("model is %q", settings.Model)
	}
	newsOf(t, events, EventConfig, "")
	newsMust(t, os.WriteFile(path+".tmp", []byte("durability: full\nmodel: b\nnonsense: 1\n"), 0o600))
	newsMust(t, os.Rename(path+".tmp", path))
	newsOf(t, events, EventConfig, "")
	settings, problems := b.Settings()
	if settings.Model != "b" || settings.Durability != config.DurabilityFull || len(problems) != 1 {
		t.Errorf("%+v %v", settings, problems)
	}
	cancel()
	if _, open := <-events; open {
		t.Error("news after cancel")
	}
}

func TestNewsDropsWhoDoesNotListen(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	slow, cancelSlow := b.Subscribe()
	defer cancelSlow()
	quick, cancelQuick := b.Subscribe()
	defer cancelQuick()
	for range eventBuffer + 1 {
		b.news.publish(EventConfig, "")
		newsOf(t, quick, EventConfig, "")
	}
	n := 0
	for range slow {
		n++
	}
	if n != eventBuffer {
		t.Errorf("%d events before the end, want %d", n, eventBuffer)
	}
	b.news.publish(EventConfig, "")
	newsOf(t, quick, EventConfig, "")
}

func TestNewsEndsWithTheBackend(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	events, cancel := b.Subscribe()
	var wait sync.WaitGroup
	for range 10 {
		wait.Go(func() {
			other, end := b.Subscribe()
			end()
			for range other {
				t.Error("news after cancel")
			}
			end()
		})
	}
	b.Close()
	for range events {
		continue
	}
	wait.Wait()
	late, end := b.Subscribe()
	if _, open := <-late; open {
		t.Error("news of a closed backend")
	}
	end()
	cancel()
	b.Close()
}

// polled runs a watcher that the system tells nothing, until the function returned is called.
func polled(t *testing.T, w *watcher) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

func TestWatchPolls(t *testing.T) {
	closed, err := notify.New()
	newsMust(t, err)
	closed.Close()
	for name, system := range map[string]*notify.Watcher{"no watcher": nil, "watcher that fails": closed} {
		t.Run(name, func(t *testing.T) {
			b := newsBackend(t, t.TempDir())
			id := newsSession(t, b)
			w := b.newWatcher(system)
			events := make(chan Event, 100)
			w.publish = func(kind EventKind, id string) { events <- Event{Kind: kind, SessionID: &id} }
			w.begin(t.Context())
			_, err := b.Outline(id) // looked at
			newsMust(t, err)

			w.viewPoll, w.listPoll = 5*time.Millisecond, time.Hour
			stop := polled(t, w)
			_, err = b.Rename(t.Context(), id, "polled")
			newsMust(t, err)
			newsOf(t, events, EventChanged, id)
			stop()

			w.viewPoll, w.listPoll = time.Hour, 5*time.Millisecond
			stop = polled(t, w)
			other := newsSession(t, b)
			newsOf(t, events, EventCreated, other)
			newsMust(t, b.Trash(t.Context(), other))
			newsOf(t, events, EventRemoved, other)
			stop()
		})
	}
}

func TestWatchesOnlyTheNewest(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	ids := make([]string, 6)
	for i := range ids {
		ids[i] = newsSession(t, b)
		newsMust(t, os.Chtimes(b.store.LogPath(ids[i]), time.Time{}, time.Unix(int64(i+1), 0)))
	}
	system, err := notify.New()
	newsMust(t, err)
	defer system.Close()
	w := b.newWatcher(system)
	w.publish = func(EventKind, string) {}
	w.watches.most = 3
	watched := func() []string {
		var out []string
		for _, dir := range system.WatchList() {
			if isID(filepath.Base(dir)) {
				out = append(out, filepath.Base(dir))
			}
		}
		slices.Sort(out)
		return out
	}
	w.scan(t.Context())
	if got := watched(); !slices.Equal(got, ids[3:]) {
		t.Errorf("watched %v, want %v", got, ids[3:])
	}
	newsMust(t, os.Chtimes(b.store.LogPath(ids[0]), time.Time{}, time.Unix(100, 0)))
	w.scan(t.Context())
	if got, want := watched(), []string{ids[0], ids[4], ids[5]}; !slices.Equal(got, want) {
		t.Errorf("watched %v, want %v", got, want)
	}
}

func TestOpenBlob(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	id := newsSession(t, b)
	sha := strings.Repeat("ab", 32)
	dir := filepath.Join(filepath.Dir(b.store.LogPath(id)), "blobs")
	if _, err := b.OpenBlob(id, sha); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("no blobs at all: %v", err)
	}
	newsMust(t, os.Mkdir(dir, 0o700))
	newsMust(t, os.WriteFile(filepath.Join(dir, sha), []byte("content"), 0o600))
	file, err := b.OpenBlob(id, sha)
	newsMust(t, err)
	var content bytes.Buffer
	_, err = content.ReadFrom(file)
	newsMust(t, err)
	newsMust(t, file.Close())
	if content.String() != "content" {
		t.Errorf("content is %q", &content)
	}
	secret := filepath.Join(b.Home(), "secret")
	newsMust(t, os.WriteFile(secret, []byte("secret"), 0o600))
	linked := strings.Repeat("cd", 32)
	if os.Symlink(secret, filepath.Join(dir, linked)) == nil {
		if _, err := b.OpenBlob(id, linked); err == nil {
			t.Error("a link was followed")
		}
	}
	for _, name := range []string{"", "..", "../session.jsonl", strings.ToUpper(sha), sha + "0", sha[1:]} {
		if _, err := b.OpenBlob(id, name); !errors.Is(err, session.ErrInput) {
			t.Errorf("blob %q: %v", name, err)
		}
	}
	if _, err := b.OpenBlob("../x", sha); !errors.Is(err, session.ErrInvalidID) {
		t.Errorf("bad id: %v", err)
	}
	if _, err := b.OpenBlob("01ARZ3NDEKTSV4RRFFQ69G5FAV", sha); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("unknown id: %v", err)
	}
}
