package backend

import (
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// TestAnEarlierStateIsNoFork: what was kept of a session before it lost something is named for what it is.
func TestAnEarlierStateIsNoFork(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	b := m.open()
	for _, text := range []string{piSession() + piMore, piSession()} {
		writePi(t, m.others, text)
		kept, err := b.Keep(t.Context(), []string{"pi:s1"})
		if err != nil || kept[0].KeptAt == nil {
			t.Fatalf("%+v, %v", kept, err)
		}
	}
	all, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	earlier := map[string]string{}
	for i := range all {
		if of := all[i].EarlierOf; of != nil {
			earlier[*of] = all[i].ID
		}
	}
	if len(all) != 2 || len(earlier) != 1 || !strings.HasPrefix(earlier["pi:s1"], "pi:s1@") {
		t.Errorf("%v of %+v", earlier, all)
	}
}

// TestWhatIsWrittenAnewIsNoEarlierState: where an agent wrote its file anew, in the form of a later version, nothing is lost that a copy has, unless
// something that was said is.
func TestWhatIsWrittenAnewIsNoEarlierState(t *testing.T) {
	const (
		place  = ".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-01a1fbb9-0000-7000-8000-000000000001.jsonl"
		thread = `"id":"01a1fbb9-0000-7000-8000-000000000001","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"`
	)
	for id, c := range map[string]struct{ place, before, after, less string }{
		"pi:s1": {
			".pi/agent/sessions/--w--/2026-01-02T10-00-00_s1.jsonl",
			`{"type":"session","id":"s1","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}
{"type":"message","timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"one"}}
{"type":"message","timestamp":"2026-01-02T10:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"two"},{"type":"toolCall","id":"c1","name":"ls","arguments":{}}]}}
{"type":"compaction","timestamp":"2026-01-02T10:00:03Z","summary":"S","firstKeptEntryIndex":2,"tokensBefore":9}
`,
			`{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}
{"type":"message","id":"1","parentId":null,"timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"one"}}
{"type":"message","id":"2","parentId":"1","timestamp":"2026-01-02T10:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"two"},{"type":"toolCall","id":"c1","name":"ls","arguments":{}}]}}
{"type":"compaction","id":"3","parentId":"2","timestamp":"2026-01-02T10:00:03Z","summary":"S","firstKeptEntryId":"2","tokensBefore":9}
`,
			`,{"type":"toolCall","id":"c1","name":"ls","arguments":{}}`,
		},
		"codex:01a1fbb9-0000-7000-8000-000000000001": {
			place,
			`{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{` + thread + `}}
{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}}
{"timestamp":"2026-01-02T10:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"one"}}
{"timestamp":"2026-01-02T10:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]}}
{"timestamp":"2026-01-02T10:00:02Z","type":"event_msg","payload":{"type":"agent_message","message":"two"}}
`,
			`{"timestamp":"2026-01-02T10:00:00Z","ordinal":0,"type":"session_meta","payload":{` + thread + `,"history_mode":"paginated"}}
{"timestamp":"2026-01-02T10:00:01Z","ordinal":1,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}}
{"timestamp":"2026-01-02T10:00:01Z","ordinal":2,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","id":"i1","content":[{"type":"text","text":"one"}]}}}
{"timestamp":"2026-01-02T10:00:02Z","ordinal":3,"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]}}
{"timestamp":"2026-01-02T10:00:02Z","ordinal":4,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"AgentMessage","id":"i2","content":[{"type":"Text","text":"two"}]}}}
`,
			`{"type":"output_text","text":"two"}`,
		},
	} {
		for earlier, after := range []string{c.after, strings.Replace(c.after, c.less, "", 1)} {
			m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
			b := m.open()
			for _, text := range []string{c.before, after} {
				sourcetest.Write(t, m.others, c.place, text)
				kept, err := b.Keep(t.Context(), []string{id})
				if err != nil || kept[0].KeptAt == nil {
					t.Fatalf("%+v, %v", kept, err)
				}
			}
			all, err := b.KeptCopies(t.Context())
			if err != nil || len(all) != 1+earlier {
				t.Errorf("%s, less by %d: %+v, %v", id, earlier, all, err)
			}
		}
	}
}
