package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// HandOver puts a session as it is here, with all of its texts, into another index, in place of what that has of it. One that is not here
// is [ErrChanged].
func (x *Index) HandOver(ctx context.Context, to *Index, id string) error {
	var taken error // what went wrong there is no damage of this one
	err := x.do(ctx, "handing over session "+id, func(st *store) (given error) {
		last := int64(-1)
		for {
			v, err := x.look(ctx, st)
			if err != nil {
				return err
			}
			if last == v.state.version {
				return fmt.Errorf("%w: %w", errDamaged, errMissing)
			}
			last = v.state.version
			t, err := v.textsOf(ctx, st, id)
			if errors.Is(err, errMissing) {
				continue
			}
			if err != nil {
				return err
			}
			row := t.row.Session
			row.Revision = 0
			given = nil
			if taken = to.Put(ctx, row, givenTo(t.all(), &given)); !errors.Is(given, errMissing) {
				return given
			}
		}
	})
	if err != nil {
		return err
	}
	return taken
}

// errBroken ends what is written in another index: it is not what is wrong.
var errBroken = errors.New("there is no more of it")

// givenTo notes the error that a sequence ends with, and ends it with errBroken.
func givenTo(texts iter.Seq2[Text, error], given *error) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		for t, err := range texts {
			if *given = err; err != nil {
				err = errBroken
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// textsOf are the texts of a session in a view. What is no longer as that has it is [errMissing].
func (v *view) textsOf(ctx context.Context, st *store, id string) (*rowTexts, error) {
	r, there, err := rowOf(ctx, st.read, id)
	if err != nil {
		return nil, err
	}
	if !there || v.rows[id] != r.row {
		return nil, fmt.Errorf("session %s: %w", id, ErrChanged)
	}
	if r.Revision > v.state.version { // appended to since
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
