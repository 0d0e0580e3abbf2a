package backend

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/sourcetest"
)

// TestSilentCopiesAreForks: what begins behind a compaction of another session, or has its answers in rows of other ids, is listed as its fork
// once both are in the index, whichever came first; and is none any more in an index that has never seen the other.
func TestSilentCopiesAreForks(t *testing.T) {
	t.Parallel()
	said := func(session string, turns ...exchange) string {
		out := fileRows{session: session}
		for i := range turns {
			turns[i].write(&out)
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

// TestACopyThatComesInPieces: what is listed as a copy does not depend on how much of it was there when it was read first, and it is none of what
// was forgotten since.
func TestACopyThatComesInPieces(t *testing.T) {
	t.Parallel()
	rows := func(session string, turns ...exchange) (all []string) {
		out := fileRows{session: session}
		for i := range turns {
			turns[i].write(&out)
		}
		last := "null"
		for line := range strings.Lines(out.String()) { // each behind the one before: else nothing that is appended is read by itself
			all = append(all, strings.Replace(line, `"parentUuid":null`, `"parentUuid":`+last, 1))
			_, uuid, _ := strings.Cut(line, `"uuid":`)
			last, _, _ = strings.Cut(uuid, ",")
		}
		return all
	}
	copied := rows("b1", exchange{n: 1, uuid: "c1", later: time.Hour}, exchange{n: 5, uuid: "u5"})
	for n := range copied {
		const folder = ".claude/projects/-w/"
		home := sourcetest.Home(t, map[string]string{folder + "a1.jsonl": strings.Join(rows("a1", exchange{n: 1, uuid: "u1"}, exchange{n: 9, uuid: "u9"}), "")})
		b := abroad(t, home)
		for _, there := range [][]string{copied[:n], copied} {
			sourcetest.Write(t, home, folder+"b1.jsonl", strings.Join(there, ""))
			scanned(t, b)
		}
		if s, err := b.Get("claudecode:b1"); err != nil || s.Parent == nil || *s.Parent != "claudecode:a1" {
			t.Errorf("%d rows at first: %v, %v", n, s.Parent, err)
		}
		if n > 0 {
			continue
		}
		newsMust(t, os.Remove(filepath.Join(home, folder+"a1.jsonl")))
		scanned(t, b)
		_, err := b.Forget(t.Context(), []string{"claudecode:a1"})
		newsMust(t, err)
		if s, err := b.Get("claudecode:b1"); err != nil || s.Parent != nil {
			t.Errorf("once that is forgotten: %v, %v", s.Parent, err)
		}
	}
}

// TestACopyOfAForkIsBehindIt: a file with other ids that has all of a fork, whether that says where it comes from or has the same rows, is listed
// as a copy of it, though it begins before that goes on; the fork stays one of the session that it was made from, and this one nobody's. What that
// was itself made from stands before it, with the same ids or others.
func TestACopyOfAForkIsBehindIt(t *testing.T) {
	said := func(marks, ids string, numbers ...int) (all []exchange) {
		for _, n := range numbers {
			all = append(all, exchange{n: n, uuid: fmt.Sprintf("%s%d", ids, n), marks: marks, compact: n == 3})
		}
		return all
	}
	const marks = `"forkedFrom":{"sessionId":"p","messageUuid":"x"},`
	whole := said("", "u", 1, 2, 9)
	for name, c := range map[string]struct {
		files map[string][]exchange
		want  map[string]string
	}{
		"of one that says so":             {map[string][]exchange{"p": whole, "f": append(said(marks, "u", 1, 2), said("", "u", 5)...), "a": said("", "c", 1, 2, 5)}, map[string]string{"f": "p", "a": "f"}},
		"of one with the same rows":       {map[string][]exchange{"p": whole, "f": said("", "u", 1, 2, 5, 6), "z": said("", "c", 1, 2, 5, 6)}, map[string]string{"f": "p", "z": "f"}},
		"of one whose session is gone":    {map[string][]exchange{"f": append(said(marks, "u", 1, 2), said("", "u", 5, 6)...), "a": said("", "c", 1, 2, 5, 6)}, map[string]string{"f": "p", "a": "f"}},
		"which was made from another":     {map[string][]exchange{"x": said("", "u", 1, 2, 3, 4, 8), "p": said("", "u", 3, 4, 6), "f": said("", "u", 3, 4, 5)}, map[string]string{"p": "x", "f": "p"}},
		"and that, with other ids":        {map[string][]exchange{"x": said("", "c", 1, 2, 3, 4, 8), "p": said("", "u", 3, 4, 6), "f": said("", "u", 3, 4, 5)}, map[string]string{"p": "x", "f": "p"}},
		"of the session it was made from": {map[string][]exchange{"p": whole, "f": said("", "u", 1, 2, 5), "a": said("", "c", 1, 2)}, map[string]string{"f": "p", "a": "p"}},
	} {
		files := map[string]string{}
		for id, turns := range c.files {
			out := fileRows{session: id}
			for i := range turns {
				turns[i].write(&out)
			}
			files[".claude/projects/-w/"+id+".jsonl"] = out.String()
		}
		b := abroad(t, sourcetest.Home(t, files))
		scanned(t, b)
		list, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		of := map[string]string{}
		for i := range list {
			if list[i].Parent != nil {
				of[strings.TrimPrefix(list[i].ID, "claudecode:")] = strings.TrimPrefix(*list[i].Parent, "claudecode:")
			}
		}
		if !maps.Equal(of, c.want) {
			t.Errorf("%s: %v, not %v", name, of, c.want)
		}
	}
}
