package codex

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// TestLittleIsRemembered: of a session of any length, as much of what was said is remembered as a compaction may keep, and what Codex
// put in at each resume is once.
func TestLittleIsRemembered(t *testing.T) {
	r := newReader(sources.NewLog(agent, id, io.Discard, func([]byte) (string, error) { return "sha", nil }))
	take := func(text string) {
		line := envelope(0, item(user(text)))
		r.numbered(gjson.Parse(line), 0, &copies{}, nil)
	}
	const turns = 3 * textsMost / 50_000
	for i := range turns {
		take("# AGENTS.md instructions for /w " + strings.Repeat("rule ", 100))
		take(fmt.Sprintf("%d %s", i, strings.Repeat("word ", 10_000)))
	}
	size, begun := 0, 0
	put := map[*sources.Block]bool{}
	for n := r.at; n != nil; n = n.prev {
		size += len(n.text)
		if n.turn {
			begun++
		}
		if n.injected != nil {
			put[&n.injected[0]] = true
		}
	}
	if most := textsMost + turns*50; size > most || size < textsMost/2 || begun != turns || len(put) != 1 {
		t.Errorf("%d bytes of %d turns (%d), %d injected texts", size, begun, turns, len(put))
	}
	if !strings.HasPrefix(r.at.text, fmt.Sprintf("%d word", turns-1)) {
		t.Errorf("the newest is gone: %.40q", r.at.text)
	}
}

// TestRollbackIntoACompaction: going back to before a message that a compaction had kept is no compaction of Codex's.
func TestRollbackIntoACompaction(t *testing.T) {
	r := read(t, envelope(0, header(id, ""), item(user("one")), item(user("two")),
		`compacted {"message":"","replacement_history":[`+user("one")+`,`+user("two")+`]}`, `event_msg {"type":"thread_rolled_back","num_turns":1}`))
	if got, want := r.Triggers(), []string{"unknown", record.TriggerEdit}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
