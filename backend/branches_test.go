package backend

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/session"
)

func branchLine(seq, from int) string {
	return fmt.Sprintf(`{"recordType":"branch","schemaVersion":2,"seq":%d,"fromSeq":%d}`+"\n", seq, from)
}

func TestBranchesOfAnOutline(t *testing.T) {
	one, two := said(1, "user", "one"), said(2, "assistant", "two")
	for _, c := range []struct {
		name, log string
		want      []Branch
	}{
		{"none", one + two, []Branch{}},
		{"one that was left", one + two + branchLine(3, 1) + said(4, "user", "four"), []Branch{{Index: 2, From: 1, Messages: 1, Left: 1}}},
		{
			"two from one place", one + two + branchLine(3, 1) + said(4, "user", "x") + said(5, "user", "y") + branchLine(6, 1),
			[]Branch{{Index: 2, From: 1, Messages: 2, Left: 1}, {Index: 5, From: 1, Messages: 0, Left: 1}},
		},
		{
			"from a branch that was left", one + two + branchLine(3, 1) + branchLine(4, 2) + said(5, "user", "x"),
			[]Branch{{Index: 2, From: 1, Messages: 0, Left: 1}, {Index: 3, From: 2, Messages: 1, Left: 0}},
		},
		{"from before everything", one + branchLine(2, 0), []Branch{{Index: 1, From: 0, Messages: 0, Left: 1}}},
		{"one that points ahead", one + branchLine(2, 7), []Branch{}},
	} {
		b, id := open(t, c.log)
		outline, err := b.Outline(id)
		newsMust(t, err)
		if diff := cmp.Diff(c.want, outline.Branches); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Whoever follows the branches from the end to the start, as a page does that shows one way, comes by what is on the path and by nothing else.
func TestBranchesLeadAlongThePath(t *testing.T) {
	b, err := Open(Options{Home: t.TempDir()})
	newsMust(t, err)
	t.Cleanup(b.Close)
	rapid.Check(t, func(t *rapid.T) {
		m, err := b.store.Import(session.New{}, []byte(randomLog(t)))
		if err != nil {
			t.Fatal(err)
		}
		outline, err := b.Outline(m.ID)
		if err != nil {
			t.Fatal(err)
		}
		on, end := map[int]bool{}, outline.Total
		for i := len(outline.Branches) - 1; i >= -1; i-- {
			from, next := 0, 0
			if i >= 0 {
				if outline.Branches[i].Index >= end {
					continue
				}
				from, next = outline.Branches[i].Index, outline.Branches[i].From
			}
			for line := from; line < end; line++ {
				on[line] = true
			}
			end = next
		}
		page, err := b.Page(m.ID, PageOptions{Limit: pageMost})
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range page.Entries {
			if entry.State != StateNewer && (entry.State == StateOffPath) == on[entry.Index] {
				t.Errorf("line %d is %s, on the path: %t", entry.Index, entry.State, on[entry.Index])
			}
		}
	})
}
