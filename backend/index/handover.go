package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// HandOver puts a session as it is here, with all of its texts, into another index, in place of what that has of it. One that is not here
// is [ErrChanged].
func (x *Index) HandOver(ctx context.Context, to *Index, id string) error {
	var taken error // what went wrong there is no damage of this one
	err := x.do(ctx, "handing over session "+id, func(st *store) error {
		return x.reading(ctx, st, id, func(t *rowTexts) (given error) {
			row := t.row.Session
			row.Revision = 0
			taken = to.Put(ctx, row, givenTo(t.whole(), &given))
			return given
		})
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

// Check reads a session with all of its texts, and says how many bytes they have: what is not as it was written is found. One that is not
// here is [ErrChanged].
func (x *Index) Check(ctx context.Context, id string) (bytes int64, err error) {
	err = x.do(ctx, "checking session "+id, func(st *store) error {
		return x.reading(ctx, st, id, func(t *rowTexts) error {
			bytes = 0
			for text, err := range t.whole() {
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return err
				}
				bytes += int64(len(text.Text))
			}
			return nil
		})
	})
	return bytes, err
}

// reading calls f with the texts of a session, again if they were moved meanwhile.
func (x *Index) reading(ctx context.Context, st *store, id string, f func(*rowTexts) error) error {
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
		if err == nil {
			err = f(t)
		}
		if !errors.Is(err, errMissing) {
			return err
		}
	}
}
