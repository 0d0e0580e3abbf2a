package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestKeysThatNoSessionHas: once the sessions are known, a new key looks at none of those, and what comes from elsewhere is
// found all the same.
func TestKeysThatNoSessionHas(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	old, _ := settled(t, s, "old")
	settled(t, s, "other") // which looks at the first, and knows it
	// If it was looked at again, that it can't be read would be told.
	var warned []error
	s = Open(s.Home(), Options{Warn: func(err error) { warned = append(warned, err) }})
	path := filepath.Join(s.dir(old), "metadata.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hide := func() {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	hide()
	if _, made := settled(t, s, "new"); !made || len(warned) > 0 {
		t.Errorf("made %v, %v", made, warned)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}

	// Its pointer is lost: the session is known to have the key.
	if err := os.Remove(s.pointerOf(Address{Key: "old"})); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, s, Address{Key: "old"}, old)

	// A folder is copied in, its metadata last.
	elsewhere := Open(t.TempDir(), Options{})
	m, err := elsewhere.Create(New{Key: "copied"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(s.dir(m.ID), os.DirFS(elsewhere.dir(m.ID))); err != nil {
		t.Fatal(err)
	}
	meta := filepath.Join(s.dir(m.ID), "metadata.json")
	whole, err := os.ReadFile(meta)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"", string(whole[:len(whole)/2])} {
		if err := os.WriteFile(meta, []byte(part), 0o600); err != nil {
			t.Fatal(err)
		}
		settled(t, s, fmt.Sprint("while it is copied ", len(part)))
	}
	if err := os.WriteFile(meta, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, s, Address{Key: "copied"}, m.ID)

	// Half a line, as a crash leaves it, and none at all.
	known, err := os.ReadFile(s.known())
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{string(known[:len(known)-70]), old + " ", old, "", "no ids at all\n"} {
		if err := os.WriteFile(s.known(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(s.pointerOf(Address{Key: "old"})); err != nil {
			t.Fatal(err)
		}
		settled(t, s, fmt.Sprint("after ", i))
		wantCurrent(t, s, Address{Key: "old"}, old)
	}
}

// TestDamageAmongTheKnown costs only what is damaged: the lines behind it count, and are not written a second time.
func TestDamageAmongTheKnown(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	settled(t, s, "one")
	settled(t, s, "two") // which writes down the first
	good, err := os.ReadFile(s.known())
	if err != nil {
		t.Fatal(err)
	}
	damaged := strings.Repeat("\x00", 100<<10) + "\n" + string(good)
	if err := os.WriteFile(s.known(), []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	settled(t, s, "three") // which writes down the second
	now, err := os.ReadFile(s.known())
	if added, ok := strings.CutPrefix(string(now), damaged); err != nil || !ok || strings.Count(added, "\n") != 1 {
		t.Errorf("%d bytes added, %v", len(now)-len(damaged), err)
	}
}

// TestASessionThatCanNotBeRead for now is not replaced by another one: who asks is told, and finds it once it can be read.
func TestASessionThatCanNotBeRead(t *testing.T) {
	for name, lose := range map[string]func(s *Store) error{
		"its file says so":    func(*Store) error { return nil },
		"its file is lost":    func(s *Store) error { return os.Remove(s.pointerOf(Address{Key: "k"})) },
		"only its file knows": func(s *Store) error { return os.Remove(s.known()) },
	} {
		t.Run(name, func(t *testing.T) {
			s := Open(t.TempDir(), Options{})
			id, _ := settled(t, s, "k")
			settled(t, s, "other") // which writes down what the first has
			path := filepath.Join(s.dir(id), "metadata.json")
			for _, err := range []error{os.Rename(path, path+".away"), os.Mkdir(path, 0o700), lose(s)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if got, made, err := s.Settle(t.Context(), Address{Key: "k"}, getOrMake("k")); err == nil || !strings.Contains(err.Error(), id) {
				t.Errorf("%s, made %v, %v", got, made, err)
			}
			if got, err := s.Current(t.Context(), Address{Key: "k"}); err == nil || errors.Is(err, ErrNotFound) {
				t.Errorf("%s, %v", got, err)
			}
			settled(t, s, "new") // which it has nothing to do with
			for _, err := range []error{os.Remove(path), os.Rename(path+".away", path)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if got, made := settled(t, s, "k"); made || got != id {
				t.Errorf("%s, made %v", got, made)
			}
		})
	}
}

// TestNewKeysFromSeveralProcesses, among sessions that come from elsewhere meanwhile: each key has one session, and those that
// were copied in are found under theirs.
func TestNewKeysFromSeveralProcesses(t *testing.T) {
	home := t.TempDir()
	s, elsewhere := Open(home, Options{}), Open(t.TempDir(), Options{})
	const processes, keys, copied = 3, 8, 8
	found := make([]string, processes)
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() {
			out, err := other(t, "settle", home, "", "PALIMPSEST_TEST_COUNT="+fmt.Sprint(keys)).Output()
			if err != nil {
				t.Error(err)
			}
			found[i] = string(out)
		})
	}
	ids := map[string]string{}
	for i := range copied {
		key := fmt.Sprint("from elsewhere ", i)
		m, err := elsewhere.Create(New{Key: key})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(s.sessions(), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(s.dir(m.ID), os.DirFS(elsewhere.dir(m.ID))); err != nil {
			t.Fatal(err)
		}
		ids[key] = m.ID
	}
	all.Wait()
	for _, out := range found {
		if out != found[0] || len(strings.Fields(out)) != keys {
			t.Errorf("%q, not %q", out, found[0])
		}
	}
	for key, id := range ids {
		wantCurrent(t, s, Address{Key: key}, id)
	}
	if all, err := s.IDs(); err != nil || len(all) != keys+copied {
		t.Errorf("%d sessions, %v", len(all), err)
	}
}
