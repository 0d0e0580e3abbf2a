package states

import "palimpsest/backend/record"

// standIn is a text that a prune puts in the place of a result: the index of the prune, and which of its texts; -1 if it has none.
type standIn struct{ prune, text int }

// standInOf is what the prune at index i puts in the place of its k-th result.
func standInOf(i, k int, prune *record.Prune) standIn {
	if k >= len(prune.Texts) || prune.Texts[k] == "" {
		k = -1
	}
	return standIn{i, k}
}

// beforeRange stands for the index of a result that is before what is in range.
const beforeRange = -1

// put notes which result a text stands for.
func (o *Outlook) put(by standIn, result int) {
	if by.text < 0 {
		return
	}
	if o.standIns == nil {
		o.standIns = map[standIn]int{}
	}
	o.standIns[by] = result
}

// Instead says what became of a text of the prune at index i, the k-th that it puts in the place of a result: Kept if the model sees it. It
// is known once an [Account] has told what was pruned.
func (o *Outlook) Instead(i, k int) State {
	if state := o.Of(i); state != Meta && state != Kept && state != Fresh {
		return state
	}
	result, stands := o.standIns[standIn{i, k}]
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
	for by, result := range o.standIns {
		if result != beforeRange && pruned(result) {
			standing[by.prune] = true
		}
	}
	return standing
}
