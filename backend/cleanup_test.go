package backend

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

func TestCleanUp(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := now
	b, err := Open(Options{Home: t.TempDir(), Now: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	create := func(name string) string {
		s, err := b.New(NewSession{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		return s.ID
	}
	old, named := create(""), create("mine")
	if _, err := b.Rename(t.Context(), named, "mine"); err != nil {
		t.Fatal(err)
	}
	clock = now.Add(100 * sources.Day)
	fresh := create("")
	none := 0
	for name, c := range map[string]struct {
		rule Cleanup
		want []string
	}{
		"all that are old": {Cleanup{OlderThanDays: 90, DryRun: true}, []string{named, old}},
		"but named ones":   {Cleanup{OlderThanDays: 90, KeepNamed: true, DryRun: true}, []string{old}},
		"none that old":    {Cleanup{OlderThanDays: 101, DryRun: true}, nil},
		"with no messages": {Cleanup{OlderThanDays: 90, MaxMessages: &none, DryRun: true}, []string{named, old}},
	} {
		got, err := b.CleanUp(t.Context(), c.rule)
		if err != nil || got.Count != len(c.want) || len(got.Sessions) != len(c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
			continue
		}
		there := map[string]bool{}
		for _, s := range got.Sessions {
			there[s.ID] = true
		}
		for _, id := range c.want {
			if !there[id] {
				t.Errorf("%s: %s stays", name, id)
			}
		}
	}
	if _, err := b.CleanUp(t.Context(), Cleanup{}); !errors.Is(err, session.ErrInput) {
		t.Error("without an age:", err)
	}
	done, err := b.CleanUp(t.Context(), Cleanup{OlderThanDays: 90, KeepNamed: true})
	if err != nil || done.Count != 1 || len(done.Failed) != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	list, err := b.List(t.Context(), ListOptions{})
	if err != nil || len(list) != 2 || list[0].ID != fresh {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := b.Restore(old); err != nil {
		t.Error(err)
	}
}

// TestWhatIsUnfinishedStays: a session with text that was not sent is not one that nobody needs any more.
func TestWhatIsUnfinishedStays(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b, err := Open(Options{Home: t.TempDir(), Now: func() time.Time { return now }})
	newsMust(t, err)
	defer b.Close()
	made := map[string]string{}
	for _, key := range []string{"unsent", "attached", "returned", "review", "queued" + b.tag, "place", ""} {
		one, err := b.New(NewSession{})
		newsMust(t, err)
		if made[key] = one.ID; key != "" {
			_, err = b.LayOnDesk(key+"."+one.ID, json.RawMessage(`["x"]`), "")
			newsMust(t, err)
		}
	}
	now = now.Add(100 * sources.Day)
	done, err := b.CleanUp(t.Context(), Cleanup{OlderThanDays: 90})
	newsMust(t, err)
	gone := map[string]bool{}
	for _, s := range done.Sessions {
		gone[s.ID] = true
	}
	for key, id := range made {
		if want := key == "place" || key == ""; gone[id] != want {
			t.Errorf("%q: gone is %v", key, gone[id])
		}
	}
}

// TestWhatIsTalkedInMeanwhileStays: a session that somebody writes to after the old ones were looked for is not old any more.
func TestWhatIsTalkedInMeanwhileStays(t *testing.T) {
	now, meanwhile := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), func() {}
	home := t.TempDir()
	b, err := Open(Options{Home: home, Now: func() time.Time { meanwhile(); return now }})
	newsMust(t, err)
	defer b.Close()
	old, err := b.New(NewSession{})
	newsMust(t, err)
	now = now.Add(100 * sources.Day)
	other, err := Open(Options{Home: home, Now: func() time.Time { return now }})
	newsMust(t, err)
	defer other.Close()
	meanwhile = func() {
		meanwhile = func() {}
		_, err := other.Append(t.Context(), old.ID, strings.NewReader(`{"recordType":"message","role":"user","content":[]}`))
		newsMust(t, err)
	}
	if out, err := b.CleanUp(t.Context(), Cleanup{OlderThanDays: 90}); err != nil || out.Count != 0 || len(out.Failed) != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := b.Get(old.ID); err != nil {
		t.Error(err)
	}
}

// TestOnlyWhatWasShownGoes: what has become old since somebody looked was not shown to them.
func TestOnlyWhatWasShownGoes(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b, err := Open(Options{Home: t.TempDir(), Now: func() time.Time { return now }})
	newsMust(t, err)
	defer b.Close()
	shown, err := b.New(NewSession{})
	newsMust(t, err)
	now = now.Add(sources.Day)
	later, err := b.New(NewSession{})
	newsMust(t, err)
	now = now.Add(100 * sources.Day)
	done, err := b.CleanUp(t.Context(), Cleanup{OlderThanDays: 90, Only: []string{shown.ID, "gone by now"}})
	if err != nil || done.Count != 1 || done.Sessions[0].ID != shown.ID {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := b.Get(later.ID); err != nil {
		t.Error(err)
	}
	if done, err := b.CleanUp(t.Context(), Cleanup{OlderThanDays: 90, Only: []string{}}); err != nil || done.Count != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}
