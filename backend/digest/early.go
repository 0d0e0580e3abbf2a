package digest

import (
	"iter"

	"palimpsest/backend/many"
)

// early are pieces that were put away while a log was read: of one with millions of records, what is put away is tens of megabytes.
type early struct{ pieces many.Texts }

func (e *early) put(list byte, piece []byte) { e.pieces.Add(string(list) + string(piece)) }

// Early are the pieces that were put away while the log was read, nil if none were. They stand before those of [Digest.PutAway]; who keeps
// these, keeps both.
func (d *Digest) Early() iter.Seq[[]byte] {
	if d.early == nil {
		return nil
	}
	return func(yield func([]byte) bool) {
		for i := range d.early.pieces.Len() {
			if !yield([]byte(d.early.pieces.At(i))) {
				return
			}
		}
	}
}

func (f *figures) putAwayEarly() {
	f.early = &early{}
	f.each.early = func(block []byte) { f.early.put(copiesAway, block) }
	f.parts.early = func(block []byte) { f.early.put(partsAway, block) }
}

// nameOwn notes the name of a record that is none of another session.
func (f *figures) nameOwn(name Said) {
	if f.early != nil && f.said.Len() == namesAway {
		f.early.put(saidAway, Names(nil).with(&f.said))
		f.said.Cut(0)
	}
	f.said.Add(shortOf(name))
}
