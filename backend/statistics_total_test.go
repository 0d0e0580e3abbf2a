package backend

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"palimpsest/backend/digest"
	"palimpsest/backend/record"
)

// TestManyProjects: those that have the most are told by themselves, and the rest together, so that nothing is missing in the sum.
func TestManyProjects(t *testing.T) {
	const projects = 12
	tallied := func(most int) Statistics {
		sums := newTally(StatisticsOptions{Projects: most}, func(*digest.Digest) record.Kinds { return record.AllTokens })
		for n := range projects {
			cost := float64(n)
			for i := range n + 1 { // the later have more
				sum := digest.Sum{Messages: 2, Prompts: 1, Compactions: 1}
				if i%2 == 0 { // of the others nothing is known
					sum.Usage, sum.Answers, sum.Priced, sum.Cost = &digest.Usage{Input: 7, Output: 3, CacheRead: int64(n)}, 1, 1, &cost
				}
				d := &digest.Digest{About: digest.About{Cwd: fmt.Sprint("/w/", n)}, Days: []digest.Day{{Day: "2026-01-02", Model: "m", Sum: sum}}}
				sums.take(fmt.Sprint(n, "/", i), d, nil)
			}
		}
		return sums.statistics()
	}
	for most, told := range map[int]int{0: projects, 1: 1, 5: 5, projects: projects, 99: projects} {
		got := tallied(most)
		if len(got.Projects) != told || got.Projects[0].Project != "/w/11" {
			t.Errorf("%d: %+v", most, got.Projects)
		}
		var sum Total
		for i := range got.Projects {
			sum.join(&got.Projects[i].Total)
		}
		if others := got.OtherProjects; (others == nil) != (told == projects) {
			t.Errorf("%d: others are %+v", most, others)
		} else if others != nil {
			if sum.join(&others.Total); others.Count != projects-told {
				t.Errorf("%d: %d others", most, others.Count)
			}
		}
		if diff := cmp.Diff(got.Totals, sum, cmpopts.IgnoreUnexported(Total{})); diff != "" {
			t.Errorf("%d: %s", most, diff)
		}
	}
	// Of folders of which nothing is known, nothing is.
	var nothing Total
	if nothing.join(&Total{Sessions: 1}); nothing.Cost != nil || nothing.Input != nil {
		t.Errorf("%+v", nothing)
	}
}
