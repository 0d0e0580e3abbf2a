package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// growing makes sessions that grow of each other.
type growing struct {
	t *testing.T
	s *Store
}

func grownOf(n int) (text string) {
	for seq := range n {
		text += fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"user","content":[{"type":"text","text":"x"}]}`+"\n", seq+1)
	}
	return text
}

func growID(n int) string { return fmt.Sprintf("01J0000000000000000000GR%02d", n) }

func newGrowing(t *testing.T) growing {
	t.Helper()
	g := growing{t, Open(t.TempDir(), Options{})}
	_, err := g.s.Put(growID(0), New{}, time.Time{}, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "session.jsonl"), []byte(grownOf(3)), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (g growing) grow(to, from int, more string, why error) error {
	_, err := g.s.Grow(growID(to), growID(from), New{}, time.Time{}, func(_ string, log *os.File) error {
		_, err := log.WriteString(more)
		return errors.Join(err, why)
	})
	return err
}

func (g growing) is(id int, want string, messages int, same int) {
	g.t.Helper()
	text, err := os.ReadFile(g.s.LogPath(growID(id)))
	m, metaErr := g.s.Metadata(growID(id))
	if err != nil || metaErr != nil || m.Log == nil {
		g.t.Fatal(err, metaErr, m.Log)
	}
	if string(text[:m.Log.Size]) != want || m.MessageCount != messages {
		g.t.Errorf("session %d has %d messages:\n%s", id, m.MessageCount, text)
	}
	one, _ := os.Stat(g.s.LogPath(growID(id)))
	other, _ := os.Stat(g.s.LogPath(growID(same)))
	if !os.SameFile(one, other) {
		g.t.Errorf("session %d does not go on in the file of %d", id, same)
	}
}

// TestGrowGoesOnInTheSameFile: the first that grows of a session does, and what another one grows of it is as it would be alone.
func TestGrowGoesOnInTheSameFile(t *testing.T) {
	g := newGrowing(t)
	all := grownOf(5)
	fourth := all[len(grownOf(3)):len(grownOf(4))]
	fifth := all[len(grownOf(4)):]
	for id, from := range []int{0, 1} {
		if err := g.grow(id+1, from, []string{fourth, fifth}[id], nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.grow(3, 0, fourth, nil); err != nil {
		t.Fatal(err)
	}
	g.is(2, all, 5, 0)
	g.is(1, grownOf(4), 4, 0)
	g.is(0, grownOf(3), 3, 0)
	g.is(3, grownOf(4), 4, 3)
	first, _ := os.Stat(g.s.LogPath(growID(0)))
	if second, _ := os.Stat(g.s.LogPath(growID(3))); os.SameFile(first, second) {
		t.Error("two go on in one file")
	}
}

// TestOneThatAnotherGrewOf is checked and counted as far as it goes, also where the log holds damage behind that.
func TestOneThatAnotherGrewOf(t *testing.T) {
	g := newGrowing(t)
	if err := g.grow(1, 0, grownOf(4)[len(grownOf(3)):]+"not JSON\n", nil); err != nil {
		t.Fatal(err)
	}
	for id, want := range []struct {
		messages int
		sound    bool
	}{{3, true}, {4, false}} {
		report, err := g.s.Check(growID(id))
		if err != nil || report.Metadata != MetadataOK || report.Sound() != want.sound {
			t.Errorf("%d: %+v, %v", id, report, err)
		}
		summary, err := g.s.Get(growID(id))
		if err != nil || summary.MessageCount != want.messages {
			t.Errorf("%d: %d messages, %v", id, summary.MessageCount, err)
		}
	}
}

// TestTwoGrowAtOnce: of two programs, one goes on in the file.
func TestTwoGrowAtOnce(t *testing.T) {
	g := newGrowing(t)
	fourth := grownOf(4)[len(grownOf(3)):]
	_, err := g.s.Grow(growID(1), growID(0), New{}, time.Time{}, func(_ string, log *os.File) error {
		other := g.grow(2, 0, fourth, nil)
		_, err := log.WriteString(fourth)
		return errors.Join(other, err)
	})
	if err != nil {
		t.Fatal(err)
	}
	g.is(1, grownOf(4), 4, 0)
	g.is(2, grownOf(4), 4, 2)
	one, _ := os.Stat(g.s.LogPath(growID(1)))
	if other, _ := os.Stat(g.s.LogPath(growID(2))); os.SameFile(one, other) {
		t.Error("both went on in one file")
	}
}

// TestGrowThatFails: what it wrote is nobody's, also of one that was killed before it could say so.
func TestGrowThatFails(t *testing.T) {
	g := newGrowing(t)
	fourth := grownOf(4)[len(grownOf(3)):]
	why := errors.New("the ink is out")
	if err := g.grow(1, 0, fourth, why); !errors.Is(err, why) {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(g.s.LogPath(growID(0))); err != nil || string(text) != grownOf(3) {
		t.Errorf("%v\n%s", err, text)
	}
	for id, left := range []string{"", fourth + `{"record`} {
		if err := os.WriteFile(g.s.LogPath(growID(0)), []byte(grownOf(3)+left), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(filepath.Join(filepath.Dir(g.s.LogPath(growID(0))), grownName)) // as if it had been killed before
		if err := g.grow(id+2, 0, fourth, nil); err != nil {
			t.Fatal(err)
		}
		g.is(id+2, grownOf(4), 4, map[bool]int{true: 0, false: id + 2}[left == ""])
	}
	if err := os.Truncate(g.s.LogPath(growID(0)), 10); err != nil {
		t.Fatal(err)
	}
	if err := g.grow(5, 0, fourth, nil); !errors.Is(err, ErrNotFound) {
		t.Error("of a log that is too short:", err)
	}
}
