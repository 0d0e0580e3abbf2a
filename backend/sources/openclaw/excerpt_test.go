package openclaw

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestExcerpt: sessions with events in rows, set aside, and moved out into a file or into one value are each read alone as among others.
func TestExcerpt(t *testing.T) {
	home := t.TempDir()
	events := text("a - "+user("one"), "b a "+said("two"))
	archived := text("a - "+user("the others question"), "b a "+said("the others answer"))
	database(t, home, events,
		"INSERT INTO transcript_events SELECT 's2', seq, replace(event_json, 's1', 's2'), event_zstd FROM transcript_events",
		"INSERT INTO session_windows SELECT 's2', 'agent:main:secret', NULL, NULL, created_at, updated_at, model FROM session_windows",
		`INSERT INTO session_nodes VALUES ('agent:main:secret', 's2', '{"sessionId":"s2","autoLabel":"The other secret"}', NULL, 'The other secret', NULL, NULL)`,
		"INSERT INTO session_transcript_archives VALUES ('s1', 's1.jsonl.reset.1', 'identity', CAST('"+archived+"' AS BLOB), 1767348000000)",
		"INSERT INTO session_transcript_cold_archives VALUES ('s3', 'cold.jsonl.zst', NULL)", "INSERT INTO session_windows VALUES ('s3', 'agent:main:cold', NULL, NULL, 1, 2, 'm')",
		"INSERT INTO auth_profile_store VALUES ('the secret token')",
	)
	sourcetest.Write(t, home, ".openclaw/agents/main/sessions/cold/cold.jsonl.zst", packed(t, strings.Replace(archived, `"s1"`, `"s3"`, 1)))
	excerpts := sourcetest.Excerpts(t, Source{}, sourcetest.Env(t, home))
	if len(excerpts) != 4 {
		t.Fatalf("%v", excerpts)
	}
	one, err := os.ReadFile(excerpts["s1"])
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"the secret token", "The other secret", "agent:main:secret", "agent:main:cold", "jsonl.reset"} {
		if bytes.Contains(one, []byte(other)) {
			t.Errorf("%q went with it", other)
		}
	}
}

// TestLacks: an event that is gone is missed, one that came is not.
func TestLacks(t *testing.T) {
	take := func(events string) string {
		home := t.TempDir()
		database(t, home, events)
		env := sourcetest.Env(t, home)
		to := filepath.Join(home, "excerpt")
		if as, err := (Source{}).Excerpt(t.Context(), env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)), to); err != nil || filepath.Ext(as) != ".sqlite" {
			t.Fatal(as, err)
		}
		return to
	}
	short, long := take(text("a - "+user("one"))), take(text("a - "+user("one"), "b a "+said("two")))
	if lacks, err := (Source{}).Lacks(t.Context(), short, long); err != nil || !lacks {
		t.Error(lacks, err)
	}
	if lacks, err := (Source{}).Lacks(t.Context(), long, short); err != nil || lacks {
		t.Error(lacks, err)
	}
}

func TestSampleExcerpts(t *testing.T) {
	taken := 0
	for _, home := range sourcetest.Samples(t, "openclaw") {
		taken += len(sourcetest.Excerpts(t, Source{}, sourcetest.Env(t, home)))
	}
	if taken == 0 {
		t.Error("no sample has a session in a database")
	}
}
