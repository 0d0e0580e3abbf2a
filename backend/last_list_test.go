package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/lockedfile"
)

// manyAndOne fills a home with so many sessions of ours, and one of another agent that is the newest but one.
func manyAndOne(t *testing.T, user, ours string, count int) {
	t.Helper()
	for n := range count {
		id := fmt.Sprintf("01JD%022d", n)
		dir := filepath.Join(ours, "sessions", id)
		newsMust(t, os.MkdirAll(dir, 0o700))
		newsMust(t, os.WriteFile(filepath.Join(dir, "session.jsonl"), nil, 0o600))
		at := fmt.Sprintf("2026-01-03T%02d:%02d:00Z", 11+n/60, n%60)
		about := fmt.Sprintf(`{"id":%q,"name":"lamp %d","cwd":"/w","createdAt":%q,"lastMessageAt":%q,"messageCount":0}`, id, n, at, at)
		newsMust(t, os.WriteFile(filepath.Join(dir, "metadata.json"), []byte(about), 0o600))
	}
	file := filepath.Join(user, ".pi/agent/sessions/--w--/2026-01-03T10-00-00-000Z_s1.jsonl")
	newsMust(t, os.MkdirAll(filepath.Dir(file), 0o700))
	newsMust(t, os.WriteFile(file, []byte(piSession()), 0o600))
}

// TestLastListIsTheListAsItWas for the next program: its beginning, with every member, as it was when the program before ended.
func TestLastListIsTheListAsItWas(t *testing.T) {
	t.Parallel()
	user, ours, cache := t.TempDir(), t.TempDir(), t.TempDir()
	manyAndOne(t, user, ours, lastRows+5)
	whole := ListOptions{Archived: true, Quick: true}
	list := func(b *Backend, opts ListOptions) []Session {
		t.Helper()
		rows, err := b.List(t.Context(), opts)
		newsMust(t, err)
		return rows
	}
	b := residing(t, user, ours, cache)
	if rows, total := b.LastList(); len(rows) != 0 || total != 0 {
		t.Fatalf("before any list, %d rows of %d", len(rows), total)
	}
	for _, other := range []ListOptions{{Quick: true}, {Archived: true, Limit: 300}, {Archived: true, Query: "lamp"}, {Archived: true, Agent: "palimpsest"}, {Archived: true, Subagents: true}} {
		list(b, other)
	}
	b.lastList.work.Wait()
	if rows, _ := b.LastList(); len(rows) != 0 {
		t.Fatalf("%d rows of lists that are not of all sessions", len(rows))
	}
	told := list(b, whole)
	b.lastList.work.Wait()
	rows, total := b.LastList()
	if diff := cmp.Diff(told[:lastRows], rows); diff != "" || total != len(told) {
		t.Errorf("%d rows of %d:\n%s", len(rows), total, diff)
	}
	// What happens until the program ends is in it, too.
	events, cancel := b.Subscribe()
	made, err := b.New(NewSession{Name: "made last"})
	newsMust(t, err)
	for e := range events {
		if e.Kind == EventCreated && *e.SessionID == made.ID {
			break
		}
	}
	cancel()
	b.Close()
	b = residing(t, user, ours, cache)
	rows, total = b.LastList()
	if diff := cmp.Diff(list(b, whole)[:lastRows], rows); diff != "" || total != len(told)+1 || rows[0].ID != made.ID {
		t.Errorf("%d rows of %d:\n%s", len(rows), total, diff)
	}
	b.Close()

	file := filepath.Join(indexDir(cache, ours), "list.json")
	kept, err := os.ReadFile(file)
	newsMust(t, err)
	for what, text := range map[string]string{
		"cut off": string(kept[:len(kept)/2]), "empty": "", "of another version": strings.Replace(string(kept), `"version":"`, `"version":"other`, 1), "no object": "7",
	} {
		newsMust(t, os.WriteFile(file, []byte(text), 0o600))
		if rows, total := b.LastList(); len(rows) != 0 || total != 0 {
			t.Errorf("%s: %d rows of %d", what, len(rows), total)
		}
	}
}

