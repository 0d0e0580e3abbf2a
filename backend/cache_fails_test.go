package backend

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/pi"
)

// TestCacheFails: where nothing more can be written to the cache, what its index has need not be read again, also of sessions whose files are
// gone; what it lacks is read, and goes with the program. Nothing is forgotten that would stay in it.
func TestCacheFails(t *testing.T) {
	home, agents, temp, cache := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	var warned []string
	open := func(fails error) *Backend {
		b, err := Open(Options{
			Home: home, UserHome: agents, Cache: cache, CacheFails: fails, Sources: []sources.Source{pi.Source{}},
			Warn: func(err error) { warned = append(warned, err.Error()) },
		})
		newsMust(t, err)
		t.Cleanup(b.Close)
		return b
	}
	writePiAs(t, agents, "s1")
	writePiAs(t, agents, "s2")
	b := open(nil)
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	newsMust(t, os.Remove(filepath.Join(agents, filepath.FromSlash(piPlace))))
	writePiAs(t, agents, "s3")

	b = open(syscall.EDQUOT)
	if len(warned) != 1 || !strings.Contains(warned[0], cache) || !strings.Contains(warned[0], syscall.EDQUOT.Error()) {
		t.Errorf("%q", warned)
	}
	if got, err := b.IndexStatus(t.Context()); err != nil || got.Sessions != 2 || got.Indexed != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	newsMust(t, b.Scan(t.Context(), false, nil))
	if got, err := b.Search(t.Context(), SearchOptions{Text: "first"}); err != nil || len(got.Hits) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := b.Forget(t.Context(), []string{"pi:s1"}); err != nil || got[0].Problem == nil || !strings.Contains(got[0].Problem.Message, cache) {
		t.Errorf("%+v, %v", got, err)
	}
	b.Close()
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}

	b = open(nil)
	if got, err := b.Search(t.Context(), SearchOptions{Text: "first"}); err != nil || len(got.Hits) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := b.Forget(t.Context(), []string{"pi:s1"}); err != nil || got[0].Problem != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
