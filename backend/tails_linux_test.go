//go:build !race

package backend

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/siphash"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// largeSession writes one of several megabytes, and returns the file and how many lines it has.
func (s longSession) largeSession(t *testing.T, home string) (path string, count int) {
	t.Helper()
	const bytes, said = 9 << 18, 16 << 10
	var text strings.Builder
	text.WriteString(s.head)
	for count = 0; text.Len() < bytes; count++ {
		text.WriteString(s.line(count, strings.Repeat("long ", said/len("long "))))
	}
	return sourcetest.Write(t, home, s.path, text.String()), count
}

// scanAlone is what a program of its own has in the index when it has scanned a machine.
func scanAlone(t *testing.T, machine, own, cache string, source sources.Source, id string) []byte {
	t.Helper()
	siphash.TestOnlyAnother()
	b, err := Open(Options{Home: own, UserHome: machine, Cache: cache, Sources: []sources.Source{source}, Warn: func(err error) { t.Error(err) }})
	newsMust(t, err)
	defer b.Close()
	return scanNow(t, b, id)
}

// TestAnotherProgramReadsOn: of a large session that is appended to while no program is there, the next one reads what is new alone, whoever
// has read it before, and the index is what it would be had all been read.
func TestAnotherProgramReadsOn(t *testing.T) {
	for _, one := range longSessions() {
		t.Run(one.source.Agent(), func(t *testing.T) {
			home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
			path, count := one.largeSession(t, home)
			follower, _ := one.source.(sources.Follower)
			counted := &counting{Follower: follower}
			scanAlone(t, home, own, cache, counted, one.id)
			counted.times.Store(0)
			for n := range 5 {
				add(t, path, one.line(count+n, "grown"))
				got := scanAlone(t, home, own, cache, counted, one.id)
				if want := scanAlone(t, home, own, t.TempDir(), one.source, one.id); !bytes.Equal(got, want) {
					t.Fatalf("%d:\n%s\n%s", n, got, want)
				}
			}
			if n := counted.times.Load(); n > 0 {
				t.Errorf("it was read from its beginning %d times", n)
			}
		})
	}
}

// TestWhatIsKeptStands: a session that is not what was read any more, or of which what is kept is damaged, is read from its beginning.
func TestWhatIsKeptStands(t *testing.T) {
	one := longSessions()[2]
	tail := func(t *testing.T, cache string) string {
		t.Helper()
		kept, err := filepath.Glob(filepath.Join(cache, "tails", "*"))
		if err != nil || len(kept) != 1 {
			t.Fatal(kept, err)
		}
		return kept[0]
	}
	edit := func(t *testing.T, path string, change func(text []byte) []byte) {
		t.Helper()
		text, err := os.ReadFile(path)
		newsMust(t, err)
		newsMust(t, os.WriteFile(path, change(text), 0o600))
	}
	for name, happens := range map[string]func(t *testing.T, path, cache string){
		"it was edited at its beginning": func(t *testing.T, path, _ string) {
			edit(t, path, func(text []byte) []byte { return bytes.Replace(text, []byte("long"), []byte("song"), 1) })
		},
		"it was edited at its end": func(t *testing.T, path, _ string) {
			edit(t, path, func(text []byte) []byte {
				at := bytes.LastIndex(text, []byte("long"))
				return append(append(bytes.Clone(text[:at]), "song"...), text[at+4:]...)
			})
		},
		"it was moved by a byte": func(t *testing.T, path, _ string) {
			edit(t, path, func(text []byte) []byte { return bytes.Replace(text, []byte("long "), []byte("long  "), 1) })
		},
		"it is another file": func(t *testing.T, path, _ string) {
			text, err := os.ReadFile(path)
			newsMust(t, err)
			newsMust(t, os.WriteFile(path+".new", text, 0o600))
			newsMust(t, os.Rename(path+".new", path))
		},
		"it is shorter": func(t *testing.T, path, _ string) {
			edit(t, path, func(text []byte) []byte { return text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1] })
		},
		"what was kept is damaged": func(t *testing.T, _, cache string) {
			edit(t, tail(t, cache), func(text []byte) []byte {
				text[len(text)/2]++
				return text
			})
		},
		"what was kept is cut off": func(t *testing.T, _, cache string) {
			edit(t, tail(t, cache), func(text []byte) []byte { return text[:len(text)/2] })
		},
		"what was kept is nothing": func(t *testing.T, _, cache string) { newsMust(t, os.WriteFile(tail(t, cache), nil, 0o600)) },
		"nothing was kept":         func(t *testing.T, _, cache string) { newsMust(t, os.Remove(tail(t, cache))) },
	} {
		t.Run(name, func(t *testing.T) {
			home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
			path, count := one.largeSession(t, home)
			follower, _ := one.source.(sources.Follower)
			counted := &counting{Follower: follower}
			scanAlone(t, home, own, cache, counted, one.id)
			counted.times.Store(0)
			happens(t, path, cache)
			add(t, path, one.line(count, "grown"))
			got := scanAlone(t, home, own, cache, counted, one.id)
			if want := scanAlone(t, home, own, t.TempDir(), one.source, one.id); !bytes.Equal(got, want) {
				t.Errorf("%s\n%s", got, want)
			}
			if counted.times.Load() == 0 {
				t.Error("it was not read from its beginning")
			}
		})
	}
}
