//go:build !race

package backend

import (
	"fmt"
	"strings"
	"testing"
)

func TestReviewRowsAreBounded(t *testing.T) {
	asksNobody(t)
	const n = 5000
	var log strings.Builder
	for seq := 1; seq <= n; seq++ {
		log.WriteString(said(seq, []string{"assistant", "user"}[seq%2], fmt.Sprint("message ", seq)))
	}
	b, id := open(t, log.String())
	for cut, first := range map[int64]int{3: 0, 1001: 0, 1002: 1, 2501: 1500, 4500: 3000, n: 3000, n + 1: 3000} {
		review, err := b.PlanCompaction(t.Context(), id, cutAt(cut))
		if err != nil {
			t.Fatal(err)
		}
		if len(review.Rows) != rowsMost || review.FirstRow != first || review.TotalRows != n || review.Rows[0].Seq != int64(first+1) {
			t.Errorf("a cut at %d: %d rows from %d of %d", cut, len(review.Rows), review.FirstRow, review.TotalRows)
		}
		if len(review.Plan.Summarize) != int(cut)-1 {
			t.Errorf("a cut at %d takes %d", cut, len(review.Plan.Summarize))
		}
	}
}
