//go:build !race

package backend

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// goingTo are so many sessions that go, with what makes their rows long.
func goingTo(n int, long string) Cleaned {
	out := Cleaned{Sessions: []Session{}, Failed: []CleanupFailure{}, Count: n, Bytes: int64(n)}
	for i := range n {
		out.Sessions = append(out.Sessions, Session{ID: fmt.Sprintf("01JD%022d", i), FirstMessage: known(long), Path: long})
	}
	return out
}

func TestWhatGoesIsToldInParts(t *testing.T) {
	for name, c := range map[string]struct {
		all              Cleaned
		from, rows       int
		wantRows, wantID int
		next             int
	}{
		"few":          {goingTo(3, ""), 0, 0, 3, 3, 0},
		"none":         {goingTo(0, ""), 0, 0, 0, 0, 0},
		"many":         {goingTo(45_000, "x"), 0, 0, 100, 20_000, 20_000},
		"the rest":     {goingTo(45_000, "x"), 40_000, 0, 100, 5000, 0},
		"a page":       {goingTo(45_000, "x"), 300, 200, 200, 20_000, 20_300},
		"too many":     {goingTo(45_000, "x"), 0, 9999, 500, 20_000, 20_000},
		"behind all":   {goingTo(5, "x"), 99, 0, 0, 0, 0},
		"of long rows": {goingTo(300, strings.Repeat("x", 10_000)), 0, 0, 12, 300, 0},
	} {
		got := c.all.part(c.from, c.rows)
		next := 0
		if got.Next != nil {
			next = *got.Next
		}
		if len(got.Sessions) != c.wantRows || len(got.IDs) != c.wantID || next != c.next || got.Count != c.all.Count || got.Bytes != c.all.Bytes {
			t.Errorf("%s: %d rows, %d ids, next %d, count %d", name, len(got.Sessions), len(got.IDs), next, got.Count)
		}
		if len(got.IDs) > 0 && (got.IDs[0] != c.all.Sessions[c.from].ID || got.Sessions[0].ID != got.IDs[0]) {
			t.Errorf("%s: begins with %s", name, got.IDs[0])
		}
	}
}

// TestWhatGoesHasABound: however many go, and however long what is told of each, an answer has less than 1 MiB, and the parts are all of it.
func TestWhatGoesHasABound(t *testing.T) {
	most := map[int]Cleaned{}
	for _, long := range []int{0, 200, 5000} {
		most[long] = goingTo(40_001, strings.Repeat("<", long))
	}
	rapid.Check(t, func(t *rapid.T) {
		all := most[rapid.SampledFrom([]int{0, 200, 5000}).Draw(t, "long")]
		all.Count = rapid.SampledFrom([]int{0, 1, 99, 100, 101, 20_000, 20_001, 40_001}).Draw(t, "sessions")
		all.Sessions = all.Sessions[:all.Count]
		for range rapid.SampledFrom([]int{0, 99, 101, 3000}).Draw(t, "failures") {
			all.Failed = append(all.Failed, CleanupFailure{"01JD", Problem{Message: strings.Repeat("y", 1000)}})
		}
		var ids []string
		for from := 0; ; {
			part := all.part(from, rapid.SampledFrom([]int{0, 1, 500}).Draw(t, "rows"))
			if text, err := json.Marshal(part); err != nil || len(text) > 1<<20 {
				t.Fatal(len(text), err)
			}
			if part.FailedCount != len(all.Failed) {
				t.Fatal(part.FailedCount)
			}
			if ids = append(ids, part.IDs...); part.Next == nil {
				break
			}
			from = *part.Next
		}
		if !slices.EqualFunc(ids, all.Sessions, func(id string, s Session) bool { return id == s.ID }) {
			t.Fatal(len(ids), "ids of", len(all.Sessions))
		}
	})
}