// TestLastListHasNothingThatWasTakenAway, whoever takes it, and also where a list is being kept that was begun before.
func TestLastListHasNothingThatWasTakenAway(t *testing.T) {
	t.Parallel()
	user, ours, cache := t.TempDir(), t.TempDir(), t.TempDir()
	manyAndOne(t, user, ours, lastRows+5)
	newest := fmt.Sprintf("01JD%022d", lastRows+4)
	deeds := map[string]func(b *Backend) error{
		"trash":  func(b *Backend) error { return b.Trash(t.Context(), newest) },
		"purge":  func(b *Backend) error { return b.Purge(newest) },
		"forget": func(b *Backend) error { return b.lastList.drop("pi:s1") },
		"clean up": func(b *Backend) error {
			_, err := b.CleanUp(t.Context(), Cleanup{OlderThanDays: 1})
			return err
		},
	}
	for _, name := range []string{"trash", "purge", "forget", "clean up"} {
		b, other := residing(t, user, ours, cache), residing(t, user, ours, cache)
		began := other.listMoment()
		rows, err := b.List(t.Context(), ListOptions{Archived: true, Quick: true})
		newsMust(t, err)
		b.lastList.work.Wait()
		if kept, _ := b.LastList(); len(kept) == 0 {
			t.Fatalf("%s: nothing was kept", name)
		}
		newsMust(t, deeds[name](b))
		if kept, _ := b.LastList(); len(kept) > 0 {
			t.Errorf("%s: it is still kept", name)
		}
		for who, program := range map[string]*Backend{"this": b, "another": other} {
			program.lastList.keep(rows, began, b.warn)
			program.lastList.work.Wait()
			if kept, _ := b.LastList(); len(kept) > 0 {
				t.Errorf("%s: it is kept again by %s program", name, who)
			}
		}
		if name == "clean up" {
			break
		}
		b.Close() // which looks once more
		if data, err := os.ReadFile(filepath.Join(indexDir(cache, ours), "list.json")); err != nil || name != "forget" && strings.Contains(string(data), newest) {
			t.Errorf("%s: behind the program, %v", name, err)
		}
	}
}

// TestLastListHasNothingThatIsForgotten, also where a list is told and kept while that is under way, and where a program was killed that kept one.
func TestLastListHasNothingThatIsForgotten(t *testing.T) {
	user, ours, cache := t.TempDir(), t.TempDir(), t.TempDir()
	manyAndOne(t, user, ours, lastRows+5)
	file := filepath.Join(user, ".pi/agent/sessions/--w--/2026-01-03T10-00-00-000Z_s1.jsonl")
	newsMust(t, os.WriteFile(file, []byte(strings.ReplaceAll(piSession(), "2026-01-02", "2026-02-03")), 0o600))
	b := residing(t, user, ours, cache)
	newsMust(t, b.Scan(t.Context(), false, nil))
	newsMust(t, os.Remove(file))
	newsMust(t, b.Scan(t.Context(), false, nil))
	path := b.lastList.path
	killed := path + ".tmp-1"
	newsMust(t, os.WriteFile(killed, []byte("pi:s1"), 0o600))
	list := func(want bool) {
		t.Helper()
		_, err := b.List(t.Context(), ListOptions{Archived: true, Quick: true})
		newsMust(t, err)
		b.lastList.work.Wait()
		if kept, err := os.ReadFile(path); err != nil || strings.Contains(string(kept), "pi:s1") != want {
			t.Fatalf("it is kept: %t, %v", !want, err)
		}
	}
	list(true)
	unlock, err := lockedfile.MutexAt(filepath.Join(b.indexing.dir, handName)).Lock()
	newsMust(t, err)
	forgot := make(chan error)
	before := b.listMoment().forgets
	go func() {
		done, err := b.Forget(t.Context(), []string{"pi:s1"})
		if err == nil && done[0].Problem != nil {
			err = errors.New(done[0].Problem.Message)
		}
		forgot <- err
	}()
	for b.listMoment().forgets == before {
		runtime.Gosched()
	}
	b.lastList.isOld(listMoment{}) // waits: it is counted before anything is removed
	if _, err := os.Lstat(killed); err == nil {
		t.Error("what a killed program wrote stays")
	}
	list(true)
	unlock()
	newsMust(t, <-forgot)
	if kept, _ := os.ReadFile(path); strings.Contains(string(kept), "pi:s1") {
		t.Error("it is kept behind its end")
	}
	list(false)
}

// TestTheLastListIsToldOnce: who closes twice has no list told of an index that is closed.
func TestTheLastListIsToldOnce(t *testing.T) {
	b := residing(t, t.TempDir(), t.TempDir(), t.TempDir())
	_, err := b.List(t.Context(), ListOptions{Archived: true, Quick: true})
	newsMust(t, err)
	b.Close()
	b.news.publish(EventConfig, "")
	b.Close()
}
