package copies

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/sources"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

// objects are what is kept, by their sums.
func objects(t *testing.T, s *Store) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(s.dir, "objects", "*", "*"))
	must(t, err)
	return all
}

func TestKeepAndUnpack(t *testing.T) {
	home, s := t.TempDir(), Open(filepath.Join(t.TempDir(), "kept"))
	main, beside, gone := filepath.Join(home, "x.jsonl"), filepath.Join(home, "x", "a.txt"), filepath.Join(home, "gone")
	write(t, main, "one\n")
	write(t, beside, "output")
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	must(t, os.Chtimes(main, when, when))
	found := sources.Found{Agent: "pi", ID: "s/1", Title: "T", CreatedAt: when, UpdatedAt: when, Files: []string{main}}
	originals := []Original{{Path: main, Below: ".pi/x.jsonl"}, {Path: beside, Below: ".pi/x/a.txt"}, {Path: gone, Below: ".pi/gone"}}
	keep := func() (Copy, error) { return s.Keep(t.Context(), New(&found, when), originals) }

	if _, err := s.Copy("pi", "s/1"); !errors.Is(err, ErrNone) {
		t.Fatal(err)
	}
	c, err := keep()
	must(t, err)
	if len(c.Files) != 2 || c.Bytes() != 10 {
		t.Errorf("%+v", c)
	}
	out := t.TempDir()
	must(t, s.Unpack(t.Context(), "pi", "s/1", out))
	text, err := os.ReadFile(filepath.Join(out, ".pi", "x.jsonl"))
	must(t, err)
	info, err := os.Stat(filepath.Join(out, ".pi", "x.jsonl"))
	must(t, err)
	if string(text) != "one\n" || !info.ModTime().Equal(when) {
		t.Errorf("%q, of %s", text, info.ModTime())
	}

	write(t, main, "one\ntwo\n") // what grew takes the place of what was
	_, err = keep()
	must(t, err)
	if got := objects(t, s); len(got) != 2 {
		t.Errorf("%v are kept", got)
	}
}

