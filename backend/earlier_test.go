package backend

import (
	"strings"
	"testing"
	"time"
)

// TestAnEarlierStateIsNoFork: what was kept of a session before it lost something is named for what it is.
func TestAnEarlierStateIsNoFork(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	b := m.open()
	for _, text := range []string{piSession() + piMore, piSession()} {
		writePi(t, m.others, text)
		kept, err := b.Keep(t.Context(), []string{"pi:s1"})
		if err != nil || kept[0].KeptAt == nil {
			t.Fatalf("%+v, %v", kept, err)
		}
	}
	all, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	earlier := map[string]string{}
	for i := range all {
		if of := all[i].EarlierOf; of != nil {
			earlier[*of] = all[i].ID
		}
	}
	if len(all) != 2 || len(earlier) != 1 || !strings.HasPrefix(earlier["pi:s1"], "pi:s1@") {
		t.Errorf("%v of %+v", earlier, all)
	}
}
