package backend

import (
	"testing"

	"palimpsest/backend/modeltest"
)

// TestMetricsOfCompactions: what a summary took counts, once, also where it is taken back and applied again.
func TestMetricsOfCompactions(t *testing.T) {
	model := asks(t)
	model.Script(func(q *modeltest.Asked) { q.Say(sectioned).Usage(120, 30).End("stop") })
	b, id := open(t, work())
	total := func() (int64, int) {
		t.Helper()
		s, err := b.Get(id)
		if err != nil || s.Metrics == nil {
			t.Fatalf("%+v, %v", s.Metrics, err)
		}
		if s.Metrics.Total == nil {
			return 0, s.Metrics.Compactions
		}
		return *s.Metrics.Total, s.Metrics.Compactions
	}
	draft, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(8), DryRun: true})
	newsMust(t, err)
	if draft.Draft == nil {
		t.Fatalf("%+v", draft)
	}
	if tokens, _ := total(); tokens != 0 {
		t.Errorf("a draft that nobody committed counts: %d", tokens)
	}
	done, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(8)})
	newsMust(t, err)
	if tokens, n := total(); tokens != 150 || n != 1 {
		t.Errorf("%d tokens, %d compactions", tokens, n)
	}
	undone, err := b.Revert(t.Context(), id, *done.CommittedSeq)
	newsMust(t, err)
	_, err = b.Revert(t.Context(), id, undone)
	newsMust(t, err)
	if tokens, n := total(); tokens != 150 || n != 2 {
		t.Errorf("applied again: %d tokens, %d compactions", tokens, n)
	}
}
