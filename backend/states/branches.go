package states

import (
	"sort"

	"palimpsest/backend/session"
)

// Branch is a record from which on the conversation goes on from another place than the end. The lines up to the next branch are its
// stretch; those behind the place that it goes on from, up to the next branch there, are the stretch that it leaves.
type Branch struct {
	// Index is that of the record, From that of the line behind the one that it goes on from.
	Index, From int
	// Messages is how many there are in its stretch, Left how many in the one that it leaves.
	Messages, Left int
}

// Branches are those of a log, in its order. One that points ahead is none.
func Branches(x *session.Index) []Branch {
	var all []Branch
	for i := range x.Overlays {
		at, rec := x.Overlays[i].Index, &x.Overlays[i].Record
		if rec.Branch != nil && rec.Branch.FromSeq < rec.Seq {
			all = append(all, Branch{Index: at, From: origin(x, at, rec.Branch)})
		}
	}
	counted := map[int]int{} // of what is left, which many branches may leave
	for i := range all {
		b := &all[i]
		b.Messages = messagesFrom(x, b.Index+1, all)
		left, known := counted[b.From]
		if !known {
			left = messagesFrom(x, b.From, all)
			counted[b.From] = left
		}
		b.Left = left
	}
	return all
}

// messagesFrom counts the messages from a line on, up to the next branch.
func messagesFrom(x *session.Index, from int, all []Branch) (n int) {
	to := x.Lines.Len()
	if next := sort.Search(len(all), func(k int) bool { return all[k].Index >= from }); next < len(all) {
		to = all[next].Index
	}
	for i := from; i < to; i++ {
		if isMessage(x.Lines.At(i)) {
			n++
		}
	}
	return n
}
