package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/index"
	"palimpsest/backend/scan"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/all"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// residing is [abroad] for a program that stays.
func residing(t testing.TB, home, own, cache string) *Backend {
	t.Helper()
	others, release := all.Open()
	b, err := Open(Options{
		Home: own, UserHome: home, Cache: cache, Sources: others, Release: release, Resident: true, Warn: func(err error) { t.Error(err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// awaitIndex waits until the index is what is wanted.
func awaitIndex(t testing.TB, b *Backend, what string, is func(s IndexStatus) bool) {
	t.Helper()
	var s IndexStatus
	for end := time.Now().Add(30 * time.Second); ; {
		var err error
		if s, err = b.IndexStatus(t.Context()); err != nil {
			t.Fatal(err)
		}
		if is(s) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("never %s: %+v", what, s)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func ready(n int) func(IndexStatus) bool {
	return func(s IndexStatus) bool { return s.State == "idle" && s.Sessions == n && s.Indexed == n }
}

func hits(t *testing.T, b *Backend, text string) int {
	t.Helper()
	x, err := b.openIndex()
	newsMust(t, err)
	found, err := x.Search(t.Context(), index.Query{All: []index.Pattern{{Text: text}}}, index.Options{Count: true})
	newsMust(t, err)
	n := 0
	for _, count := range found.Counts {
		n += count
	}
	return n
}

// awaitNews waits for news of a session.
func awaitNews(t testing.TB, news <-chan Event, kind EventKind, id string) {
	t.Helper()
	timeout := time.After(30 * time.Second)
	for {
		select {
		case e := <-news:
			if e.Kind == kind && e.SessionID != nil && *e.SessionID == id {
				return
			}
		case <-timeout:
			t.Fatalf("no news: %s %s", kind, id)
		}
	}
}

func TestTheIndexFollowsTheirs(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := residing(t, home, t.TempDir(), t.TempDir())
	news, cancel := b.Subscribe()
	defer cancel()
	_, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	awaitIndex(t, b, "scanned", ready(1))
	if n := hits(t, b, "third"); n != 1 {
		t.Errorf("found %d times", n)
	}
	for b.indexing.stock.watching.Load() == 0 { // until the system tells of it
		<-time.After(time.Millisecond)
	}
	file, err := os.OpenFile(filepath.Join(home, filepath.FromSlash(piPlace)), os.O_WRONLY|os.O_APPEND, 0)
	newsMust(t, err)
	_, err = file.WriteString(piMore)
	newsMust(t, err)
	newsMust(t, file.Close())
	awaitNews(t, news, EventChanged, "pi:s1")
	page, err := b.Page("pi:s1", PageOptions{})
	if err != nil || !strings.Contains(string(page.Records[len(page.Records)-1]), "grown") {
		t.Errorf("the page ends with %s, %v", page.Records[len(page.Records)-1], err)
	}
	for hits(t, b, "grown") == 0 {
		<-time.After(time.Millisecond)
	}
	if n := hits(t, b, "third"); n != 1 {
		t.Errorf("what was there before is found %d times", n)
	}
	sourcetest.Write(t, home, ".pi/agent/sessions/--w--/2026-01-03T10-00-00-000Z_s2.jsonl", strings.ReplaceAll(piSession(), `"s1"`, `"s2"`))
	awaitNews(t, news, EventCreated, "pi:s2")
	awaitIndex(t, b, "with the new one", ready(2))
	newsMust(t, os.RemoveAll(filepath.Join(home, ".pi")))
	awaitIndex(t, b, "told of what is gone", func(s IndexStatus) bool { return len(s.Skipped) == 1 && s.Skipped[0].Count == 2 })
	list, err := b.List(t.Context(), ListOptions{})
	if err != nil || len(list) != 2 || !list[0].Gone || *list[0].MessageCount == 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if got, err := b.Get("pi:s1"); err != nil || !got.Gone {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := b.Page("pi:s1", PageOptions{}); ProblemOf(err).Code != CodeNotFound || !strings.Contains(err.Error(), "its files are gone since") {
		t.Errorf("%v", err)
	}
	if n := hits(t, b, "third"); n != 2 {
		t.Errorf("what is gone is found %d times", n)
	}
}

func TestTheIndexFollowsOurs(t *testing.T) {
	b := residing(t, t.TempDir(), t.TempDir(), t.TempDir())
	_, cancel := b.Subscribe()
	defer cancel()
	_, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	m, err := b.store.Import(session.New{Name: "a name"}, []byte(said(1, "user", "walnut")))
	newsMust(t, err)
	for hits(t, b, "walnut") == 0 {
		<-time.After(time.Millisecond)
	}
	_, err = b.Append(t.Context(), m.ID, strings.NewReader(`{"recordType":"message","role":"user","content":[{"type":"text","text":"hazel"}]}`))
	newsMust(t, err)
	for hits(t, b, "hazel") == 0 {
		<-time.After(time.Millisecond)
	}
	_, err = b.Rename(t.Context(), m.ID, "another one")
	newsMust(t, err)
	for hits(t, b, "another one") == 0 || hits(t, b, "a name") != 0 {
		<-time.After(time.Millisecond)
	}
	newsMust(t, b.Trash(t.Context(), m.ID))
	for hits(t, b, "walnut") != 0 {
		<-time.After(time.Millisecond)
	}
}

// TestTwoProgramsShareAnIndex: one scans, both ask, and the second takes over.
func TestTwoProgramsShareAnIndex(t *testing.T) {
	home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	first := residing(t, home, own, cache)
	awaitIndex(t, first, "scanned", ready(1))
	second := residing(t, home, own, cache)
	awaitIndex(t, second, "seen by another", ready(1))
	if n := hits(t, second, "third"); n != 1 {
		t.Errorf("found %d times", n)
	}
	add := func(id string) {
		sourcetest.Write(t, home, ".pi/agent/sessions/--w--/2026-01-03T10-00-00-000Z_"+id+".jsonl", strings.ReplaceAll(piSession(), `"s1"`, `"`+id+`"`))
	}
	add("s2")
	third := ashore(t, home, own, cache, pi.Source{})
	newsMust(t, third.Scan(t.Context(), false, nil)) // whoever keeps it in step
	for _, b := range []*Backend{first, second, third} {
		for len(told(look(t, b, "third"))) != 2 { // until they see that another has written
			<-time.After(time.Millisecond)
		}
	}
	first.Close()
	add("s3")
	awaitIndex(t, second, "taken over", ready(3))
}

// TestHostileSessionsAreSkipped: what can't be read is told of, and holds up nothing.
func TestHostileSessionsAreSkipped(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	sourcetest.Write(t, home, ".pi/agent/sessions/--w--/2026-01-03T10-00-00-000Z_s2.jsonl",
		strings.ReplaceAll(piHead, `"s1"`, `"s2"`)+strings.Repeat("[", 1<<20)+"\n\x00\x00\n{\"type\":\"message\"}\n\xff\xfe\n")
	sourcetest.Write(t, home, ".pi/agent/sessions/--w--/2026-01-04T10-00-00-000Z_s3.jsonl", "")
	large := map[string]string{
		"codex:" + codexParent: ".codex/sessions/rollout-2025-05-07-" + codexParent + ".json", "opencode:ses_1": ".local/share/opencode/storage/session/p/ses_1.json",
	}
	for _, name := range large {
		sourcetest.Stretch(t, sourcetest.Write(t, home, name, "{}"), 65<<20)
	}
	b := abroad(t, home)
	newsMust(t, b.Scan(t.Context(), false, nil))
	s, err := b.IndexStatus(t.Context())
	newsMust(t, err)
	reasons := map[string]string{}
	for _, skipped := range s.Skipped {
		reasons[skipped.Reason] = strings.Join(skipped.IDs, " ")
	}
	if s.Waiting != 0 || reasons["damaged"] != "pi:s2" || reasons["unreadable"] != "pi:s3" || len(strings.Fields(reasons["tooLarge"])) != len(large) {
		t.Errorf("%+v", s)
	}
	for id := range large {
		if _, err := b.Check(id); !errors.Is(err, sources.ErrTooLarge) || !strings.Contains(reasons["tooLarge"], id) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if n := hits(t, b, "third"); n != 1 {
		t.Errorf("found %d times", n)
	}
	for _, filter := range []string{"compactions:0", "compactions:<9"} { // of what nobody has read that is not known
		for _, h := range look(t, b, filter).Hits {
			if h.ID == "pi:s3" || large[h.ID] != "" {
				t.Errorf("%s keeps %s", filter, h.ID)
			}
		}
	}
}

// TestStatusAtTheVeryStart: a scan that has not looked yet what there is has nothing to do with how much that is.
func TestStatusAtTheVeryStart(t *testing.T) {
	home := t.TempDir()
	several(t, home, 3)
	b := abroad(t, home)
	_, err := b.openIndex()
	newsMust(t, err)
	held := &unbegun{b.indexing.stock, make(chan struct{}), make(chan struct{})}
	b.indexing.scanner = scan.New(scan.Options{
		Catalog: held, Turn: func() (func(), bool, error) { return func() {}, true, nil },
		Others: func(context.Context) (int64, error) { return 0, nil },
	})
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := b.Scan(t.Context(), false, nil); err != nil {
			t.Error(err)
		}
	})
	<-held.begun
	s, err := b.IndexStatus(t.Context())
	newsMust(t, err)
	if s.State != stateScan || s.Sessions != 3 || s.Waiting != 3 || s.Indexed != 0 {
		t.Errorf("%+v", s)
	}
	close(held.goOn)
	wg.Wait()
}

// unbegun is a stock of which a scan can't know yet what it has.
type unbegun struct {
	*stock
	begun, goOn chan struct{}
}

func (u *unbegun) Restore(ctx context.Context, pass func() error) error {
	close(u.begun)
	<-u.goOn
	return u.stock.Restore(ctx, pass)
}

// TestEmptied: what was said in a file that was emptied is found as it was, and it is said that it is not there any more.
func TestEmptied(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	gone := func() string {
		t.Helper()
		newsMust(t, b.Scan(t.Context(), false, nil))
		found := look(t, b, "third")
		return fmt.Sprint(len(found.Hits), found.Hits[0].Gone, len(look(t, b, "third is:gone").Hits), len(found.Skipped))
	}
	if got := gone(); got != "1 false 0 0" {
		t.Error(got)
	}
	newsMust(t, os.Truncate(filepath.Join(home, filepath.FromSlash(piPlace)), 0))
	if got := gone(); got != "1 true 1 1" {
		t.Error(got)
	}
	writePi(t, home, piSession()+piMore)
	if got := gone(); got != "1 false 0 0" {
		t.Error(got)
	}
}

// TestProgressIsToldByOneAtATime, though several sessions are read at once.
func TestProgressIsToldByOneAtATime(t *testing.T) {
	home := t.TempDir()
	several(t, home, 12)
	b := ashore(t, home, t.TempDir(), t.TempDir(), pi.Source{})
	told := 0
	newsMust(t, b.Scan(t.Context(), false, func(scan.State) { told++ })) // the race detector sees it
	if told < 12 {
		t.Errorf("told %d times", told)
	}
}
