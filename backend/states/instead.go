package states

import "palimpsest/backend/record"

// instead is a text that a prune puts in the place of a result: the index of the prune, and which of its texts; -1 if it has none.
type instead struct{ prune, text int }

// insteadOf is what the prune at index i puts in the place of its k-th result.
func insteadOf(i, k int, prune *record.Prune) instead {
	if k >= len(prune.Texts) || prune.Texts[k] == "" {
		k = -1
	}
	return instead{i, k}
}

// beforeRange stands for the index of a result that is before what is in range.
const beforeRange = -1

// put notes which result a text stands for.
func (o *Outlook) put(by instead, result int) {
	if by.text < 0 {
		return
	}
	if o.instead == nil {
		o.instead = map[instead]int{}
	}
	o.instead[by] = result
}

// Instead says what became of a text of the prune at index i, the k-th that it puts in the place of a result: Kept if the model sees it. It
// is known once an [Account] has told what was pruned.
func (o *Outlook) Instead(i, k int) State {
	if state := o.Of(i); state != Meta && state != Kept && state != Fresh {
		return state
	}
	result, stands := o.instead[instead{i, k}]
	switch {
	case i < o.kept, stands && result == beforeRange:
		return Superseded
	case stands && o.Of(result) == Pruned:
		return Kept
	}
	return Dropped
}

// standing are the prunes with words that stand where the model sees a result, by index.
func (o *Outlook) standing(pruned func(result int) bool) map[int]bool {
	standing := map[int]bool{}
	for by, result := range o.instead {
		if result != beforeRange && pruned(result) {
			standing[by.prune] = true
		}
	}
	return standing
}
