package index

import (
	"context"
	"slices"
	"unicode/utf8"
)

// bitset has a bit for each block.
type bitset []uint64

func (b bitset) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bitset) set(i int)      { b[i>>6] |= 1 << (i & 63) }

// sieve asks the filters of all blocks which of them may hold something.
type sieve struct {
	view   *view
	log    uint8
	most   int // bytes of a folded literal that certainly are in one block, if they are anywhere
	read   *prepared
	blocks map[string]bitset // that may hold a literal
}

func newSieve(st *store, v *view, s shape) *sieve {
	return &sieve{view: v, log: s.log, most: s.overlap / utf8.UTFMax, read: st.read, blocks: map[string]bitset{}}
}

// learn asks for all literals of a need.
func (s *sieve) learn(ctx context.Context, n *need) error {
	if n == nil {
		return nil
	}
	if n.literal != nil && s.blocks[string(n.literal)] == nil {
		bits, err := s.ask(ctx, hashesOf(n.literal[:min(len(n.literal), s.most)]))
		if err != nil {
			return err
		}
		s.blocks[string(n.literal)] = bits
	}
	for _, of := range [][]*need{n.all, n.any} {
		for _, n := range of {
			if err := s.learn(ctx, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask is which blocks may have all of some hashes.
func (s *sieve) ask(ctx context.Context, hashes []uint32) (bitset, error) {
	out := make(bitset, (s.view.blocks()+63)/64)
	place := 0
	for i := range s.view.sheets {
		sheet := &s.view.sheets[i]
		columns, err := s.columns(ctx, sheet.id, hashes)
		if err != nil {
			return nil, err
		}
		for col := range sheet.blocks {
			if columns[col/8]&(1<<(col%8)) != 0 {
				out.set(place + col)
			}
		}
		place += len(sheet.blocks)
	}
	for i := range s.view.loose {
		if holdsAll(s.view.loose[i].bits, hashes) {
			out.set(place + i)
		}
	}
	return out, nil
}

func holdsAll(bits []byte, hashes []uint32) bool {
	for _, h := range hashes {
		if !mayHold(bits, h) {
			return false
		}
	}
	return true
}

// columns are the blocks of a sheet that may have all of some hashes.
func (s *sieve) columns(ctx context.Context, sheet int64, hashes []uint32) ([rowBytes]byte, error) {
	var out [rowBytes]byte
	for i := range out {
		out[i] = 0xFF
	}
	for _, h := range hashes {
		plane, at := planeOf(h, s.log)
		bits, err := s.readPlane(ctx, planeID(sheet, plane))
		if err != nil {
			return out, err
		}
		if len(bits) < at+rowBytes {
			return out, errDamaged
		}
		var left byte
		for i := range out {
			out[i] &= bits[at+i]
			left |= out[i]
		}
		if left == 0 {
			break
		}
	}
	return out, nil
}

func (s *sieve) readPlane(ctx context.Context, id int64) ([]byte, error) {
	data, err := s.read.blob(ctx, "SELECT bits FROM planes WHERE plane = ?", id)
	if err != nil {
		return nil, err
	}
	return unseal(id, data)
}

// may says whether the texts of a unit may have what is needed, as far as is known.
func (s *sieve) may(n *need, u *unit) bool {
	if n == nil {
		return true
	}
	if n.literal != nil {
		return slices.ContainsFunc(u.blocks, s.blocks[string(n.literal)].has)
	}
	for _, n := range n.all {
		if !s.may(n, u) {
			return false
		}
	}
	for _, n := range n.any {
		if s.may(n, u) {
			return true
		}
	}
	return len(n.any) == 0
}
