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

// TestAllIsRemembered: of a session of any length, all that was said can be gone back to, and what Codex put in at each resume is remembered
// once.
func TestAllIsRemembered(t *testing.T) {
	r := newReader(sources.NewLog(agent, id, io.Discard, func([]byte) (string, error) { return "sha", nil }))
	take := func(text string) {
		line := envelope(0, item(user(text)))
		r.numbered(gjson.Parse(line), 0, &copies{}, nil)
	}
	const turns = 300
	for i := range turns {
		take("# AGENTS.md instructions for /w " + strings.Repeat("rule ", 100) + "</INSTRUCTIONS>")
		take(fmt.Sprintf("%d %s", i, strings.Repeat("word ", 10_000)))
	}
	begun, put := 0, map[int32]bool{}
	for i := r.at.node; i > 0; {
		n := r.history.node(i)
		if n.turn {
			begun++
			if text := r.history.textOf(&n); !strings.HasPrefix(text, fmt.Sprintf("%d word", turns-begun)) {
				t.Fatalf("turn %d before the end says %.40q", begun, text)
			}
		} else {
			put[n.text] = true
		}
		i = n.prev
	}
	if begun != turns || len(put) != 1 {
		t.Errorf("%d turns, %d injected texts", begun, len(put))
	}
}

// TestRollbackIntoACompaction: going back to before a message that a compaction had kept is no compaction of Codex's.
func TestRollbackIntoACompaction(t *testing.T) {
	r := read(t, envelope(0, header(id, ""), item(user("one")), item(user("two")),
		`compacted {"message":"`+summary("S")+`"}`, rollBack(1)))
	if got, want := r.Triggers(), []string{"unknown", record.TriggerEdit}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
