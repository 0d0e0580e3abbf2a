package backend

import (
	"context"
	"errors"
	"fmt"
)

// Restore puts back what an index that was begun anew had: sessions whose files are gone, of which there is a second copy, and what can be
// read of the index before. Nothing that was known of that counts. Where it fails, all that can be read from files is read all the same, and
// it is tried again when the program starts.
func (c *stock) Restore(ctx context.Context, pass func() error) error {
	const most = 3 // what is damaged in one of the two may be found only while that is read for the other
	for range most {
		opened, err := c.second.opened(ctx, c.index)
		if err != nil {
			return err
		}
		if c.restored == opened && (c.unrestored || !c.wrecked()) { //nolint:contextcheck,nolintlint // what it opens stays open
			return nil
		}
		if err := c.restore(ctx, opened, pass); err != nil {
			return err
		}
	}
	return nil
}

// restore is Restore of indexes that were opened so often.
func (c *stock) restore(ctx context.Context, opened int64, pass func() error) error {
	var ended error
	passing := func() error {
		ended = pass()
		return ended
	}
	back, err := c.second.giveBack(ctx, c.index, true, passing)
	wrecked := c.index.Wrecked()
	if wrecked && ended == nil && ctx.Err() == nil {
		err = errors.Join(err, c.index.Salvage(ctx, passing))
	}
	if ended == nil && ctx.Err() == nil { // what lacks texts last: the index before may still have them
		rows, failed := c.second.giveBack(ctx, c.index, false, passing)
		back, err = back+rows, errors.Join(err, failed)
	}
	if back > 0 {
		c.b.warn(fmt.Errorf("the index in %s lacked %d sessions whose files are gone: they are back from %s", c.b.indexing.dir, back, c.second.dir))
	}
	if wrecked || back > 0 || c.restored > 0 {
		c.forgetAll()
	}
	if ended != nil || ctx.Err() != nil {
		return err
	}
	c.restored, c.unrestored = opened, err != nil
	if err != nil {
		c.b.warn(err)
	}
	return nil
}

// wrecked tells whether one of the two indexes was begun anew, and not all is put back yet that could be read of it.
func (c *stock) wrecked() bool {
	other, err := c.second.open(false) //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	return c.index.Wrecked() || err == nil && other != nil && other.Wrecked()
}
