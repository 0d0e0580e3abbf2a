package backend

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"palimpsest/backend/index"
)

// Sessions whose files are gone stand in two indexes, so that one can be made whole from the other. That only helps as long as one of them
// is, so now and then all of both is read: a scan that somebody waits for reads a piece of it, wherever that is; a program that stays
// reads everything once, slowly, and again after a day.
const (
	checkPiece = 4 << 20 // also how much is read in a second
	checkAfter = time.Minute
	checkEvery = 24 * time.Hour
	checkRest  = time.Second
	checkAgain = 5 * time.Second // how often it is asked whether it may go on
)

// errPiece ends a check that has read as much as it was to.
var errPiece = errors.New("enough is checked for now")

// check reads the sessions that were gone when the index was last looked at, in both indexes, and calls rest with how many bytes of text
// each has. One that is not as it was written is begun anew with the error: the next scan makes it whole again. Before that it goes on
// with what could not be forgotten all of.
func (c *stock) check(ctx context.Context, rest func(bytes int64) error) error {
	if err := c.second.scrub(ctx, c.index); err != nil {
		c.b.warn(err)
	}
	c.mu.Lock()
	ids := slices.Clone(c.vanished)
	c.mu.Unlock()
	if len(ids) == 0 {
		return nil
	}
	other, err := c.second.open(false) //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if err != nil {
		return err
	}
	slices.Sort(ids) // such as lie side by side have blocks in common
	begin := rand.IntN(len(ids))
	for _, id := range slices.Concat(ids[begin:], ids[:begin]) {
		for _, x := range []*index.Index{c.index, other} {
			if x == nil {
				continue
			}
			bytes, err := x.Check(ctx, id)
			if err != nil && !errors.Is(err, index.ErrChanged) {
				return err
			}
			if err := rest(bytes); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSome is a piece of check.
func (c *stock) checkSome(ctx context.Context) error {
	read := int64(0)
	err := c.check(ctx, func(bytes int64) error {
		if read += bytes; read >= checkPiece {
			return errPiece
		}
		return nil
	})
	if errors.Is(err, errPiece) {
		return nil
	}
	return err
}

// keepChecked checks everything once, a while after the program has started, and every day that it stays. What it finds damaged has found
// made whole again. While busy says so, it waits.
func (c *stock) keepChecked(ctx context.Context, after time.Duration, busy func() bool, found func()) {
	wait := func(d time.Duration) error {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(d):
			return nil
		}
	}
	rest := func(bytes int64) error {
		err := wait(time.Duration(float64(bytes) / checkPiece * float64(checkRest)))
		for err == nil && busy() {
			err = wait(checkAgain)
		}
		return err
	}
	for pause := after; wait(pause) == nil; pause = checkEvery {
		err := rest(0)
		if err == nil {
			err = c.check(ctx, rest)
		}
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, index.ErrRebuilt):
			found()
		case err != nil:
			c.b.warn(err)
		}
	}
}
