package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend"
	"palimpsest/backend/drawn"
)

// part is one part of a list, as it came.
type part struct {
	ids   []string
	total int
	next  string
}

func (f *fixture) part(path string) part {
	f.t.Helper()
	a := f.ask("GET", path, "", "Accept-Encoding", "identity")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != linesType || len(a.body) > partBytes+(4<<10) {
		f.t.Fatalf("%s: %d %v, %d bytes", path, a.status, a.header, len(a.body))
	}
	total, err := strconv.Atoi(a.header.Get("X-Total"))
	must(f.t, err)
	out := part{total: total, next: a.header.Get("X-Next")}
	for line := range bytes.Lines(a.body) {
		id, rest, found := bytes.Cut(bytes.TrimPrefix(line, []byte(`{"id":"`)), []byte(`",`))
		if !found || !json.Valid(line) {
			f.t.Fatalf("%s: no row: %s… %s", path, id, rest)
		}
		out.ids = append(out.ids, string(id))
	}
	return out
}

// fill writes empty sessions.
func (f *fixture) fill(n int, cwd string) []string {
	f.t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("01JD%022d", i)
		f.write(ids[i], cwd, time.Unix(int64(i), 0))
	}
	return ids
}

func (f *fixture) write(id, cwd string, at time.Time) {
	f.t.Helper()
	must(f.t, os.MkdirAll(f.dir(id), 0o700))
	must(f.t, os.WriteFile(filepath.Join(f.dir(id), "session.jsonl"), nil, 0o600))
	const metadata = `{"id":%q,"cwd":%q,"createdAt":%[3]q,"lastMessageAt":%[3]q,"messageCount":0}`
	text := fmt.Appendf(nil, metadata, id, cwd, at.UTC().Format(time.RFC3339))
	must(f.t, os.WriteFile(filepath.Join(f.dir(id), "metadata.json"), text, 0o600))
}

// TestPartsAreOneList: whatever comes, goes or gets another name in between, the parts are the list as it was when the first of them was
// asked for, each row once.
func TestPartsAreOneList(t *testing.T) {
	before := partBytes
	t.Cleanup(func() { partBytes = before })
	partBytes = 16 << 10
	f := start(t)
	const cwd = 2 << 10 // so that there are some parts
	fresh := 0
	drawn.Few(t, func(t *rapid.T) {
		there := f.fill(3*partBytes/cwd, strings.Repeat("/x", cwd/2))
		all, err := f.backend.List(f.t.Context(), backend.ListOptions{Archived: true, Quick: true})
		must(f.t, err)
		before := make([]string, len(all))
		for i := range all {
			before[i] = all[i].ID
		}
		path := rapid.SampledFrom([]string{"", "&brief=1"}).Draw(t, "rows")
		first := f.part("/api/sessions?archived=1&quick=1&parts=1" + path)
		if first.next == "" || first.total != len(before) {
			t.Fatalf("%d rows of %d first, of %d", len(first.ids), first.total, len(before))
		}
		got := first.ids
		for next := first.next; next != ""; {
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				id := rapid.SampledFrom(there).Draw(t, "session")
				switch rapid.SampledFrom([]string{"comes", "moves", "goes"}).Draw(t, "change") {
				case "comes":
					fresh++
					f.write(fmt.Sprintf("01JE%022d", fresh), "/new", time.Unix(int64(fresh), 0))
				case "moves":
					f.write(id, "/other", time.Unix(rapid.Int64Range(0, 1000).Draw(t, "when"), 0))
				case "goes":
					must(f.t, os.RemoveAll(f.dir(id)))
				}
			}
			p := f.part("/api/sessions?cursor=" + next)
			if p.total != first.total || len(p.ids) == 0 {
				t.Fatalf("a part of %d rows, of %d", len(p.ids), p.total)
			}
			got, next = append(got, p.ids...), p.next
		}
		if !slices.Equal(got, before) {
			t.Fatalf("%d rows that are not the %d there were", len(got), len(before))
		}
	})
}

// TestPartsOfEveryList: the trash and the copies come so, too, and what is short has one part.
func TestPartsOfEveryList(t *testing.T) {
	f, _ := abroad(t)
	for _, path := range []string{"/api/sessions?parts=1", "/api/trash?parts=1", "/api/kept?parts=1"} {
		if p := f.part(path); p.next != "" || p.total != len(p.ids) {
			t.Errorf("%s: %+v", path, p)
		}
	}
	ids := f.fill(firstRows+1, "one of many")
	for _, id := range ids {
		must(t, f.backend.Trash(t.Context(), id))
	}
	first := f.part("/api/trash?parts=1&brief=1")
	last := f.part("/api/trash?cursor=" + first.next)
	if len(first.ids) != firstRows || len(last.ids) != 1 || last.next != "" || last.total != len(ids) {
		t.Errorf("%d rows and %d of %d", len(first.ids), len(last.ids), last.total)
	}
}

// TestPartsEnd: a list is held until its last part is taken, and while no more than a few are.
func TestPartsEnd(t *testing.T) {
	f := start(t)
	f.fill(firstRows+1, "one of many")
	const path = "/api/sessions?quick=1&parts=1"
	taken := f.part(path)
	f.part("/api/sessions?cursor=" + taken.next)
	f.refused(http.StatusConflict, backend.CodeStale, "GET", "/api/sessions?cursor="+taken.next, "")
	used, idle := f.part(path), f.part(path)
	for range listsMost - 2 {
		f.part(path)
	}
	list, from, err := f.server.lists.of(used.next) // as a part in the middle would
	if err != nil || from != firstRows || list.total != firstRows+1 {
		t.Fatal(list, from, err)
	}
	f.part(path)
	f.refused(http.StatusConflict, backend.CodeStale, "GET", "/api/sessions?cursor="+idle.next, "")
	f.part("/api/sessions?cursor=" + used.next)
	for _, cursor := range []string{"x", used.next + "x", "A.-1", "A.", strings.Repeat("A", 300)} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/trash?cursor="+cursor, "")
	}
	f.refused(http.StatusConflict, backend.CodeStale, "GET", "/api/sessions?cursor=A.0", "")
	for _, one := range slices.Clone(f.server.lists.open) {
		f.server.lists.end(one)
	}
	if n := len(f.server.lists.open); n != 0 {
		t.Errorf("%d lists are held", n)
	}
}
