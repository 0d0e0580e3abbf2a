package agent

import (
	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/tokens"
)

// overflowed makes room after a request that was too long for the model, and tells whether it is to be made again: old tool results
// are cleared and, where that is not enough, older messages summarized, once for each request. The answer that failed is in the log and in no later context. The error is that the turn was stopped.
func (t *Turn) overflowed(failure error) (again bool, err error) {
	if llm.ClassOf(failure) != llm.ClassOverflow || t.recovered || !t.choice.Compaction.Auto || t.ctx.Err() != nil {
		return false, nil //nolint:nilerr // compacting does not cure it; who calls has the failure
	}
	c, err := t.context()
	if err != nil {
		return false, nil //nolint:nilerr // the failure itself says more
	}
	budget := t.narrower(t.size(c))
	pruned, err := t.clear(c, budget)
	if err != nil {
		return false, err
	}
	if pruned != c && t.size(pruned) <= budget.Trigger() {
		return true, nil // and if that was not enough either, there is the summary
	}
	t.recovered, err = t.compact(pruned, compaction.TriggerOverflow, budget, true)
	return t.recovered, err
}

// narrowest is a window that holds the question for a summary. Where less than this was too long, it is not the estimate
// that says by how much.
const narrowest = 4096

// narrower is the budget of a window that did not hold a request of this size, whatever it was taken for.
func (t *Turn) narrower(size int) tokens.Budget {
	b := t.choice.Budget
	return tokens.NewBudget(min(b.Window, max(size, narrowest)), b.Reserve, b.KeepRecent).Capped(b.Cap, 0)
}
