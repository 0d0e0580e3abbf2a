package index

import "encoding/binary"

// about is what is known of a block without reading it.
type about struct {
	id    int64
	parts []part
	// split says that the first or only chunk is a piece of a long text: which one, and of which.
	split bool
	long  textID
	piece int
	more  bool // there is another piece
}

// part is what one write of one session has in a block.
type part struct {
	session, write int64
	first, last    int64 // of its texts
	bytes          int
	scopes         scopeSet
}

// textID names a text among all.
type textID struct{ session, write, n int64 }

func aboutOf(chunks []chunk) about {
	var a about
	for i := range chunks {
		c := &chunks[i]
		if n := len(a.parts); n == 0 || a.parts[n-1].session != c.session || a.parts[n-1].write != c.write {
			a.parts = append(a.parts, part{session: c.session, write: c.write, first: c.n, last: c.n})
		}
		p := &a.parts[len(a.parts)-1]
		p.bytes += len(c.text) - c.over
		p.scopes |= 1 << c.scope
		p.first, p.last = min(p.first, c.n), max(p.last, c.n)
		if c.split() {
			a.split, a.long = true, textID{c.session, c.write, c.n}
			a.piece, a.more = c.piece, c.more
		}
	}
	return a
}

func (a *about) bytes() (n int) {
	for _, p := range a.parts {
		n += p.bytes
	}
	return n
}

func appendAbout(dst []byte, a *about) []byte {
	dst = binary.AppendVarint(dst, a.id)
	dst = binary.AppendUvarint(dst, uint64(len(a.parts)))
	for _, p := range a.parts {
		dst = binary.AppendVarint(dst, p.session)
		dst = binary.AppendVarint(dst, p.write)
		dst = binary.AppendVarint(dst, p.first)
		dst = binary.AppendVarint(dst, p.last-p.first)
		dst = binary.AppendUvarint(dst, uint64(p.bytes))
		dst = append(dst, byte(p.scopes))
	}
	if !a.split {
		return append(dst, 0)
	}
	last := byte(1)
	if a.more {
		last = 2
	}
	dst = append(dst, last)
	dst = binary.AppendVarint(dst, a.long.session)
	dst = binary.AppendVarint(dst, a.long.write)
	dst = binary.AppendVarint(dst, a.long.n)
	return binary.AppendUvarint(dst, uint64(a.piece))
}

func (r *reader) about() about {
	a := about{id: r.varint()}
	n := r.uvarint()
	if n > uint64(len(r.data)) {
		r.fail()
		return a
	}
	a.parts = make([]part, n)
	for i := range a.parts {
		a.parts[i] = part{session: r.varint(), write: r.varint(), first: r.varint(), last: r.varint(), bytes: int(r.uvarint()), scopes: scopeSet(r.byte())}
		a.parts[i].last += a.parts[i].first
	}
	if run := r.byte(); run != 0 {
		a.split, a.more = true, run == 2
		a.long = textID{r.varint(), r.varint(), r.varint()}
		a.piece = int(r.uvarint())
	}
	return a
}
