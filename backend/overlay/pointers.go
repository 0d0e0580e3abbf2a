package overlay

import (
	"fmt"

	"palimpsest/backend/record"
)

// This file follows the pointers of prunes and reverts to what they name, which the walk comes to later.

// pruning is a prune on its way to the results it names.
type pruning struct {
	entry   Entry
	hits    int
	pending int
}

// pruned is one of the results that a prune names, and what it shows as.
type pruned struct {
	*pruning
	text string
}

func (w *walk) takePrune(entry Entry, prune *record.Prune) {
	if w.reverted[entry.Offset] {
		return
	}
	p := &pruning{entry: entry}
	w.allPrune = append(w.allPrune, p)
	for i, seq := range prune.Seqs {
		one := pruned{pruning: p}
		if i < len(prune.Texts) {
			one.text = prune.Texts[i]
		}
		w.prunes[seq] = append(w.prunes[seq], one)
		p.pending++
	}
}

// targeted settles the reverts that point at this entry.
func (w *walk) targeted(entry Entry) {
	for _, revert := range w.reverts[entry.Seq] {
		if !entry.Newer && (entry.Type == record.TypeCompaction || entry.Type == record.TypePrune) {
			w.reverted[entry.Offset] = true
			continue
		}
		w.repair(revert, fmt.Sprintf("a revert of seq %d, which is neither compaction nor prune: no effect", entry.Seq))
	}
	delete(w.reverts, entry.Seq)
}

// clear notes whether a prune names this entry and it is a tool result, and what the last that does shows instead.
func (w *walk) clear(it *item, entry Entry) {
	result := !entry.Newer && entry.Role == record.RoleToolResult
	for _, p := range w.prunes[entry.Seq] { // the last first
		p.pending--
		if result {
			if p.hits++; !it.pruned && p.text != "" {
				it.instead = int32(len(w.insteads)) //nolint:gosec // nobody holds so many
				w.insteads = append(w.insteads, p.text)
			}
			it.pruned = true
		}
	}
	delete(w.prunes, entry.Seq)
}

// settle lists the overlays that turned out to be without effect. Where the walk ended early, a pointer may still lead
// to something older, so that only what was seen counts.
func (w *walk) settle() {
	if w.complete {
		for target, reverts := range w.reverts {
			for _, revert := range reverts {
				w.repair(revert, fmt.Sprintf("a revert of seq %d, which is not on the path: no effect", target))
			}
		}
	}
	for _, p := range w.allPrune {
		if p.hits == 0 && (w.complete || p.pending == 0) {
			w.repair(p.entry, "a prune that names no tool result on the path: no effect")
		}
	}
}
