package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// views keeps what is known of the logs that were looked at last, so that a page of a large transcript costs a seek
// and not a scan.
type views struct {
	mu     sync.Mutex
	recent []*cached // the one used last in front
	closed bool
	// others has a sign when another one is looked at.
	others signs
	// ctx ends what is found out in the background; it is made when there is something to find out.
	ctx     context.Context
	cancel  context.CancelFunc
	working sync.WaitGroup
}

// maxViews bounds how many logs are indexed at once.
const maxViews = 8

// cached is the index of one log. Its lock is held while the index is extended, so that two readers don't do it twice.
type cached struct {
	place
	mu sync.Mutex
	// file identifies the log that is indexed: another file of that name is another log.
	file os.FileInfo
	indexes
	states *states.Table
	// account is what states of a context that is too large to hold were told by. While settling nobody else has it.
	account *states.Account
	// rough says that index or states are a first look, not the whole truth; settling is closed once that has been found out,
	// and nil while nobody does.
	rough    bool
	settling chan struct{}
	past     past
}

// errAnotherLog ends a search for the truth about a log that was replaced meanwhile.
var errAnotherLog = errors.New("the log is another one now")

// begin is called before something is found out in the background, and end after it; not ok once the views are closed.
func (v *views) begin() (ctx context.Context, end func(), ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return nil, nil, false
	}
	if v.ctx == nil {
		v.ctx, v.cancel = context.WithCancel(context.Background())
	}
	v.working.Add(1)
	return v.ctx, v.working.Done, true
}

// close stops what goes on in the background and waits for it.
func (v *views) close() {
	v.mu.Lock()
	v.closed = true
	if v.cancel != nil {
		v.cancel()
	}
	v.mu.Unlock()
	v.working.Wait()
}

func (v *views) of(at place) *cached {
	v.mu.Lock()
	defer v.mu.Unlock()
	used := &cached{place: at, account: new(states.Account)}
	if i := slices.IndexFunc(v.recent, func(c *cached) bool { return c.place == at }); i >= 0 {
		used = v.recent[i]
		v.recent = slices.Delete(v.recent, i, i+1)
	} else {
		v.others.give()
	}
	v.recent = slices.Insert(v.recent, 0, used)
	if len(v.recent) > maxViews {
		v.recent = v.recent[:maxViews]
	}
	return used
}

// carry takes what is known of a log over to that of a reading that begins with all of it, or with what stands of it. It waits for nobody: what
// is not taken over is found out again.
func (v *views) carry(from string, made int64, to place, all bool) {
	v.mu.Lock()
	has := func(id string, made int64) int {
		return slices.IndexFunc(v.recent, func(c *cached) bool { return c.store == to.store && c.id == id && c.made == made })
	}
	at, known := has(from, made), has(to.id, to.made) >= 0
	var before *cached
	if at >= 0 {
		before = v.recent[at]
	}
	v.mu.Unlock()
	if before == nil || known || !before.mu.TryLock() {
		return
	}
	after := &cached{place: to, indexes: before.indexes, states: before.states, account: new(states.Account), rough: before.rough}
	if before.settling == nil { // nobody goes on with it but this one
		before.account, after.account = after.account, before.account
	}
	if !all {
		after.index, after.states = before.stood, nil
		after.account.Back(&before.stood)
	}
	before.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if has(to.id, to.made) < 0 {
		v.recent = slices.Insert(v.recent, 0, after)
		v.recent = v.recent[:min(len(v.recent), maxViews)]
	}
}

// idsIn are the sessions of a store that were looked at last.
func (v *views) idsIn(store *session.Store) []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	ids := make([]string, 0, len(v.recent))
	for _, c := range v.recent {
		if c.store == store {
			ids = append(ids, c.id)
		}
	}
	return ids
}

// view is a log that is open for reading, with its index and what became of each line, all as of one moment.
type view struct {
	id     string
	log    logFile
	file   os.FileInfo // as it was before it was looked into
	size   int64       // how long it is
	model  string      // what the session's metadata says
	theirs int64       // how much of the log is another agent's
	index  session.Index
	states *states.Table
	// rough says that lines may turn out to be damaged, and states to be others.
	rough bool
	past  *past
}

// logFile is a log that is open for reading.
type logFile interface {
	io.ReaderAt
	io.Closer
}

func (v *view) close() { _ = v.log.Close() } // opened for reading

// view opens a log and brings its index up to date.
func (b *Backend) view(id string) (*view, error) {
	return b.open(id, func(c *cached, v *view, log *os.File, model string) error { return c.bring(v, log, model) })
}

func (b *Backend) open(id string, bring func(c *cached, v *view, log *os.File, model string) error) (*view, error) {
	at, meta, log, err := b.openPlace(id)
	if err != nil {
		return nil, err
	}
	v := &view{id: id, log: log, model: meta.Model, theirs: theirs(id, meta)}
	v.file, err = log.Stat()
	if err == nil {
		v.size, err = lengthOf(id, &meta, log)
	}
	if err != nil {
		v.close()
		return nil, fmt.Errorf("session %s: looking at the log: %w", id, err)
	}
	known := b.views.of(at)
	v.past = &known.past
	if err := bring(known, v, log, meta.Model); err != nil {
		v.close()
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	return v, nil
}

// bring extends the index by what was appended and copies it, and the states that belong to it, into the view.
func (c *cached) bring(v *view, log *os.File, model string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	// Reading the log once is enough.
	for c.settling != nil {
		settling := c.settling
		c.mu.Unlock()
		<-settling
		c.mu.Lock()
	}
	if _, err := c.identify(log); err != nil {
		return err
	}
	if c.index.Skimmed {
		c.indexes = indexes{}
	}
	if c.states == nil || c.rough || c.index.Size != v.size {
		if err := c.extend(log, v.size, c.end, false); err != nil {
			return err
		}
		var err error
		index := c.index // states may keep it: an index that was handed out does not change
		if c.states, err = c.account.Resolve(log, &index, model); err != nil {
			return err
		}
		c.rough = false
	}
	v.index, v.states = c.index, c.states
	return nil
}

// identify forgets what is known if the log is another file than before, or was cut off.
func (c *cached) identify(log *os.File) (os.FileInfo, error) {
	info, err := log.Stat()
	if err != nil {
		return nil, fmt.Errorf("looking at the log: %w", err)
	}
	if c.file != nil && !os.SameFile(c.file, info) || info.Size() < c.index.Size {
		c.indexes, c.states, c.account, c.rough = indexes{}, nil, new(states.Account), false
	}
	c.file = info
	return info, nil
}

// overlayAt is the record at index i as the log has it if it is a compaction or a prune, else nil.
func (v *view) overlayAt(i int) (*record.Record, error) {
	rec := states.OverlayAt(&v.index, i)
	if rec == nil || rec.Compaction == nil && rec.Prune == nil {
		return nil, nil //nolint:nilnil // it says so
	}
	line := v.index.Lines.At(i)
	text := make([]byte, line.Length)
	if _, err := v.log.ReadAt(text, line.Offset); err != nil {
		return nil, fmt.Errorf("reading line %d: %w", line.Number, err)
	}
	whole, err := record.Decode(trimmed(text, line.Offset))
	if err != nil {
		return nil, fmt.Errorf("reading record %d again: %w", line.Seq, err)
	}
	return &whole, nil
}
