package sources

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestMemoryLater: a look that was put off is had once, and what it told is known as long as the file stays what it is. One that could not be
// remembered is not had at all: it would be again and again.
func TestMemoryLater(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "session"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip("there are no links here:", err)
	}
	m, looks := OpenMemory(filepath.Join(dir, "found"), "v1"), 0
	look := func(context.Context) (Told, bool) { looks++; return Told{Notes: []string{"told"}}, true }
	put := func(want bool) {
		t.Helper()
		for _, of := range []string{path, path, link, filepath.Join(dir, "gone")} {
			m.Later("a", of, look)
		}
		if some, err := m.CatchUp(t.Context(), nil); err != nil || some != want {
			t.Error(some, err)
		}
	}
	if _, known := m.Known("a", path); known {
		t.Error("it is known before anybody looked")
	}
	put(true)
	if some, err := m.CatchUp(t.Context(), nil); err != nil || some || looks != 1 {
		t.Errorf("%t %v after %d looks", some, err, looks)
	}
	if told, known := m.Known("a", path); !known || len(told.Notes) != 1 {
		t.Errorf("%+v %t", told, known)
	}
	if err := os.WriteFile(path, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, known := m.Known("a", path); known {
		t.Error("it is known of another state")
	}
	if told, some := m.Earlier("a", path); !some || len(told.Notes) != 1 {
		t.Errorf("%+v %t", told, some)
	}
	m = nil
	put(false)
	if _, some := m.Earlier("a", path); some {
		t.Error("nothing remembers")
	}
}

// TestCatchUpFew: who waits has only that little read which is said, and as many looks for that as there can be.
func TestCatchUpFew(t *testing.T) {
	dir := t.TempDir()
	m := OpenMemory(filepath.Join(dir, "found"), "v1")
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"a": "twice four", "b": "four"} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m.Later("x", path(name), func(context.Context) (Told, bool) { return Told{Notes: []string{"told"}}, true })
	}
	for _, c := range []struct {
		most       int64
		some, a, b bool
	}{{3, false, false, false}, {13, true, false, true}, {9, false, false, true}, {10, true, true, true}, {99, false, true, true}} {
		if some, err := m.CatchUpFew(t.Context(), c.most); err != nil || some != c.some {
			t.Errorf("%d: %t %v", c.most, some, err)
		}
		for name, want := range map[string]bool{"a": c.a, "b": c.b} {
			if _, known := m.Known("x", path(name)); known != want {
				t.Errorf("%d: of %s it is known: %t", c.most, name, known)
			}
		}
	}
	m = nil
	if some, err := m.CatchUpFew(t.Context(), 8); some || err != nil {
		t.Error(some, err)
	}
}

// TestCatchUpOnAMistake: a look that panics tells nothing, and keeps no other from being had. What was asked for is kept, whatever became of the file.
func TestCatchUpOnAMistake(t *testing.T) {
	dir := t.TempDir()
	m := OpenMemory(filepath.Join(dir, "found"), "v1")
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(path(name), []byte("one"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.Later("x", path("a"), func(context.Context) (Told, bool) { panic("a mistake") })
	m.Later("x", path("b"), func(context.Context) (Told, bool) { return Told{Notes: []string{"told"}}, true })
	if some, err := m.CatchUp(t.Context(), nil); !some || err != nil {
		t.Error(some, err)
	}
	if _, known := m.Known("x", path("a")); known {
		t.Error("something is known of what could not be looked at")
	}
	if _, known := m.Known("x", path("b")); !known {
		t.Error("the other was not looked at")
	}
}

// TestBeside: what is known beside something that a file told is of the file as that told it, whatever it has become since.
func TestBeside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := OpenMemory(filepath.Join(t.TempDir(), "found"), "v1")
	ask := func(of string) Told {
		return m.Recall(of, path, func() (Told, bool) { return Told{Notes: []string{of}}, true })
	}
	write("text")
	first := ask("first")
	ask("second")
	write("longer text")
	if _, known := m.Known("second", path); known {
		t.Error("known of a file that has changed")
	}
	if told, known := m.KnownBeside(&first, "second", path); !known || told.Notes[0] != "second" {
		t.Errorf("%v, %+v", known, told)
	}
	now := ask("first")
	if _, known := m.KnownBeside(&now, "second", path); known {
		t.Error("known beside what is new")
	}
}

// TestCatchUpEnds: what was not looked at when it had to end stays put off, but for what was put off anew since.
func TestCatchUpEnds(t *testing.T) {
	dir := t.TempDir()
	m := OpenMemory(filepath.Join(dir, "found"), "v1")
	var looked []string
	later := func(name, of string) {
		m.Later("x", filepath.Join(dir, name), func(context.Context) (Told, bool) {
			looked = append(looked, of)
			return Told{Notes: []string{of}}, true
		})
	}
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		later(name, name)
	}
	if some, err := m.CatchUp(t.Context(), func() bool { later("a", "anew"); return false }); some || err != nil || len(looked) > 0 {
		t.Errorf("%t %v %q", some, err, looked)
	}
	if !m.PutOff() {
		t.Error("nothing is put off any more")
	}
	if some, err := m.CatchUp(t.Context(), func() bool { return true }); !some || err != nil {
		t.Error(some, err)
	}
	slices.Sort(looked)
	if !slices.Equal(looked, []string{"anew", "b"}) {
		t.Errorf("looked at %q", looked)
	}
}

// TestALookThatIsEndedStaysPutOff: who asked for it left; and one that was had is put off no more, though a search did so meanwhile. Only looks that
// tell which sessions a file holds are waited for.
func TestALookThatIsEndedStaysPutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := OpenMemory(filepath.Join(t.TempDir(), "found"), "v1")
	waits := func(step string, want bool) {
		t.Helper()
		if m.Waiting()[path] != want || m.PutOff() != want {
			t.Errorf("%s: it waits: %v, is put off: %v", step, m.Waiting()[path], m.PutOff())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	m.LaterWithin("a", path, func(context.Context) (Told, bool) { cancel(); return Told{}, false })
	if _, err := m.CatchUpOf(ctx, path); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	waits("ended", true)
	told := func(context.Context) (Told, bool) { return Told{Found: Found{ID: "x"}}, true }
	m.LaterWithin("a", path, func(ctx context.Context) (Told, bool) {
		if !m.Waiting()[path] {
			t.Error("under way it does not wait")
		}
		m.LaterWithin("a", path, told)
		return told(ctx)
	})
	if some, err := m.CatchUp(t.Context(), nil); !some || err != nil {
		t.Error(some, err)
	}
	waits("had", false)
	m.Later("b", path, told)
	if m.Waiting()[path] {
		t.Error("what is told of it otherwise is waited for")
	}
}
