package digest

import (
	"encoding/json"
	"slices"
)

// What grows with what was said is put away, so that who appends neither reads nor writes it again: of each list all but its end, in pieces
// that never change. A piece is a letter, which says of which list it is, and what that goes on with.

const (
	saidAway   = 'n'
	copiesAway = 'c'
	partsAway  = 'p'
	ledgerAway = 'l'
	spansAway  = 's'
	apartAway  = 'a'
)

// How much of a list is a piece. Names fill a page of the index.
var (
	namesAway = 640
	rowsAway  = 64
	runsAway  = 512
)

// PutAway takes what does not change any more out of the lists, and returns it. To [Continue], the rest does.
func (d *Digest) PutAway() (pieces [][]byte) {
	put := func(list byte, piece []byte) { pieces = append(pieces, append([]byte{list}, piece...)) }
	for ; d.Said.Len() > namesAway; d.Said = d.Said[namesAway*saidBytes:] {
		put(saidAway, d.Said[:namesAway*saidBytes])
	}
	for first := d.Copies.first(); len(first) < len(d.Copies); first = d.Copies.first() {
		put(copiesAway, first)
		d.Copies = d.Copies[len(first):]
	}
	for first := d.Parts.first(); len(first) < len(d.Parts); first = d.Parts.first() {
		put(partsAway, first)
		d.Parts = d.Parts[len(first):]
	}
	for ; len(d.Ledger) > rowsAway; d.Ledger = d.Ledger[rowsAway:] {
		put(ledgerAway, encoded(d.Ledger[:rowsAway]))
	}
	for first := d.Spans.first(runsAway); len(first) < len(d.Spans); first = d.Spans.first(runsAway) {
		put(spansAway, []byte(first))
		d.Spans = d.Spans[len(first):]
	}
	for first := d.Apart.first(runsAway); len(first) < len(d.Apart); first = d.Apart.first(runsAway) {
		put(apartAway, []byte(first))
		d.Apart = d.Apart[len(first):]
	}
	d.Away += len(pieces)
	return pieces
}

// Rejoin puts all that was put away before the rest of the lists. Where some of it is lost, names and figures don't go together any more, nor
// fates and lines: then none are known.
func (d *Digest) Rejoin(pieces [][]byte) {
	if len(pieces) < d.Away {
		d.Said, d.Copies, d.Parts, d.Spans, d.Apart, d.Away = nil, nil, nil, "", "", 0
		return
	}
	lists := map[byte][][]byte{}
	for _, piece := range pieces[:d.Away] {
		lists[piece[0]] = append(lists[piece[0]], piece[1:])
	}
	all := func(list byte, rest []byte) []byte { return slices.Concat(append(lists[list], rest)...) }
	d.Said, d.Copies, d.Parts = all(saidAway, d.Said), all(copiesAway, d.Copies), all(partsAway, d.Parts)
	d.Spans, d.Apart = Spans(all(spansAway, []byte(d.Spans))), Spans(all(apartAway, []byte(d.Apart)))
	var ledger []Compaction
	for _, text := range lists[ledgerAway] {
		var some []Compaction
		if json.Unmarshal(text, &some) == nil {
			ledger = append(ledger, some...)
		}
	}
	d.Ledger, d.Away = append(ledger, d.Ledger...), 0
}
