package forgets

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestCount: whoever counts, each counts, and of what.
func TestCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache", "forgets")
	if n := Count(path).Now(); n != 0 {
		t.Errorf("%d before the first", n)
	}
	const many = 1000 // so that they meet
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			if err := Count(path).Add(slices.Repeat([]string{"pi:" + strconv.Itoa(n)}, many)...); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := Count(path).Now(); n != 20*many {
		t.Errorf("%d, not %d", n, 20*many)
	}
	for n := range 20 {
		if !Count(path).Since(0, "pi:"+strconv.Itoa(n)) {
			t.Errorf("not of %d", n)
		}
	}
	if none := Count(""); none.Add("pi:1") != nil || none.Now() != 0 || none.Since(0, "pi:1") {
		t.Error("without a file, something is counted")
	}
}

// TestSince: what was taken away before is not taken away since, nor is another one.
func TestSince(t *testing.T) {
	c := Count(filepath.Join(t.TempDir(), "forgets"))
	must(t, c.Add("pi:1"))
	before := c.Now()
	if c.Since(before, "pi:1") {
		t.Error("nothing was since")
	}
	must(t, c.Add("pi:2", "pi:3"))
	for id, want := range map[string]bool{"pi:1": false, "pi:2": true, "pi:3": true, "pi:4": false} {
		if c.Since(before, id) != want {
			t.Errorf("%s is to be %t", id, want)
		}
	}
}

// TestKilledInTheMiddle: what one that was killed wrote in part counts nothing, and hides nothing of what follows.
func TestKilledInTheMiddle(t *testing.T) {
	c := Count(filepath.Join(t.TempDir(), "forgets"))
	must(t, c.Add("pi:1"))
	text, err := os.ReadFile(string(c))
	must(t, err)
	must(t, os.WriteFile(string(c), append(text, "xyz"...), 0o600))
	before := c.Now()
	must(t, c.Add("pi:2"))
	if before != 1 || c.Now() != 2 || !c.Since(before, "pi:2") {
		t.Error(before, c.Now())
	}
}

// TestLongCountIsBegunAnew, and may have been anything for who began before.
func TestLongCountIsBegunAnew(t *testing.T) {
	c := Count(filepath.Join(t.TempDir(), "forgets"))
	must(t, os.WriteFile(string(c), make([]byte, most), 0o600))
	before := c.Now()
	must(t, c.Add("pi:1"))
	if n := c.Now(); n != 1 || !c.Since(before, "pi:2") {
		t.Errorf("it is %d long", n)
	}
}
