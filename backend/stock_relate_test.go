package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
)

// TestSilentCopiesAreForks: what begins behind a compaction of another session, or has its answers in rows of other ids, is listed as its fork
// once both are in the index, whichever came first; and is none any more in an index that has never seen the other.
func TestSilentCopiesAreForks(t *testing.T) {
	said := func(session string, turns ...exchange) string {
		var out strings.Builder
		for i := range turns {
			turns[i].write(&out, session)
		}
		return out.String()
	}
	one, two, three, four := exchange{n: 1, uuid: "u1"}, exchange{n: 3, uuid: "u3"}, exchange{n: 4, uuid: "u4"}, exchange{n: 9, uuid: "u9"}
	compacted, other := exchange{n: 2, uuid: "u2", compact: true}, func(of exchange) exchange { of.uuid = "c" + of.uuid; return of }
	for name, copied := range map[string]string{
		"behind a compaction":        said("b1", compacted, two, three),
		"without its summary":        said("b1", two, three),
		"with other ids":             said("b1", other(one), other(compacted), other(two), three),
		"behind it, with other ids":  said("b1", other(compacted), other(two), three),
		"nothing was said in it yet": said("b1", two),
		"of all of it":               said("b1", other(one), other(compacted), other(two), other(four), exchange{n: 20, uuid: "u20"}),
	} {
		for _, last := range []string{"a1", "b1"} {
			home, own := t.TempDir(), t.TempDir()
			write := func(id, text string) {
				path := filepath.Join(home, ".claude/projects/-w", id+".jsonl")
				newsMust(t, os.MkdirAll(filepath.Dir(path), 0o700))
				newsMust(t, os.WriteFile(path, []byte(text), 0o600))
			}
			files := map[string]string{"a1": said("a1", one, compacted, two, four), "b1": copied}
			open := func() *Backend {
				b, err := Open(Options{Home: own, UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{claudecode.Source{}}, Warn: func(err error) { t.Error(err) }})
				newsMust(t, err)
				t.Cleanup(b.Close)
				return b
			}
			b := open()
			check := func(want string) {
				t.Helper()
				newsMust(t, b.Scan(t.Context(), false, nil))
				list, err := b.List(t.Context(), ListOptions{})
				newsMust(t, err)
				for i := range list {
					s, err := b.Get(list[i].ID)
					newsMust(t, err)
					for _, s := range []Session{list[i], s} {
						got := ""
						if s.Parent != nil {
							got = fmt.Sprintf("%s of %s", *s.Relation, *s.Parent)
						}
						if is := s.ID == "claudecode:b1"; is && got != want || !is && got != "" {
							t.Errorf("%s, %s last: %s is %q", name, last, s.ID, got)
						}
					}
				}
			}
			for id, text := range files {
				if id != last {
					write(id, text)
				}
			}
			check("")
			write(last, files[last])
			check("fork of claudecode:a1")
			newsMust(t, os.Remove(filepath.Join(home, ".claude/projects/-w/a1.jsonl")))
			check("fork of claudecode:a1")
			b = open()
			check("")
			write("a1", files["a1"])
			check("fork of claudecode:a1")
		}
	}
}
