package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/scan"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// stock is what there is to be scanned: sessions of ours, and those of other agents.
type stock struct {
	b     *Backend
	index *index.Index

	mu    sync.Mutex
	found map[string]sources.Found
	own   map[string]session.Summary
	// stamps are those of the listing before, of sessions of other agents.
	stamps map[string]string
	// watching is how many folders of theirs the system tells of.
	watching atomic.Int64
	// listed counts listings.
	listed int
	known  digests
	// followed are the sessions of other agents that were appended to lately.
	followed followed
	// large holds one while a large session is read.
	large chan struct{}
}

// largeFrom is the size from which on a session is large.
const largeFrom = 4 << 20

var _ scan.Catalog = (*stock)(nil)

// indexFault is a failure of the index itself: no session is to be blamed for it.
type indexFault struct{ err error }

func (f *indexFault) Error() string { return f.err.Error() }
func (f *indexFault) Unwrap() error { return f.err }

func faulty(err error) error {
	if err == nil {
		return nil
	}
	return &indexFault{err}
}

// Rows are what the index has.
func (c *stock) Rows(ctx context.Context, only []string) (map[string]index.Session, error) {
	if only == nil {
		return c.index.Stamps(ctx)
	}
	rows := map[string]index.Session{}
	for _, id := range only {
		row, there, err := c.index.Session(ctx, id)
		if err != nil {
			return nil, err
		}
		if there {
			rows[id] = row
		}
	}
	return rows, nil
}

// Look says what sessions are like now. One of another agent has to have been listed before.
func (c *stock) Look(_ context.Context, ids []string) ([]scan.Item, error) {
	var items []scan.Item
	for _, id := range ids {
		if item, ok := c.look(id); ok {
			items = append(items, item)
		}
	}
	return items, nil
}

func (c *stock) look(id string) (scan.Item, bool) {
	if library.IsRef(id) {
		c.mu.Lock()
		f, ok := c.found[id]
		c.mu.Unlock()
		return scan.Item{ID: id, Stamp: mark(c.b.library.Mark(&f)), Updated: lastChange(&f), Bytes: f.Bytes}, ok
	}
	summary, err := c.b.store.Get(id)
	if err != nil {
		return scan.Item{}, false // it is gone, and the next listing says so
	}
	stamp, bytes, ok := c.stampOf(&summary)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own != nil {
		c.own[id] = summary
	}
	return scan.Item{ID: id, Stamp: stamp, Updated: summary.LastMessageAt, Bytes: bytes}, ok
}

// lastChange is when something happened in a session, by the time of its file if that is newer than what was found.
func lastChange(f *sources.Found) time.Time {
	last := lastOf(f)
	if len(f.Files) > 0 && !f.InTables() {
		if info, err := os.Stat(f.Files[len(f.Files)-1]); err == nil && info.ModTime().After(last) {
			return info.ModTime()
		}
	}
	return last
}

// List looks for all sessions.
func (c *stock) List(ctx context.Context) (scan.Listing, error) {
	own, err := c.b.store.List(ctx, session.ListOptions{Quick: true})
	if err != nil {
		return scan.Listing{}, err
	}
	mine, found := map[string]session.Summary{}, map[string]sources.Found{}
	var listing scan.Listing
	for i := range own {
		stamp, bytes, ok := c.stampOf(&own[i])
		if !ok {
			continue
		}
		mine[own[i].ID] = own[i]
		listing.Items = append(listing.Items, scan.Item{ID: own[i].ID, Stamp: stamp, Updated: own[i].LastMessageAt, Bytes: bytes})
	}
	searched := map[string]bool{}
	if c.b.library != nil {
		theirs, err := c.b.library.List(ctx)
		if err != nil {
			return listing, err
		}
		searched = theirs.Searched
		for i := range theirs.Found {
			f := &theirs.Found[i]
			id := library.Ref{Agent: f.Agent, ID: f.ID}.String()
			found[id] = *f
			listing.Items = append(listing.Items, scan.Item{ID: id, Stamp: mark(c.b.library.Mark(f)), Updated: lastOf(f), Bytes: f.Bytes})
		}
	}
	listing.Vanished = func(id string) bool {
		if !library.IsRef(id) {
			return true
		}
		ref, err := library.ParseRef(id)
		return err != nil || searched[ref.Agent]
	}
	c.mu.Lock()
	before := c.stamps
	c.own, c.found, c.stamps = mine, found, map[string]string{}
	for _, item := range listing.Items {
		if library.IsRef(item.ID) {
			c.stamps[item.ID] = item.Stamp
		}
	}
	now := c.stamps
	c.listed++
	c.mu.Unlock()
	c.tell(before, now, listing.Vanished)
	return listing, nil
}

