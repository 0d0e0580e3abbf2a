package index

import (
	"context"
	"fmt"
	"slices"
)

// textsOf are the texts of a session in a view. What is no longer as that has it is [errMissing].
func (v *view) textsOf(ctx context.Context, st *store, id string) (*rowTexts, error) {
	r, there, err := wholeRow(ctx, st, id)
	if err != nil {
		return nil, err
	}
	if !there && v.rows[id] == 0 {
		return nil, fmt.Errorf("session %s: %w", id, ErrChanged)
	}
	if v.rows[id] != r.row || r.Revision > v.state.version { // put, taken out or appended to since
		return nil, errMissing
	}
	return &rowTexts{
		row: r, live: live{named: map[int64]int64{r.row: r.named}}, of: v.blocksOf(r.row),
		read: func(block int64) ([]chunk, error) {
			chunks, err := readBody(ctx, st.read, block)
			return slices.DeleteFunc(chunks, func(c chunk) bool { return v.pending[c.write] }), err
		},
	}, nil
}

// blocksOf are the blocks with texts of a row.
func (v *view) blocksOf(row int64) (of []rowBlock) {
	for i := range v.units {
		for _, a := range v.units[i].abouts {
			for j := range a.parts {
				if p := &a.parts[j]; p.session == row && v.shows(p) {
					of = append(of, rowBlock{a.id, p.first, p.last})
				}
			}
		}
	}
	return of
}
