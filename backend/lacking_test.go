package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/sourcetest"
)

// TestAForkBeforeItsParent: a fork whose beginning stands in a session that is not there yet is read again once that is; what was read then
// stays when the other goes.
func TestAForkBeforeItsParent(t *testing.T) {
	const fork, parent, folder = "01a10000-0000-7000-8000-000000000002", "01a10000-0000-7000-8000-000000000001", ".codex/sessions/2026/01/02/"
	thread := func(id, more, said string) string {
		return `{"timestamp":"2026-01-02T10:00:00Z","ordinal":0,"type":"session_meta","payload":{"id":"` + id + `","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"` + more + `}}` + "\n" +
			`{"timestamp":"2026-01-02T10:00:01Z","ordinal":1,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"` + said + `"}]}}` + "\n"
	}
	home := t.TempDir()
	sourcetest.Write(t, home, folder+"rollout-2026-01-02T10-00-02-"+fork+".jsonl",
		thread(fork, `,"history_base":{"thread_id":"`+parent+`","end_ordinal_exclusive":2,"end_byte_offset":1}`, "and then"))
	b := scanOf(t, home, t.TempDir(), codex.Source{})
	said := func() (string, int) {
		t.Helper()
		scanNow(t, b, "codex:"+fork)
		r := readNow(t, b, "codex:"+fork)
		found, err := b.Search(t.Context(), SearchOptions{Text: "the beginning"})
		newsMust(t, err)
		return r.Log, len(found.Hits)
	}
	if log, _ := said(); strings.Contains(log, "the beginning") || !strings.Contains(log, "and then") {
		t.Error(log)
	}
	path := sourcetest.Write(t, home, folder+"rollout-2026-01-02T10-00-00-"+parent+".jsonl", thread(parent, "", "the beginning"))
	if log, hits := said(); !strings.Contains(log, "the beginning") || hits == 0 {
		t.Errorf("%d hits, %s", hits, log)
	}
	newsMust(t, os.Remove(filepath.FromSlash(path)))
	if log, hits := said(); !strings.Contains(log, "the beginning") || hits == 0 {
		t.Errorf("%d hits, %s", hits, log)
	}
}
