package backend

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

func TestListsCountWhatIsSmall(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	writePi(t, home, piSession())
	sourcetest.Write(t, home, ".claude/projects/-w/p.jsonl", claudeText)
	b := abroad(t, home)
	counted := func(opts ListOptions) (n int) {
		list, err := b.List(t.Context(), opts)
		if err != nil || len(list) < 2 {
			t.Fatal(list, err)
		}
		for _, s := range list {
			if s.MessageCount != nil && s.Compactions != nil {
				n++
			}
		}
		return n
	}
	quick := counted(ListOptions{Quick: true})
	if all := counted(ListOptions{}); all != 2 || quick == all {
		t.Errorf("%d are counted, %d at once", all, quick)
	}
	if again := counted(ListOptions{Quick: true}); again != 2 {
		t.Errorf("%d are still known", again)
	}
	long := strings.Replace(claudeText, `"go"`, `"`+strings.Repeat("x", fewBytes)+`"`, 1)
	sourcetest.Write(t, home, ".claude/projects/-w/q.jsonl", strings.ReplaceAll(long, `"p"`, `"q"`))
	if with := counted(ListOptions{}); with != 2 {
		t.Errorf("%d are counted beside a long one", with)
	}
}
