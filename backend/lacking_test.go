package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/sourcetest"
)

const (
	forkID, parentID = "01a10000-0000-7000-8000-000000000002", "01a10000-0000-7000-8000-000000000001"
	forkFolder       = ".codex/sessions/2026/01/02/"
)

// forkThread is a thread of Codex's in which something was said.
func forkThread(id, more, said string) string {
	return `{"timestamp":"2026-01-02T10:00:00Z","ordinal":0,"type":"session_meta","payload":{"id":"` + id + `","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"` + more + `}}` + "\n" +
		forkSaid(1, said)
}

func forkSaid(ordinal int, said string) string {
	return fmt.Sprintf(`{"timestamp":"2026-01-02T10:00:01Z","ordinal":%d,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}}`+"\n", ordinal, said)
}

// forkOf is one that goes on from another before an ordinal.
func forkOf(parent string, end int) string {
	return forkThread(forkID, fmt.Sprintf(`,"history_base":{"thread_id":%q,"end_ordinal_exclusive":%d,"end_byte_offset":1}`, parent, end), "and then")
}

// TestAForkBeforeItsParent: a fork whose beginning stands in a session that is not there yet is read again once that is; what was read then
// stays when the other goes.
func TestAForkBeforeItsParent(t *testing.T) {
	const fork, parent, folder = forkID, parentID, forkFolder
	thread, home := forkThread, t.TempDir()
	sourcetest.Write(t, home, folder+"rollout-2026-01-02T10-00-02-"+fork+".jsonl", forkOf(parent, 2))
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

// TestAForkOfAParentThatChanges: a fork whose beginning stands in a session of which a part was there, or which says something else by now, is
// read again, and is not when that is appended to.
func TestAForkOfAParentThatChanges(t *testing.T) {
	home := t.TempDir()
	sourcetest.Write(t, home, forkFolder+"rollout-2026-01-02T10-00-02-"+forkID+".jsonl", forkOf(parentID, 3))
	counted := &counting{Follower: codex.Source{}}
	b := scanOf(t, home, t.TempDir(), counted)
	whole := forkThread(parentID, "", "the beginning") + forkSaid(2, "secret")
	for _, c := range []struct {
		parent   string
		messages int
		says     string
		reads    int64
	}{
		{forkThread(parentID, "", "the beginning"), 2, "", 2},
		{whole, 3, "secret", 2},
		{whole + forkSaid(3, "behind"), 3, "secret", 1},
		{strings.Replace(whole, "secret", "xxxxxx", 1) + forkSaid(3, "behind"), 3, "xxxxxx", 2},
	} {
		sourcetest.Write(t, home, forkFolder+"rollout-2026-01-02T10-00-00-"+parentID+".jsonl", c.parent)
		before := counted.times.Load()
		scanNow(t, b, "codex:"+forkID)
		if reads := counted.times.Load() - before; reads > c.reads {
			t.Errorf("%s: %d sessions were read", c.parent, reads)
		}
		rows, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		for _, row := range rows {
			if row.ID == "codex:"+forkID && (row.MessageCount == nil || *row.MessageCount != c.messages) {
				t.Errorf("%s: %v messages", c.parent, row.MessageCount)
			}
		}
		log := readNow(t, b, "codex:"+forkID).Log
		found, err := b.Search(t.Context(), SearchOptions{Text: "secret"})
		newsMust(t, err)
		in := 0
		for _, hit := range found.Hits {
			if hit.ID == "codex:"+forkID {
				in++
			}
		}
		if secret := c.says == "secret"; !strings.Contains(log, c.says) || strings.Contains(log, "secret") != secret || in > 0 != secret {
			t.Errorf("%s: %d hits, %s", c.parent, in, log)
		}
	}
}