// listing are the sessions of other agents, by the listing with this number, 0 for none; nothing if it is the one that is known.
func (c *stock) listing(known int) ([]sources.Found, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.listed == known {
		return nil, known
	}
	return slices.Collect(maps.Values(c.found)), c.listed
}

// tell is news of what is otherwise than in the listing before.
func (c *stock) tell(before, now map[string]string, vanished func(id string) bool) {
	if before == nil || !c.b.resident {
		return
	}
	for id, stamp := range now {
		switch was, known := before[id]; {
		case !known:
			c.b.news.publish(EventCreated, id)
		case was != stamp:
			c.b.news.publish(EventChanged, id)
		}
	}
	for id := range before {
		if _, there := now[id]; !there && vanished(id) {
			c.b.news.publish(EventRemoved, id)
		}
	}
}

// mark is a stamp of what a session is like, and of how its digest is made.
func mark(text string) string { return fmt.Sprintf("%d.%s", digest.Version, text) }

func (c *stock) stampOf(s *session.Summary) (stamp string, bytes int64, ok bool) {
	now, there, err := imprintOf(filepath.Dir(s.Path))
	if err != nil || !there {
		return "", 0, false
	}
	return mark(now.String()), now.log.Size(), true
}

// Read reads a session into the index.
func (c *stock) Read(ctx context.Context, item scan.Item, pass func() error) error {
	row, _, err := c.index.Session(ctx, item.ID)
	if err != nil {
		return faulty(err)
	}
	row = index.Session{ID: item.ID, Stamp: item.Stamp, Updated: item.Updated, Offset: row.Offset, Digest: row.Digest, Revision: row.Revision}
	c.mu.Lock()
	found, theirs := c.found[item.ID]
	own := c.own[item.ID]
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
	if theirs {
		return c.readTheirs(ctx, row, found, pass)
	}
	return c.readOwn(ctx, row, &own, pass)
}

// stepBack waits while somebody waits for a session that is read for the window: that has the machine to itself. The scan can be paused
// and ended meanwhile.
func (c *stock) stepBack(ctx context.Context, pass func() error) error {
	if c.b.library == nil {
		return nil
	}
	const listen = 200 * time.Millisecond
	for {
		wait, cancel := context.WithTimeout(ctx, listen)
		settled := c.b.library.Settled(wait) == nil
		cancel()
		if err := pass(); err != nil || settled {
			return err
		}
	}
}

func (c *stock) readOwn(ctx context.Context, row index.Session, s *session.Summary, pass func() error) error {
	log, err := c.b.store.OpenLog(s.ID)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // opened for reading
	info, err := log.Stat()
	if err != nil {
		return fmt.Errorf("looking at the log: %w", err)
	}
	opts := digest.Options{Own: true, About: aboutOwn(s), Blob: blobs(library.BlobsIn(filepath.Dir(s.Path))), CopiedTo: s.ForkedAtSeq}
	_, err = c.store(ctx, row, reading{log, info.Size(), opts}, pass)
	return err
}

