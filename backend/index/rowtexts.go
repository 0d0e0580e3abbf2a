package index

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// rowTexts are the texts of a session, in order, from the blocks that have them.
type rowTexts struct {
	row  row
	live live
	of   []rowBlock
	// read returns what a block has of the session.
	read func(block int64) ([]chunk, error)
	// seen is how many there were, names that are not its name any more among them.
	seen int64
}

// rowBlock is a block with texts of a session, and which.
type rowBlock struct{ block, first, last int64 }

func (t *rowTexts) all() iter.Seq2[Text, error] {
	blocks := slices.Clone(t.of)
	slices.SortFunc(blocks, func(a, b rowBlock) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.block, b.block)) })
	return func(yield func(Text, error) bool) {
		var waiting []chunk
		for i, b := range blocks {
			if i == 0 || b.block != blocks[i-1].block {
				chunks, err := t.read(b.block)
				if err != nil {
					yield(Text{}, err)
					return
				}
				waiting = append(waiting, slices.DeleteFunc(chunks, func(c chunk) bool { return c.session != t.row.row || c.n >= t.row.texts })...)
			}
			until := t.row.texts
			if i+1 < len(blocks) {
				until = min(until, blocks[i+1].first)
			}
			var ready []chunk
			ready, waiting = split(waiting, until)
			if !t.tell(ready, yield) {
				return
			}
		}
	}
}

// split parts the texts before a number from the others.
func split(chunks []chunk, until int64) (before, behind []chunk) {
	slices.SortStableFunc(chunks, func(a, b chunk) int { return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.piece, b.piece)) })
	n, _ := slices.BinarySearchFunc(chunks, until, func(c chunk, n int64) int { return cmp.Compare(c.n, n) })
	return chunks[:n], slices.Clone(chunks[n:])
}

// tell hands over whole texts. One of which a piece is missing is not one.
func (t *rowTexts) tell(chunks []chunk, yield func(Text, error) bool) bool {
	for len(chunks) > 0 {
		n := slices.IndexFunc(chunks, func(c chunk) bool { return c.n != chunks[0].n })
		if n < 0 {
			n = len(chunks)
		}
		c := chunks[0]
		whole := together(chunks[:n])
		chunks = chunks[n:]
		if whole == nil {
			continue
		}
		t.seen++
		if t.live.hasText(&c) && !yield(Text{Seq: c.seq, Line: c.line, Part: c.part, Time: c.time, Scope: c.scope, Tool: c.tool, Text: string(whole)}, nil) {
			return false
		}
	}
	return true
}

// together is a text of its pieces; nil if one is missing. A block that was renewed may be there twice, as it was and as it is.
func together(pieces []chunk) []byte {
	pieces = slices.CompactFunc(pieces, func(a, b chunk) bool { return a.piece == b.piece })
	if !pieces[0].split() {
		return append([]byte{}, pieces[0].text...)
	}
	var whole []byte
	for i, p := range pieces {
		if p.piece != i {
			return nil
		}
		whole = append(whole, p.text[:len(p.text)-p.over]...)
	}
	if pieces[len(pieces)-1].more {
		return nil
	}
	return whole
}

// whole are all texts, and [errDamaged] behind them if one is missing. Names that are not its name any more may be.
func (t *rowTexts) whole() iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		t.seen = 0
		for text, err := range t.all() {
			if !yield(text, err) || err != nil {
				return
			}
		}
		if t.row.named == 0 && t.seen != t.row.texts {
			yield(Text{}, fmt.Errorf("%w: %d of %d texts", errDamaged, t.seen, t.row.texts))
		}
	}
}
