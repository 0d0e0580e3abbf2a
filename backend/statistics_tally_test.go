package backend

import (
	"testing"

	"palimpsest/backend/digest"
	"palimpsest/backend/record"
)

// TestSumsThatLackSomething: of how many sessions a sum misses what they used is told beside it; what the user says uses nothing.
func TestSumsThatLackSomething(t *testing.T) {
	const model, day = "m", "2026-01-02"
	cost := 0.5
	tell := digest.Sum{Messages: 2, Prompts: 1, Usage: &digest.Usage{Input: 7, Output: 3}, Answers: 1, Priced: 1, Cost: &cost}
	unpriced := digest.Sum{Messages: 2, Prompts: 1, Usage: &digest.Usage{Input: 7, Output: 3}, Answers: 2, Priced: 1}
	some := digest.Sum{Messages: 4, Prompts: 1, Usage: &digest.Usage{Input: 7, Output: 3}, Answers: 1, Priced: 1, Cost: &cost, Untold: 1}
	told := func(answers int, untold record.ByKind) digest.Sum {
		return digest.Sum{Messages: answers, Usage: &digest.Usage{Input: 7}, Answers: answers, Priced: answers, Cost: &cost, UntoldKinds: untold}
	}
	every := record.ByKind{Input: 1, Output: 1, CacheRead: 1, CacheWrite: 1}
	for name, c := range map[string]struct {
		sums []digest.Sum // each is a session
		want Unknown
	}{
		"all told":            {[]digest.Sum{tell, tell}, Unknown{}},
		"no usage":            {[]digest.Sum{tell, {Messages: 2, Prompts: 1}}, Unknown{Usage: 1, Cost: 1, Kinds: every}},
		"not all of the cost": {[]digest.Sum{tell, unpriced}, Unknown{Cost: 1}},
		"some of it":          {[]digest.Sum{tell, some}, Unknown{Usage: 1, Cost: 1, Kinds: every}},
		// Each of these is of an agent whose answers tell all but what was written to a cache.
		"a kind that they tell":     {[]digest.Sum{tell, told(2, record.ByKind{CacheRead: 2})}, Unknown{Usage: 1, Kinds: record.ByKind{CacheRead: 1}}},
		"one that they don't":       {[]digest.Sum{tell, told(2, record.ByKind{CacheWrite: 2})}, Unknown{}},
		"one that some of them did": {[]digest.Sum{tell, told(2, record.ByKind{CacheWrite: 1})}, Unknown{Usage: 1, Kinds: record.ByKind{CacheWrite: 1}}},
		"never answered":            {[]digest.Sum{tell, {Messages: 1, Prompts: 1}}, Unknown{}},
	} {
		sums := newTally(StatisticsOptions{AgentDays: true}, func(*digest.Digest) record.Kinds { return record.AllTokens &^ record.CacheWriteTokens })
		for i, sum := range c.sums {
			d := &digest.Digest{Days: []digest.Day{{Day: day, Model: model, Sum: sum}}}
			sums.take(string(rune('a'+i)), d, nil)
		}
		got := sums.statistics()
		for where, lacks := range map[string]Unknown{
			"all": got.Totals.Lacks, "day": got.Days[0].Lacks, "agent": got.Agents[0].Lacks, "its day": got.Agents[0].Days[0].Lacks,
			"project": got.Projects[0].Lacks, "model": got.Models[0].Lacks,
		} {
			if lacks != c.want {
				t.Errorf("%s, %s: %+v, want %+v", name, where, lacks, c.want)
			}
		}
	}
}
