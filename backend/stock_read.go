package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/record"
	"palimpsest/backend/scan"
	"palimpsest/backend/sources"
)

// Read reads a session into the index.
func (c *stock) Read(ctx context.Context, item scan.Item, pass func() error) error {
	ctx = sources.Metered(ctx, &c.turn.through)
	row, there, err := c.index.Session(ctx, item.ID)
	if err != nil {
		return faulty(err)
	}
	if there && row.Stamp == item.Stamp && !row.Gone { // another program was faster, as while this one was paused
		return nil
	}
	if there {
		if stands, err := c.stands(ctx, row, item); err != nil || stands {
			return err
		}
	}
	vanished := there && row.Gone
	row = index.Session{ID: item.ID, Stamp: item.Stamp, Updated: item.Updated, Offset: row.Offset, Digest: row.Digest, Revision: row.Revision}
	c.mu.Lock()
	found := c.theirs[item.ID].found
	c.mu.Unlock()
	if err := c.stepBack(ctx, pass); err != nil {
		return err
	}
	if item.Bytes > largeFrom { // one after the other, for the memory's sake
		select {
		case c.large <- struct{}{}:
			defer func() { <-c.large }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if found != nil && found.FromCopy {
		if stays, err := c.staysBeside(ctx, &row, found); err != nil || stays {
			return err
		}
	}
	if found != nil {
		err := c.readTheirs(ctx, row, *found, pass)
		if errors.Is(err, errForgotten) {
			return nil
		}
		if err == nil && vanished {
			if err := c.second.returned(ctx, row.ID); err != nil { // it is taken out when the program starts
				c.b.warn(err)
			}
		}
		return err
	}
	return c.readOwn(ctx, row, pass)
}

// stepBack waits while somebody waits for a session that is read for the window: that has the machine to itself but for one session every
// few seconds. The scan can be paused and ended meanwhile.
func (c *stock) stepBack(ctx context.Context, pass func() error) error {
	if c.b.library == nil {
		return nil
	}
	return stepBack(ctx, c.b.library.Settled, pass)
}

func stepBack(ctx context.Context, settled func(context.Context) error, pass func() error) error {
	const listen, patience = 200 * time.Millisecond, 2 * time.Second // a page may ask for one after the other without a pause
	for until := time.Now().Add(patience); ; {
		wait, cancel := context.WithTimeout(ctx, listen)
		done := settled(wait) == nil
		cancel()
		if err := pass(); err != nil || done || time.Now().After(until) {
			return err
		}
	}
}

func (c *stock) readOwn(ctx context.Context, row index.Session, pass func() error) error {
	s, err := c.b.store.Get(row.ID)
	if err != nil {
		return err
	}
	row.Updated = s.LastMessageAt // by its log, which the listing may not have looked at
	log, err := c.b.store.OpenLog(s.ID)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // opened for reading
	info, err := log.Stat()
	if err != nil {
		return fmt.Errorf("looking at the log: %w", err)
	}
	opts := digest.Options{
		Own: true, About: aboutOwn(&s), Blob: blobs(library.BlobsIn(filepath.Dir(s.Path))), CopiedTo: s.ForkedAtSeq, Early: true,
	}
	if from := s.ImportedFrom; from != nil {
		opts.Anew = c.copiesAnew(from.Agent)
	}
	before, _ := digest.Decode(row.Digest) // none: then all of it is read
	one, _ := c.grown.take(row.ID)
	opts.Sum = &one.sum
	d, err := c.store(ctx, row, before, reading{log, info.Size(), opts}, pass)
	if err == nil && d.Continue != nil && one.sum.Is(d.Continue.Size, d.Continue.Sum) {
		c.grown.keep(follow{id: row.ID, sum: one.sum})
	}
	return err
}

func (c *stock) readTheirs(ctx context.Context, row index.Session, found sources.Found, pass func() error) error {
	const most = 8 << 30
	if found.Bytes > most && !found.InTables() {
		return fmt.Errorf("%d bytes: %w", found.Bytes, sources.ErrTooLarge)
	}
	opts := digest.Options{About: aboutTheirs(&found), Location: c.b.now().Location(), CopiedBefore: found.CreatedAt, Early: true}
	opts.Anew, opts.Same = c.copiesAnew(found.Agent), c.copiesSame(found.Agent)
	if opts.Same { // their names tell what was copied, whatever was known of the session when it was found
		opts.CopiedBefore = time.Time{}
	}
	if found.EarlierOf != "" { // the session counts it
		opts.CopiedTo = record.MaxSeq
	}
	if before, err := digest.Recall(row.Digest); err == nil {
		if err := c.staysWith(ctx, before, &opts); err != nil {
			return err
		}
		if before.Version == digest.Version && row.Offset > 0 { // perhaps only something was appended
			return c.readOn(ctx, row, before, found, opts, pass)
		}
	}
	_, err := c.put(ctx, row, func(emit func(index.Text) error) (d *digest.Digest, err error) {
		var taker *digest.Taker
		begin := func(b library.Blob) sources.Show {
			opts.Blob = blobs(b)
			taker = digest.Take(opts, emit)
			return func(line []byte, rec *record.Record, copied bool) error {
				c.turn.through.Add(1)
				return taker.Line(line, rec, copied)
			}
		}
		err = c.b.library.Pass(ctx, found, begin, func(p library.Pass) error {
			if p.Shown {
				if d, err = taker.End(); err == nil {
					c.readFirst(ctx, &found, p, d)
				}
				return err
			}
			opts.Blob = blobs(p.Blob)
			d, err = digest.Read(p.Log, p.Size, opts, emit)
			return err
		})
		return d, err
	}, pass)
	return err
}

// copiesAnew tells whether copies of an agent's sessions have other times than these.
func (c *stock) copiesAnew(agent string) bool {
	return c.b.library != nil && c.b.library.Capability(agent, "parent").Anew
}

// copiesSame tells whether what an agent's copies hold has the names that it has in the original.
func (c *stock) copiesSame(agent string) bool {
	return c.b.library != nil && c.b.library.Capability(agent, "parent").Same
}

// textMost is the longest text beside a log that goes into the index whole.
const textMost = 4 << 20

func blobs(read library.Blob) func(string) (string, bool) {
	return func(sha string) (string, bool) { return read(sha, textMost) }
}

// finished is the row with what was read, of which all is put away that need not be read by who goes on; the digest has the edge that is known, or none.
func (c *stock) finished(row index.Session, d *digest.Digest) index.Session {
	d.Edge = c.edgeNow(scan.Item{ID: row.ID, Stamp: row.Stamp}, d.Edge)
	row.Early, row.Pieces = d.Early(), d.PutAway()
	row.Offset, row.Digest = 0, d.Encode()
	if d.Continue != nil {
		row.Offset = d.Continue.Size
	}
	return row
}

// put stores all that read gives.
func (c *stock) put(
	ctx context.Context, row index.Session, read func(emit func(index.Text) error) (*digest.Digest, error), pass func() error,
) (d *digest.Digest, err error) {
	var why error
	texts, some, stop := begun(func(yield func(index.Text, error) bool) {
		d, why = read(func(t index.Text) error {
			c.turn.through.Add(1)
			if err := pass(); err != nil {
				return err
			}
			if !yield(t, nil) {
				return errEnough
			}
			return nil
		})
		if why == nil {
			why = c.emptied(ctx, &row, d)
		}
		if why != nil && !errors.Is(why, errEnough) {
			yield(index.Text{}, why)
		}
	})
	defer stop()
	if !some {
		row = c.finished(row, d)
		return d, c.putOff(ctx, row, d)
	}
	err = c.index.Fill(ctx, row.ID, texts, func() index.Session {
		row = c.finished(row, d)
		return row
	}, func() bool { return c.wanted(ctx, row.ID) })
	if why != nil && !errors.Is(why, errEnough) {
		return nil, why
	}
	if errors.Is(err, index.ErrChanged) && !c.wanted(ctx, row.ID) {
		c.forgotten(row.ID)
		return nil, errForgotten
	}
	if err != nil {
		return nil, faulty(err)
	}
	if len(d.Parts) > 0 {
		c.related.Store(false)
	}
	c.changes(row.ID)
	return d, nil
}

var errEnough = errors.New("no more is wanted")

// errForgotten ends the reading of a session that was forgotten meanwhile.
var errForgotten = errors.New("it was forgotten")