func TestObjectsAreShared(t *testing.T) {
	home, s := t.TempDir(), Open(t.TempDir())
	path := filepath.Join(home, "x")
	write(t, path, "the same")
	for _, id := range []string{"a", "b"} {
		_, err := s.Keep(t.Context(), New(&sources.Found{Agent: "pi", ID: id}, time.Now()), []Original{{Path: path, Below: id}})
		must(t, err)
	}
	if got := objects(t, s); len(got) != 1 {
		t.Errorf("%v", got)
	}
	must(t, s.Remove("pi", "a"))
	must(t, s.Unpack(t.Context(), "pi", "b", t.TempDir()))
	must(t, s.Remove("pi", "b"))
	if got := objects(t, s); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if err := s.Remove("pi", "b"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

func TestDamage(t *testing.T) {
	home, s := t.TempDir(), Open(t.TempDir())
	path := filepath.Join(home, "x")
	write(t, path, "what was said")
	for _, id := range []string{"a", "b"} {
		write(t, path, "what was said in "+id)
		_, err := s.Keep(t.Context(), New(&sources.Found{Agent: "pi", ID: id}, time.Now()), []Original{{Path: path, Below: "x"}})
		must(t, err)
	}
	c, err := s.Copy("pi", "a")
	must(t, err)
	must(t, os.WriteFile(s.object(c.Files[0].SHA256), []byte("something else"), 0o600))
	if err := s.Unpack(t.Context(), "pi", "a", t.TempDir()); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	must(t, os.Remove(s.object(c.Files[0].SHA256)))
	if err := s.Unpack(t.Context(), "pi", "a", t.TempDir()); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	outside := `{"schemaVersion":1,"agent":"pi","id":"a","files":[{"path":"../../x","sha256":"` + c.Files[0].SHA256 + `"}]}`
	for _, list := range []string{"", "{", "[]", `{"files":[{"sha256":"../../etc/passwd"}],"agent":"pi","id":"a"}`, outside, `{"schemaVersion":99}`} {
		must(t, os.WriteFile(s.list("pi", "a"), []byte(list), 0o600))
		if _, err := s.Copy("pi", "a"); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", list, err)
		}
		if all, err := s.All("pi"); len(all) != 1 || err == nil {
			t.Errorf("%s hides another: %v, %v", list, all, err)
		}
	}
	must(t, s.Remove("pi", "b")) // which objects the broken list needs is not known
	if got := objects(t, s); len(got) != 1 {
		t.Errorf("%v are kept", got)
	}
}

// TestAnyPlace: copies are listed wherever they are kept, also where that would be a pattern.
func TestAnyPlace(t *testing.T) {
	for _, place := range []string{"[kept", "[!k]ept", "{kept}"} {
		path, s := filepath.Join(t.TempDir(), "x"), Open(filepath.Join(t.TempDir(), place))
		write(t, path, "what was said")
		_, err := s.Keep(t.Context(), New(&sources.Found{Agent: "pi", ID: "a"}, time.Now()), []Original{{Path: path, Below: "x"}})
		must(t, err)
		for _, agent := range []string{"pi", ""} {
			if all, err := s.All(agent); len(all) != 1 || err != nil || all[0].List != s.list("pi", "a") {
				t.Errorf("in %s, of %q: %v, %v", place, agent, all, err)
			}
		}
	}
}

func TestNothingHalf(t *testing.T) {
	s := Open(t.TempDir())
	if _, err := s.Keep(t.Context(), New(&sources.Found{Agent: "pi", ID: "a"}, time.Now()), []Original{{Path: "/nowhere", Below: "x"}}); err == nil {
		t.Error("kept")
	}
	if _, err := s.Copy("pi", "a"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(s.dir, "objects", "*"))
	if err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestManyAtOnce(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	path := filepath.Join(home, "x")
	write(t, path, "the same")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s, id := Open(dir), string(rune('a'+i%2))
			if _, err := s.Keep(t.Context(), New(&sources.Found{Agent: "pi", ID: id}, time.Now()), []Original{{Path: path, Below: "x"}}); err != nil {
				t.Error(err)
			}
			if i%2 == 0 {
				_ = s.Remove("pi", id) // another may have removed it
			}
		})
	}
	wg.Wait()
	must(t, Open(dir).Unpack(t.Context(), "pi", "b", t.TempDir()))
}

// TestDamageIsMended: what is kept again is whole again, and a list that can't be read is neither lost nor in the way.
func TestDamageIsMended(t *testing.T) {
	path, s := filepath.Join(t.TempDir(), "x"), Open(t.TempDir())
	write(t, path, "what was said")
	keep := func() (Copy, error) {
		return s.Keep(t.Context(), New(&sources.Found{Agent: "pi", ID: "a"}, time.Now()), []Original{{Path: path, Below: "x"}})
	}
	c, err := keep()
	must(t, err)
	must(t, os.WriteFile(s.object(c.Files[0].SHA256), []byte("what was S**d"), 0o600))
	_, err = keep()
	must(t, err)
	must(t, s.Unpack(t.Context(), "pi", "a", t.TempDir()))

	list := s.list("pi", "a")
	must(t, os.WriteFile(list, []byte("{torn"), 0o600))
	_, err = keep()
	must(t, err)
	must(t, s.Unpack(t.Context(), "pi", "a", t.TempDir()))
	if text, err := os.ReadFile(list + ".damaged"); err != nil || string(text) != "{torn" {
		t.Errorf("%q, %v", text, err)
	}

	newer := `{"schemaVersion":99,"files":{"in":"another form"}}`
	must(t, os.WriteFile(list, []byte(newer), 0o600))
	if _, err := keep(); !errors.Is(err, ErrDamaged) {
		t.Errorf("a newer version's list: %v", err)
	}
	if text, err := os.ReadFile(list); err != nil || string(text) != newer {
		t.Errorf("%q, %v", text, err)
	}
	if got := objects(t, s); len(got) != 1 {
		t.Errorf("%v are kept", got)
	}
}
