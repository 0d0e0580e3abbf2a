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
	opened, err := c.index.Opened(ctx)
	if err != nil {
		return err
	}
	if c.restored == opened && (c.unrestored || !c.index.Wrecked()) {
		return nil
	}
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
	if c.restored = opened; err != nil {
		c.unrestored = true
		c.b.warn(err)
	}
	return nil
}
