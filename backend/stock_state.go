package backend

import (
	"context"
	"errors"
	"fmt"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/scan"
	"palimpsest/backend/sources"
)

// Skip notes why a session could not be read. What is in the index of it stays.
func (c *stock) Skip(ctx context.Context, item scan.Item, why error) error {
	if fault, ok := errors.AsType[*indexFault](why); ok {
		return fault
	}
	row, there, err := c.index.Session(ctx, item.ID)
	if err != nil {
		return err
	}
	d, err := digest.Recall(row.Digest)
	if err != nil {
		d = &digest.Digest{Version: digest.Version, About: c.about(item.ID)}
	}
	d.Skip, d.Why = digest.SkipUnreadable, headOf(why.Error())
	if errors.Is(why, sources.ErrTooLarge) {
		d.Skip = digest.SkipTooLarge
	}
	updated := item.Updated
	if there && d.Lines > 0 && c.untold(item.ID) {
		updated = row.Updated
	}
	row = index.Session{ID: item.ID, Stamp: item.Stamp, Updated: updated, Digest: d.Encode(), Revision: row.Revision}
	if !there {
		return c.putOff(ctx, row, d)
	}
	if err = c.index.Touch(ctx, row); err == nil {
		c.changes(row.ID)
	}
	if errors.Is(err, index.ErrChanged) {
		return nil // it was forgotten meanwhile, or another program has read it
	}
	return err
}

// untold tells of a session of another agent whose files do not say now when anything was said in it: its time is theirs.
func (c *stock) untold(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.theirs[id].found
	return found != nil && found.Problem != ""
}

// emptied is why nothing is read any more of a session of another agent in which something was said before: it is looked at again, since
// its file may have been emptied or damaged since it was found. What is in the index of it stays then.
func (c *stock) emptied(ctx context.Context, row *index.Session, now *digest.Digest) error {
	before, err := digest.Decode(row.Digest)
	if err != nil || before.Messages == 0 || now.Messages > 0 || !library.IsRef(row.ID) || c.b.library == nil {
		return nil //nolint:nilerr // nothing is known of it before
	}
	ref, err := library.ParseRef(row.ID)
	if err != nil {
		return err
	}
	return c.b.library.Readable(ctx, ref)
}

// Gone notes that a session vanished, or came back. One of ours that is not there was taken away by its owner, and goes from the
// index, too; so does what stood for a database that could not be read, of which there is nothing to remember.
func (c *stock) Gone(ctx context.Context, row index.Session, gone bool) error {
	if gone && !library.IsRef(row.ID) {
		c.forget(row.ID)
		return c.index.Remove(ctx, row.ID)
	}
	const tries = 5
	for n := 1; ; n++ {
		err := c.notesGone(ctx, row, gone)
		if !errors.Is(err, index.ErrChanged) {
			return err
		}
		if n == tries { // others are at it: the next look tells what became of it
			return nil
		}
	}
}

// notesGone fails with [index.ErrChanged] if another program notes something of the session at the same time.
func (c *stock) notesGone(ctx context.Context, row index.Session, gone bool) error {
	whole, there, err := c.index.Session(ctx, row.ID)
	if err != nil || !there || c.here(whole.Stamp) != c.here(row.Stamp) { // others have read it since
		return err
	}
	d, err := digest.Recall(whole.Digest)
	if err != nil || gone && d.Skip != "" && d.Lines == 0 && d.About.Title == "" && d.About.First == "" {
		c.forget(row.ID)
		return c.index.Remove(ctx, row.ID)
	}
	if whole.Gone != gone { // else another program has noted it
		d.GoneAt = nil
		if !gone {
			d.Outlives = ""
		} else {
			at := c.b.now().UTC().Truncate(time.Second)
			d.GoneAt = &at
		}
		whole.Gone, whole.Digest = gone, d.Encode()
		if err := c.index.Touch(ctx, whole); err != nil {
			return err
		}
	}
	c.vanishes(row.ID, gone)
	if gone {
		err = c.second.take(ctx, c.index, row.ID)
	} else {
		err = c.second.returned(ctx, row.ID)
	}
	if err != nil { // it is tried again when the program starts
		c.b.warn(err)
	}
	c.changes(row.ID)
	c.b.news.publish(EventChanged, row.ID)
	return nil
}

// anewStamp is the stamp of what is to be read again though its files may not have changed. It is that of no session: see [sameStamp] and [mayBeSame].
const anewStamp = "anew"

// Clear has everything be read again, and what others have from their files. What the index has stays there until then: of a session that vanishes
// meanwhile, as while a rebuild waits that was cancelled, nothing else has it.
func (c *stock) Clear(ctx context.Context) error {
	if c.b.library != nil {
		if err := c.b.library.Anew(ctx); err != nil {
			return fmt.Errorf("forgetting what was read: %w", err)
		}
	}
	rows, err := c.index.Stamps(ctx)
	if err != nil {
		return err
	}
	ids := make([]string, 0, len(rows))
	for id := range rows {
		if !rows[id].Gone && rows[id].Stamp != "" { // these are read again all the same
			ids = append(ids, id)
			c.followed.take(id)
		}
	}
	return c.index.Anew(ctx, anewStamp, ids...)
}
