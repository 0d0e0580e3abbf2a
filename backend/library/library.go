package library

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"palimpsest/backend/copies"
	"palimpsest/backend/forgets"
	"palimpsest/backend/reach"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Options of [Open].
type Options struct {
	// Cache is the directory that readings are kept in; all of it may be deleted at any time.
	Cache string
	// Home is the user's home directory, below which agents keep their sessions.
	Home string
	// Getenv reads an environment variable.
	Getenv func(string) string
	// GOOS is the system.
	GOOS string
	// Sources are the agents that can be read.
	Sources []sources.Source
	// Copies is the directory of copies that were kept of sessions; empty keeps none.
	Copies string
	// Forgets counts what is forgotten by all programs that share the cache.
	Forgets forgets.Count
	// Warn is told of what went wrong without being a failure; may be nil.
	Warn func(error)
	// Reach finds out whether folders answer; nil for one of its own.
	Reach *reach.Reach
	// Told is told of readings that are made in the background, one at a time for a session; without it none are.
	Told func(News)
}

// Library is the sessions of other agents. It may be used by several goroutines.
type Library struct {
	env     sources.Env
	shelves []*shelf
	store   *session.Store
	copies  *copies.Store // nil keeps none
	forgets forgets.Count
	warn    func(error)
	told    func(News) // nil has nothing done in the background
	reach   *reach.Reach
	locks   locks
	// reading bounds the readings in the making.
	reading  slots
	viewers  viewers
	openings openings
	growing  growing
	sure     sure
	sound    sound

	ctx     context.Context
	cancel  context.CancelFunc
	mu      sync.Mutex // held where work begins and where it ends for good
	working sync.WaitGroup
	swept   sync.Once
	// tails is where ends of sessions are kept.
	tails      string
	tailsSwept sync.Once
}

const (
	// searchers bounds how many sources are searched at once, and readers how many sessions are read.
	searchers = 4
	readers   = 2
)

// Open returns a library. Nothing is searched, and nothing created, until it is asked for something.
//
//nolint:contextcheck,nolintlint // its work lasts until it is closed, whoever opened it
func Open(opts Options) *Library {
	ctx, cancel := context.WithCancel(context.Background())
	l := &Library{
		env: sources.Env{
			Home: opts.Home, Getenv: opts.Getenv, GOOS: opts.GOOS, Temp: filepath.Join(opts.Cache, "copies"),
			Memory: sources.OpenMemory(filepath.Join(opts.Cache, "found"), sources.Code()),
		},
		forgets: opts.Forgets, warn: opts.Warn, told: opts.Told, reach: cmp.Or(opts.Reach, reach.New()), ctx: ctx, cancel: cancel, reading: slots{free: readers},
		store: session.Open(filepath.Join(opts.Cache, "readings"), session.Options{Warn: opts.Warn}), tails: filepath.Join(opts.Cache, "tails"),
	}
	if opts.Copies != "" {
		l.copies = copies.Open(opts.Copies)
	}
	for _, source := range opts.Sources {
		l.shelves = append(l.shelves, &shelf{source: source, turn: make(chan struct{}, 1), copies: l.withCopies, away: l.reach, again: stuckAfter})
	}
	return l
}

// Close stops what is being read and waits for it.
func (l *Library) Close() {
	l.mu.Lock()
	l.cancel()
	l.mu.Unlock()
	l.working.Wait()
	_ = l.env.Memory.Save() // what is not remembered is looked at again
}

// Copies holds what was kept of sessions; nil if nothing is.
func (l *Library) Copies() *copies.Store { return l.copies }

// Store holds the readings.
func (l *Library) Store() *session.Store { return l.store }

// errClosed ends what was at work when the library was closed.
var errClosed = errors.New("the program is closing")

// during is a context that also ends with the library, which waits for done.
func (l *Library) during(ctx context.Context) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	end, ok := l.begin()
	if !ok {
		cancel(errClosed)
		return ctx, func() {}
	}
	stop := context.AfterFunc(l.ctx, func() { cancel(errClosed) })
	return ctx, func() {
		stop()
		cancel(nil)
		end()
	}
}

// begin is called before work, and end after it; not ok once the library is closed.
func (l *Library) begin() (end func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return nil, false
	}
	l.working.Add(1)
	return l.working.Done, true
}

func (l *Library) warnIf(err error) {
	if err != nil && l.warn != nil {
		l.warn(err)
	}
}

// since is how long ago something was.
func since(at time.Time) time.Duration { return time.Since(at) }
