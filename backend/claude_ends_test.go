package backend

import (
	"math/bits"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// sumOfCopies is what sessions that copied from each other take together.
func sumOfCopies(t *testing.T, sessions map[string][]exchange) Total {
	t.Helper()
	files := map[string]string{}
	for session, turns := range sessions {
		out := fileRows{session: session}
		for i := range turns {
			turns[i].write(&out)
		}
		files[".claude/projects/-w/"+session+".jsonl"] = out.String()
	}
	b := abroad(t, sourcetest.Home(t, files))
	scanned(t, b)
	s, err := b.Statistics(t.Context(), StatisticsOptions{Today: "2026-02-01"})
	newsMust(t, err)
	return s.Totals
}

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
		"to a boundary":                {{n: 2, uuid: "c2", request: numberless}, {n: 3, uuid: "c3", compact: true, bare: true}},
		"without it, and to more":      {{n: 2, uuid: "c2", request: numberless, cut: true}, {n: 3, uuid: "c3", compact: true}, {n: 4, uuid: "c4", open: true}},
	} {
		sum := sumOfCopies(t, map[string][]exchange{"s1": whole, "s2": copied})
		if sum.Input == nil || *sum.Input != 1<<1+1<<2+1<<4 || sum.Prompts != 3 || sum.Messages != 9 || sum.Compactions != 1 {
			t.Errorf("%s: %+v", name, sum)
		}
	}
}

// TestCopiesWithOtherTimesThatEndWithinCountOnce: where a copy has other ids and other times, a question or a compaction at its end is known by
// the answer that it stands behind, and by how long after that it was. One that was asked and answered in a fork is another, though it was in the
// same words.
func TestCopiesWithOtherTimesThatEndWithinCountOnce(t *testing.T) {
	whole := []exchange{{n: 1, uuid: "u1"}, {n: 2, uuid: "u2"}, {n: 3, uuid: "u3", compact: true}, {n: 4, uuid: "u4"}}
	again := func(n int, uuid string) exchange { return exchange{n: n, uuid: uuid, later: time.Hour} }
	open := func(one exchange) exchange { one.open = true; return one }
	compacted := func(one exchange) exchange { one.compact = true; return one }
	anew := func(one exchange) exchange { one.request = `"requestId":"anew_%d",`; return one }
	retyped := func(one exchange) exchange { one.later += 7 * time.Second; return one }
	bare := func(one exchange) exchange { one.bare = true; return one }
	for name, c := range map[string]struct {
		copied  []exchange
		prompts int
		answers int64
	}{
		"to a question":                     {[]exchange{again(1, "c1"), open(again(2, "c2"))}, 0, 0},
		"to a compaction":                   {[]exchange{again(2, "c2"), compacted(again(3, "c3"))}, 0, 0},
		"to a question behind one":          {[]exchange{again(2, "c2"), compacted(again(3, "c3")), open(again(4, "c4"))}, 0, 0},
		"to a question, and goes on":        {[]exchange{again(1, "c1"), open(again(2, "c2")), again(5, "v5")}, 1, 1 << 5},
		"and goes on in the same words":     {[]exchange{again(1, "c1"), retyped(anew(again(2, "v2")))}, 1, 1 << 2},
		"to a question, and is answered":    {[]exchange{again(1, "c1"), {n: 5, uuid: "v5", asked: new(open(again(2, "c2")))}}, 0, 1 << 5},
		"to a boundary":                     {[]exchange{again(2, "c2"), bare(compacted(again(3, "c3")))}, 0, 0},
		"with a compaction, and goes on":    {[]exchange{again(2, "c2"), compacted(again(3, "c3")), again(5, "v5")}, 1, 1 << 5},
		"an answer without its question":    {[]exchange{{n: 2, uuid: "c2", later: time.Hour, unasked: true}}, 0, 0},
		"a compaction and what it precedes": {[]exchange{compacted(again(3, "c3")), again(4, "c4")}, 0, 0},
	} {
		sum := sumOfCopies(t, map[string][]exchange{"s1": whole, "s2": c.copied})
		asked, answers := 3+c.prompts, 3+bits.OnesCount64(uint64(c.answers))
		if *sum.Input != 1<<1+1<<2+1<<4+c.answers || sum.Prompts != asked || sum.Messages != asked+2*answers || sum.Compactions != 1 {
			t.Errorf("%s: %d, %+v", name, *sum.Input, sum)
		}
	}
}

// TestWhatCopiesHaveBesideAnAnswer: of copies of a session that is gone, one may have a compaction, a question or results beside an answer that
// others lack.
func TestWhatCopiesHaveBesideAnAnswer(t *testing.T) {
	const from = `"forkedFrom":{"sessionId":"gone","messageUuid":"x"},`
	for name, c := range map[string]struct{ one, two []exchange }{
		"a compaction": {[]exchange{{n: 2, uuid: "c2"}}, []exchange{{n: 1, uuid: "d1", compact: true}, {n: 2, uuid: "d2"}}},
		"a question":   {[]exchange{{n: 1, uuid: "c1", compact: true}, {n: 2, uuid: "c2", unasked: true}}, []exchange{{n: 2, uuid: "d2"}}},
		"a result":     {[]exchange{{n: 1, uuid: "c1", compact: true}, {n: 2, uuid: "c2", short: true}}, []exchange{{n: 2, uuid: "d2"}}},
	} {
		for _, marks := range []string{"", from} {
			for _, turns := range [][]exchange{c.one, c.two} {
				for i := range turns {
					turns[i].marks = marks
				}
			}
			sum := sumOfCopies(t, map[string][]exchange{"s1": c.one, "s2": c.two})
			if *sum.Input != 1<<2 || sum.Prompts != 1 || sum.Messages != 3 || sum.Compactions != 1 {
				t.Errorf("%s, %q: %+v", name, marks, sum)
			}
		}
	}
}

// TestABoundaryAloneIsNoCompaction: a file that has nothing but the boundary of one, as when its agent was killed, has forgotten nothing yet.
func TestABoundaryAloneIsNoCompaction(t *testing.T) {
	boundary := exchange{n: 3, uuid: "u3", compact: true, bare: true}
	for name, c := range map[string]struct {
		one, two    []exchange
		compactions int
	}{
		"alone":           {one: []exchange{boundary}},
		"beside another":  {[]exchange{boundary}, []exchange{{n: 4, uuid: "u4", compact: true}}, 1},
		"copied":          {[]exchange{boundary}, []exchange{{n: 1, uuid: "u1"}, {n: 3, uuid: "u3", compact: true}}, 1},
		"with another id": {[]exchange{boundary}, []exchange{{n: 1, uuid: "u1"}, {n: 3, uuid: "c3", compact: true}}, 1},
	} {
		if sum := sumOfCopies(t, map[string][]exchange{"s1": c.one, "s2": c.two}); sum.Compactions != c.compactions {
			t.Errorf("%s: %+v", name, sum)
		}
	}
}