func (c *stock) readTheirs(ctx context.Context, row index.Session, found sources.Found, pass func() error) error {
	const most = 8 << 30
	if found.Bytes > most && !found.InTables() {
		return fmt.Errorf("%w: it has %d bytes", errTooLarge, found.Bytes)
	}
	opts := digest.Options{About: aboutTheirs(&found), Location: c.b.now().Location()}
	if found.Relation == sources.Fork {
		opts.CopiedBefore = found.CreatedAt
	}
	if before, err := digest.Decode(row.Digest); err == nil && row.Offset > 0 { // perhaps only something was appended
		return c.readOn(ctx, row, before, found, opts, pass)
	}
	_, err := c.put(ctx, row, func(emit func(index.Text) error) (d *digest.Digest, err error) {
		var taker *digest.Taker
		begin := func(b library.Blob) sources.Show {
			opts.Blob = blobs(b)
			taker = digest.Take(opts, emit)
			return taker.Line
		}
		err = c.b.library.Pass(ctx, found, begin, func(p library.Pass) error {
			if p.Shown {
				d, err = taker.End(p.Log)
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

var errTooLarge = errors.New("it is too large")

// textMost is the longest text beside a log that goes into the index whole.
const textMost = 4 << 20

func blobs(read library.Blob) func(string) (string, bool) {
	return func(sha string) (string, bool) { return read(sha, textMost) }
}

// reading is a log of ours with what is known of it.
type reading struct {
	log  io.ReaderAt
	size int64
	opts digest.Options
}

// store puts what a log holds into the index: what was appended, if that is all that is new.
func (c *stock) store(ctx context.Context, row index.Session, r reading, pass func() error) (*digest.Digest, error) {
	r.opts.Location = c.b.now().Location()
	if before, err := digest.Decode(row.Digest); err == nil && row.Offset > 0 {
		d, err := c.add(ctx, row, func(emit func(index.Text) error) (*digest.Digest, error) {
			return digest.Continue(before, r.log, r.size, r.opts, emit)
		})
		if !errors.Is(err, digest.ErrAnew) {
			return d, err
		}
	}
	return c.put(ctx, row, func(emit func(index.Text) error) (*digest.Digest, error) {
		return digest.Read(r.log, r.size, r.opts, emit)
	}, pass)
}

// add appends to what is there what goes on gives; [digest.ErrAnew] if all of it has to be read.
func (c *stock) add(ctx context.Context, row index.Session, goOn func(emit func(index.Text) error) (*digest.Digest, error)) (*digest.Digest, error) {
	var texts []index.Text
	d, err := goOn(func(t index.Text) error { texts = append(texts, t); return nil })
	if err != nil {
		return nil, err
	}
	row = finished(row, d)
	err = c.index.Append(ctx, row, func(yield func(index.Text, error) bool) {
		for _, t := range texts {
			if !yield(t, nil) {
				return
			}
		}
	})
	if errors.Is(err, index.ErrChanged) {
		return nil, digest.ErrAnew
	}
	if err != nil {
		return nil, faulty(err)
	}
	c.learn(row, d)
	return d, nil
}

func finished(row index.Session, d *digest.Digest) index.Session {
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
	err = c.index.Fill(ctx, row.ID, func(yield func(index.Text, error) bool) {
		d, why = read(func(t index.Text) error {
			if err := pass(); err != nil {
				return err
			}
			if !yield(t, nil) {
				return errEnough
			}
			return nil
		})
		if why != nil && !errors.Is(why, errEnough) {
			yield(index.Text{}, why)
		}
	}, func() index.Session {
		row = finished(row, d)
		return row
	})
	if why != nil && !errors.Is(why, errEnough) {
		return nil, why
	}
	if err != nil {
		return nil, faulty(err)
	}
	c.learn(row, d)
	return d, nil
}

var errEnough = errors.New("no more is wanted")

// Skip notes why a session could not be read. What is in the index of it stays.
func (c *stock) Skip(ctx context.Context, item scan.Item, why error) error {
	if fault, ok := errors.AsType[*indexFault](why); ok {
		return fault
	}
	row, there, err := c.index.Session(ctx, item.ID)
	if err != nil {
		return err
	}
	d, err := digest.Decode(row.Digest)
	if err != nil {
		d = &digest.Digest{Version: digest.Version, About: c.about(item.ID)}
	}
	d.Skip, d.Why = digest.SkipUnreadable, headOf(why.Error())
	if errors.Is(why, errTooLarge) {
		d.Skip = digest.SkipTooLarge
	}
	row = index.Session{ID: item.ID, Stamp: item.Stamp, Updated: item.Updated, Digest: d.Encode()}
	if there {
		err = c.index.Touch(ctx, row)
	} else {
		err = c.index.Put(ctx, row, func(func(index.Text, error) bool) {})
	}
	if err == nil {
		c.learn(row, d)
	}
	return err
}

// Gone notes that a session vanished, or came back. One of ours that is not there was taken away by its owner, and goes from the
// index, too.
func (c *stock) Gone(ctx context.Context, row index.Session, gone bool) error {
	if gone && !library.IsRef(row.ID) {
		c.forget(row.ID)
		return c.index.Remove(ctx, row.ID)
	}
	whole, there, err := c.index.Session(ctx, row.ID)
	if err != nil || !there {
		return err
	}
	d, err := digest.Decode(whole.Digest)
	if err != nil {
		c.forget(row.ID)
		return c.index.Remove(ctx, row.ID)
	}
	d.GoneAt = nil
	if gone {
		at := c.b.now().UTC().Truncate(time.Second)
		d.GoneAt = &at
	}
	whole.Gone, whole.Digest = gone, d.Encode()
	if err := c.index.Touch(ctx, whole); err != nil {
		return err
	}
	c.learn(whole, d)
	c.b.news.publish(EventChanged, row.ID)
	return nil
}

// Clear takes everything out of the index.
func (c *stock) Clear(ctx context.Context) error {
	rows, err := c.index.Stamps(ctx)
	if err != nil {
		return err
	}
	ids := make([]string, 0, len(rows))
	for id := range rows {
		if !rows[id].Gone { // nothing else has these any more
			ids = append(ids, id)
			c.forget(id)
		}
	}
	return c.index.Remove(ctx, ids...)
}
