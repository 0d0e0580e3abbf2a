package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// settled gets or makes the session of a key.
func settled(t testing.TB, s *Store, key string) (id string, made bool) {
	t.Helper()
	id, made, err := s.Settle(t.Context(), Address{Key: key}, getOrMake(key))
	if err != nil {
		t.Fatal(err)
	}
	return id, made
}

func getOrMake(key string) func(*Summary) (*New, error) {
	return func(current *Summary) (*New, error) {
		if current != nil {
			return nil, nil //nolint:nilnil // keeps it
		}
		return &New{Key: key}, nil
	}
}

func reset(t testing.TB, s *Store, key string) (id string) {
	t.Helper()
	id, made, err := s.Settle(t.Context(), Address{Key: key}, func(current *Summary) (*New, error) {
		n := current.Successor()
		return &n, nil
	})
	if err != nil || !made {
		t.Fatal(made, err)
	}
	return id
}

func wantCurrent(t testing.TB, s *Store, a Address, want string) {
	t.Helper()
	got, err := s.Current(t.Context(), a)
	if want == "" && errors.Is(err, ErrNotFound) {
		return
	}
	if err != nil || got != want {
		t.Errorf("%s: %q, want %q, %v", a, got, want, err)
	}
}

// TestKeysAreAnyText: none of them comes near a path, and no two are taken for one.
func TestKeysAreAnyText(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	keys := []string{
		"telegram:123", "TELEGRAM:123", "agent:main:main", "../../etc/passwd", "..", "/", `C:\`, "CON", "é", "e\u0301", "a b", " ", "a ", "*",
		strings.Repeat("k", 256), strings.Repeat("k", 255), "\u202e", "lock", "👍",
	}
	ids := map[string]string{}
	for _, key := range keys {
		id, made := settled(t, s, key)
		if !made {
			t.Errorf("%q has a session already", key)
		}
		ids[key] = id
	}
	for _, key := range keys {
		if id, made := settled(t, s, key); made || id != ids[key] {
			t.Errorf("%q: %s, made %v", key, id, made)
		}
	}
	entries, err := os.ReadDir(s.addresses())
	if err != nil || len(entries) != len(keys)+2 { // and the lock, and what is known
		t.Errorf("%d files, %v", len(entries), err)
	}
	for _, key := range []string{"", strings.Repeat("k", 257), "a\nb", "a\x00b", "\xff"} {
		if _, _, err := s.Settle(t.Context(), Address{Key: key}, getOrMake(key)); !errors.Is(err, ErrInput) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// TestCurrentSession follows a key and a pair through what may happen to their sessions.
func TestCurrentSession(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	pair, key := Address{Agent: "a", CreatedBy: "b"}, Address{Key: "k"}
	wantCurrent(t, s, key, "")
	create := func(n New) string {
		t.Helper()
		m, err := s.Create(n)
		if err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	one := create(New{Key: "k", Agent: "a", CreatedBy: "b", Permissions: []byte(`[{"rule":"bash","effect":"allow"}]`), SystemPromptOverride: "Be brief.", Source: SourceCron, CronJobID: "j", Cwd: "/w"})
	create(New{Key: "K", Agent: "a", CreatedBy: "other"})
	create(New{Agent: "a"})
	wantCurrent(t, s, key, one)
	wantCurrent(t, s, pair, one)
	two := reset(t, s, "k")
	wantCurrent(t, s, key, two)
	wantCurrent(t, s, pair, two)
	m, err := s.Metadata(two)
	if err != nil || m.Source != SourceCron || m.CronJobID != "j" || m.Cwd != "/w" || m.SystemPromptOverride != "Be brief." ||
		len(m.Granted()) != 1 || m.ParentSessionID != "" || m.Name != "" || m.CreatedBy != "b" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := s.Archive(t.Context(), two, true); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, s, key, two)
	if err := s.Trash(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, s, key, one)
	wantCurrent(t, s, pair, one)
	if err := s.Restore(two); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, s, key, two)
	wantCurrent(t, s, pair, two)
	if err := os.RemoveAll(s.addresses()); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, s, key, two)
	for _, wrong := range []string{"", "{", `{"session":"../.."}`, `{"key":"k","session":"01JD9ZK3A00000000000000001"}`, `{"key":"k","session":"` + create(New{}) + `"}`} {
		if err := os.WriteFile(s.pointerOf(key), []byte(wrong), 0o600); err != nil {
			t.Fatal(err)
		}
		wantCurrent(t, s, key, two)
	}
	if fork, err := s.Fork(two, 0, "b"); err != nil || fork.Key != "" {
		t.Errorf("a fork has the key %q, %v", fork.Key, err)
	}
	wantCurrent(t, s, key, two)
}

// TestClockSetBack: the newest session is the one made last all the same.
func TestClockSetBack(t *testing.T) {
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	s := Open(t.TempDir(), Options{Now: func() time.Time { return now }})
	settled(t, s, "k")
	for range 3 {
		now = now.Add(-24 * time.Hour)
		want := reset(t, s, "k")
		if err := os.RemoveAll(s.addresses()); err != nil {
			t.Fatal(err)
		}
		wantCurrent(t, s, Address{Key: "k"}, want)
		if m, err := s.Metadata(want); err != nil || !m.CreatedAt.Equal(now) {
			t.Errorf("made at %v, %v", m.CreatedAt, err)
		}
	}
}

// TestAFileIsEnough: where the file of a key is right, no other session is looked at, not even one that was given the key
// behind the program's back.
func TestAFileIsEnough(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	id, _ := settled(t, s, "k")
	newer, err := s.Create(New{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir(newer.ID), "metadata.json"), []byte(`{"key":"k"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, s, Address{Key: "k"}, id)
	if err := os.RemoveAll(s.addresses()); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, s, Address{Key: "k"}, newer.ID)
}

