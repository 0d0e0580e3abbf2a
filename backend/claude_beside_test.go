package backend

import (
	"path/filepath"
	"testing"

	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/sourcetest"
)

// TestWhatSubagentsRepeatCountsOnce: a subagent that begins with its parent's context has the rows of that again, in a file of its own or in its
// parent's, with its own ids. What it was asked besides is none of the user's.
func TestWhatSubagentsRepeatCountsOnce(t *testing.T) {
	said := func(session string, turns ...exchange) string {
		out := fileRows{session: session}
		for i := range turns {
			turns[i].write(&out)
		}
		return out.String()
	}
	one, two, three := exchange{n: 1, uuid: "u1"}, exchange{n: 2, uuid: "u2"}, exchange{n: 3, uuid: "u3"}
	beside := func(of exchange) exchange {
		of.uuid, of.marks = "s"+of.uuid, `"isSidechain":true,"agentId":"aa",`
		return of
	}
	same := func(of exchange) exchange { of.marks = `"isSidechain":true,"agentId":"aa",`; return of }
	const session, place = "p0000000", ".claude/projects/-w/"
	own := said(session, one, two)
	for name, files := range map[string]map[string]string{
		"in its parent's file": {session + ".jsonl": own + said(session, beside(one), beside(two), beside(three))},
		"in a file beside it":  {session + ".jsonl": own, "agent-aa.jsonl": said(session, beside(one), beside(two), beside(three))},
		"in a folder":          {session + ".jsonl": own, session + "/subagents/agent-aa.jsonl": said(session, beside(one), beside(three))},
		"with the same ids":    {session + ".jsonl": own, session + "/subagents/agent-aa.jsonl": said(session, same(one), same(two), beside(three))},
		"in both":              {session + ".jsonl": own + said(session, beside(three)), "agent-aa.jsonl": said(session, beside(one), beside(three))},
	} {
		home := t.TempDir()
		for path, text := range files {
			sourcetest.Write(t, home, filepath.ToSlash(place+path), text)
		}
		b := scanOf(t, home, t.TempDir(), claudecode.Source{})
		newsMust(t, b.Scan(t.Context(), false, nil))
		s, err := b.Statistics(t.Context(), StatisticsOptions{})
		newsMust(t, err)
		if got := s.Totals; got.Input == nil || *got.Input != 1<<1|1<<2|1<<3 || got.Messages != 9 || got.Prompts != 2 || s.Tools[0].Calls != 3 {
			t.Errorf("%s: %d tokens, %d messages, %+v", name, *got.Input, got.Messages, s.Tools)
		}
	}
}
