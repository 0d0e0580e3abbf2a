package tokens

import "slices"

// Item is one record on the path of a session, reduced to what counting needs.
type Item struct {
	// Estimate is the raw estimate of what the record puts into the context, in tokens.
	Estimate int
	// Assistant marks a message of the model.
	Assistant bool
	// Usage is what was reported with that message, nil if nothing was.
	Usage *Usage
	// Discount marks a message that was aborted or failed: its usage covers an unknown part.
	Discount bool
	// Breaks marks a record that changes what stands before it in the context, or who counts it
	// (compaction, prune, revert, branch, model): usage from before it measured something else.
	Breaks bool
}

// Anchored counts a context, given its path from oldest to newest, from the usage reported with
// the last assistant message: that usage plus the raw estimates of what followed, in tokens.
// There is no such count (ok is false) if that message was aborted, failed or reported nothing,
// if a record after it breaks, or if there is none.
//
// An older message never stands in for the last one. What it reported was the size of another
// request, and the answer that came between is the very part that is not known.
func Anchored(path []Item) (count int, ok bool) {
	after := 0
	for _, item := range slices.Backward(path) {
		if item.Breaks {
			return 0, false
		}
		if !item.Assistant {
			after = add(after, item.Estimate)
			continue
		}
		if item.Usage == nil || item.Usage.IsZero() || item.Discount {
			return 0, false
		}
		return add(item.Usage.Size(), after), true
	}
	return 0, false
}
