package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend/drawn"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/pi"
)

// changing is a machine on which files of sessions change in any way.
type changing struct {
	*rapid.T
	home  string
	files map[string][]string // the lines of each, by its path; the last may lack its end
	next  int
}

func (m *changing) must(err error) {
	if err != nil {
		m.Fatal(err)
	}
}

// line is a message that no other is like.
func (m *changing) line(n int) string {
	m.next++
	return fmt.Sprintf(`{"type":"message","id":"m%d","parentId":%q,"timestamp":"2026-01-02T10:00:%02d.000Z","message":{"role":"user","content":"word%06d"}}`+"\n", n, fmt.Sprint("m", n-1), n%60, m.next)
}

func (m *changing) path(i, folder int) string {
	return filepath.Join(m.home, ".pi", "agent", "sessions", fmt.Sprintf("--w%d--", folder), fmt.Sprintf("2026-01-02T10-00-00-000Z_s%d.jsonl", i))
}

// write makes a file what it should be. An anew one is another file, in its place.
func (m *changing) write(path string, anew bool) {
	m.must(os.MkdirAll(filepath.Dir(path), 0o700))
	text := []byte(strings.Join(m.files[path], ""))
	if anew {
		m.must(os.WriteFile(path+".new", text, 0o600))
		m.must(os.Rename(path+".new", path))
		return
	}
	m.must(os.WriteFile(path, text, 0o600))
}

// change does something to one session's file.
func (m *changing) change() {
	i := rapid.IntRange(0, 2).Draw(m.T, "file")
	path := m.path(i, 0)
	for p := range m.files {
		if filepath.Base(p) == filepath.Base(path) {
			path = p
		}
	}
	lines, there := m.files[path]
	what := rapid.SampledFrom([]string{"append", "append", "half", "edit", "edit and give back", "cut", "remove", "move", "touch", "copy", "permit"}).Draw(m.T, "change")
	if !there {
		m.files[path] = []string{strings.Replace(piHead, `"s1"`, fmt.Sprintf(`"s%d"`, i), 1), m.line(1), m.line(2)}
		m.write(path, false)
		return
	}
	last := len(lines) - 1
	if !strings.HasSuffix(lines[last], "\n") && (what == "append" || what == "half") {
		lines[last] = m.line(last)
	}
	switch what {
	case "append":
		for range rapid.IntRange(1, 3).Draw(m.T, "lines") {
			lines = append(lines, m.line(len(lines)))
		}
	case "half":
		line := m.line(len(lines))
		lines = append(lines, line[:len(line)/2])
	case "edit", "edit and give back":
		n := rapid.IntRange(1, last).Draw(m.T, "line")
		if strings.HasSuffix(lines[n], "\n") {
			lines[n] = m.line(n)
		}
	case "cut":
		lines = lines[:rapid.IntRange(2, max(2, last)).Draw(m.T, "left")]
	case "remove":
		delete(m.files, path)
		m.must(os.Remove(path))
		return
	case "move":
		to := m.path(i, rapid.IntRange(0, 1).Draw(m.T, "folder"))
		m.must(os.MkdirAll(filepath.Dir(to), 0o700))
		m.must(os.Rename(path, to))
		delete(m.files, path)
		m.files[to] = lines
		return
	case "touch":
		m.must(os.Chtimes(path, time.Time{}, time.Now()))
		return
	case "permit":
		m.must(os.Chmod(path, 0o400|os.FileMode(rapid.IntRange(0, 1).Draw(m.T, "write"))<<7))
		return
	}
	info, err := os.Stat(path)
	m.must(err)
	m.must(os.Chmod(path, 0o600))
	m.files[path] = lines
	m.write(path, what == "copy")
	if what == "edit and give back" {
		m.must(os.Chtimes(path, info.ModTime(), info.ModTime()))
	}
}

// program opens one.
func (m *changing) program(own, cache string) *Backend {
	b, err := Open(Options{Home: own, UserHome: m.home, Cache: cache, Sources: []sources.Source{pi.Source{}}, Warn: func(err error) { m.Error(err) }})
	m.must(err)
	return b
}

// known is what the index of a program has of the sessions that are there: their digests, and all of their texts.
func (m *changing) known(t *testing.T, b *Backend) map[string]string {
	out := map[string]string{}
	m.must(b.indexing.index.EachSession(t.Context(), func(s *index.Session) {
		if !s.Gone {
			out[s.ID] = string(s.Digest)
		}
	}))
	for id, d := range out {
		found, err := b.indexing.index.Search(t.Context(), index.Query{}, index.Options{Session: id})
		m.must(err)
		out[id] = fmt.Sprint(d, found.Hits)
	}
	return out
}

// TestWhateverHappensToFiles: whatever happens to files between scans, and whichever of two programs scans, of which one is started anew now and
// then, the index they share is in the end what a new one is.
func TestWhateverHappensToFiles(t *testing.T) {
	library.TestOnlyShortTails(t)
	drawn.Few(t, func(r *rapid.T) {
		home, err1 := os.MkdirTemp(t.TempDir(), "")
		cache, err2 := os.MkdirTemp(t.TempDir(), "")
		m := &changing{T: r, home: home, files: map[string][]string{}}
		m.must(err1)
		m.must(err2)
		own := t.TempDir()
		programs := []*Backend{m.program(own, cache), m.program(own, cache)}
		defer func() {
			programs[0].Close()
			programs[1].Close()
		}()
		for range rapid.IntRange(1, 15).Draw(r, "changes") {
			m.change()
			switch who := rapid.IntRange(0, 3).Draw(r, "scans"); who {
			case 0, 1:
				m.must(programs[who].Scan(t.Context(), false, nil))
			case 2:
				programs[0].Close()
				programs[0] = m.program(own, cache)
			}
		}
		fresh := m.program(own, t.TempDir())
		defer fresh.Close()
		m.must(fresh.Scan(t.Context(), false, nil))
		want := m.known(t, fresh)
		for i, b := range programs {
			m.must(b.Scan(t.Context(), false, nil))
			got := m.known(t, b)
			for id := range want {
				if got[id] != want[id] {
					r.Errorf("%s in program %d:\n%s\nnot\n%s", id, i, got[id], want[id])
				}
			}
			if len(got) != len(want) {
				r.Errorf("%d sessions in program %d, not %d", len(got), i, len(want))
			}
		}
	})
}
