package backend

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestCopiesThatBeginOrEndWithinCountOnce: a copy with other ids may lack the first row of an answer whose request has no number, and end
// with a question, or with a compaction.
func TestCopiesThatBeginOrEndWithinCountOnce(t *testing.T) {
	whole := []exchange{
		{n: 1, uuid: "u1", request: numberless}, {n: 2, uuid: "u2", request: numberless}, {n: 3, uuid: "u3", compact: true}, {n: 4, uuid: "u4", request: numberless},
	}
	for name, copied := range map[string][]exchange{
		"without its first row":        {{n: 1, uuid: "c1", request: numberless, cut: true}},
		"to a question":                {whole[0], {n: 2, uuid: "c2", open: true}},
		"to a compaction":              {{n: 1, uuid: "c1", request: numberless}, {n: 2, uuid: "c2", request: numberless}, {n: 3, uuid: "c3", compact: true}},
		"only the middle of an answer": {{n: 1, uuid: "c1", request: numberless, cut: true, short: true}},
		"only a question":              {{n: 4, uuid: "c4", open: true}},
		"without it, and to more":      {{n: 2, uuid: "c2", request: numberless, cut: true}, {n: 3, uuid: "c3", compact: true}, {n: 4, uuid: "c4", open: true}},
	} {
		files := map[string]string{}
		for session, turns := range map[string][]exchange{"s1": whole, "s2": copied} {
			var out strings.Builder
			for i := range turns {
				turns[i].write(&out, session)
			}
			files[".claude/projects/-w/"+session+".jsonl"] = out.String()
		}
		b := abroad(t, sourcetest.Home(t, files))
		scanned(t, b)
		s, err := b.Statistics(t.Context(), StatisticsOptions{Today: "2026-02-01"})
		newsMust(t, err)
		if sum := s.Totals; sum.Input == nil || *sum.Input != 1<<1+1<<2+1<<4 || sum.Prompts != 3 || sum.Messages != 9 || sum.Compactions != 1 {
			t.Errorf("%s: %+v", name, sum)
		}
	}
}