// TestOneSessionForAKey: stores that want it at the same moment, each as a process of its own would, end up in one.
func TestOneSessionForAKey(t *testing.T) {
	home := t.TempDir()
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() { ids[i], _ = settled(t, Open(home, Options{}), "new") })
	}
	all.Wait()
	wantOne(t, home, ids)
}

// TestTwoProcessesForAKey is the same with real processes, several times over.
func TestTwoProcessesForAKey(t *testing.T) {
	home := t.TempDir()
	const processes, keys = 3, 10
	found := make([][]string, processes)
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() {
			cmd := other(t, "settle", home, "", "PALIMPSEST_TEST_COUNT="+fmt.Sprint(keys))
			out, err := cmd.Output()
			if err != nil {
				t.Error(err)
			}
			found[i] = strings.Fields(string(out))
		})
	}
	all.Wait()
	for k := range keys {
		ids := make([]string, processes)
		for i := range processes {
			if len(found[i]) != keys {
				t.Fatalf("process %d found %d", i, len(found[i]))
			}
			ids[i] = found[i][k]
		}
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("key %d: %v", k, ids)
			}
		}
	}
	if all, err := Open(home, Options{}).IDs(); err != nil || len(all) != keys {
		t.Errorf("%d sessions, %v", len(all), err)
	}
}

func init() { moreRoles["settle"] = playSettle }

func playSettle(s *Store, _ string) error {
	n := 0
	if _, err := fmt.Sscan(os.Getenv("PALIMPSEST_TEST_COUNT"), &n); err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for i := range n {
		key := fmt.Sprint("key ", i)
		id, _, err := s.Settle(context.Background(), Address{Key: key}, getOrMake(key))
		if err != nil {
			return err
		}
		fmt.Fprintln(out, id)
	}
	return out.Flush()
}

func wantOne(t *testing.T, home string, ids []string) {
	t.Helper()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("%v", ids)
		}
	}
	if all, err := Open(home, Options{}).IDs(); err != nil || len(all) != 1 {
		t.Errorf("%d sessions, %v", len(all), err)
	}
}

// TestKeysAsAMapWould: whatever is done, with its files or without them, a key's session is the one made for it last of those
// that are there.
func TestKeysAsAMapWould(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		home, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		s := Open(home, Options{})
		s.fsync = func(*os.File) error { return nil }
		made, trashed := map[string][]string{}, map[string]bool{}
		want := func(key string) string {
			for _, id := range slices.Backward(made[key]) {
				if !trashed[id] {
					return id
				}
			}
			return ""
		}
		keys := []string{"a", "A"}
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			key := rapid.SampledFrom(keys).Draw(r, "key")
			switch rapid.SampledFrom([]string{"settle", "reset", "create", "trash", "restore", "lose"}).Draw(r, "what") {
			case "settle":
				if id, isNew := settled(t, s, key); isNew {
					made[key] = append(made[key], id)
				}
			case "reset":
				if want(key) != "" {
					made[key] = append(made[key], reset(t, s, key))
				}
			case "create":
				m, err := s.Create(New{Key: key})
				if err != nil {
					r.Fatal(err)
				}
				made[key] = append(made[key], m.ID)
			case "trash":
				if id := want(key); id != "" {
					if err := s.Trash(t.Context(), id); err != nil {
						r.Fatal(err)
					}
					trashed[id] = true
				}
			case "restore":
				for id := range trashed {
					if err := s.Restore(id); err != nil {
						r.Fatal(err)
					}
					delete(trashed, id)
					break
				}
			case "lose":
				if err := os.RemoveAll(s.addresses()); err != nil {
					r.Fatal(err)
				}
			}
			for _, key := range keys {
				got, err := s.Current(t.Context(), Address{Key: key})
				if got != want(key) || err != nil && !errors.Is(err, ErrNotFound) {
					r.Fatalf("%q: %q, want %q, %v", key, got, want(key), err)
				}
			}
		}
	})
}

// TestKilledWhileASessionComesBack: the file of its key names no older one from before it is back.
func TestKilledWhileASessionComesBack(t *testing.T) {
	s := Open(t.TempDir(), Options{})
	old, _ := settled(t, s, "k")
	newer := reset(t, s, "k")
	if err := s.Trash(t.Context(), newer); err != nil {
		t.Fatal(err)
	}
	wantCurrent(t, s, Address{Key: "k"}, old) // which is written down
	killed := errors.New("killed")
	err := s.returning(addressesOf("k", "", ""), func() error {
		if err := os.Rename(s.trashed(newer), s.dir(newer)); err != nil {
			t.Error(err)
		}
		return killed
	})
	if !errors.Is(err, killed) {
		t.Error(err)
	}
	wantCurrent(t, s, Address{Key: "k"}, newer)
}
