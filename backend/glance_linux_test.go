//go:build !race

package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSettlingWithoutItsScratchFile: what is found out in the background and can't be is told, and ends nothing but that.
func TestSettlingWithoutItsScratchFile(t *testing.T) {
	const lines = 100_000
	t.Setenv("TMPDIR", t.TempDir())
	var text strings.Builder
	for seq := 1; seq <= lines; seq++ {
		text.WriteString(said(seq, []string{"assistant", "user"}[seq%2], "go on"))
	}
	b, id := open(t, text.String())
	c := &cached{place: place{store: b.store, id: id}}
	log, err := b.store.OpenLog(id)
	newsMust(t, err)
	defer log.Close()
	info, err := c.identify(log)
	newsMust(t, err)
	newsMust(t, c.index.Extend(log, info.Size()))
	if emptied(t, os.Getenv("TMPDIR")) == 0 {
		t.Fatal("there is no scratch file")
	}
	if err := b.views.find(t.Context(), c, ""); err == nil || !strings.Contains(err.Error(), "where lines stand") {
		t.Errorf("finding out: %v", err)
	}
}

// emptied empties the scratch files in a folder that this process has open, and says how many those are.
func emptied(t *testing.T, dir string) (count int) {
	t.Helper()
	const open = "/proc/self/fd"
	all, err := os.ReadDir(open)
	newsMust(t, err)
	for _, one := range all {
		path := filepath.Join(open, one.Name())
		if name, err := os.Readlink(path); err == nil && strings.HasPrefix(name, dir) {
			newsMust(t, os.Truncate(path, 0))
			count++
		}
	}
	return count
}
