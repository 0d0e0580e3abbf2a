// Package backend is the one facade behind all three doors: the window, the command line and the HTTP API. It has one
// method for each thing a user can do, and the shapes in which the doors show the results.
//
// Nothing else knows how the rooms behind it are put together:
//
//	record    what a line of a log can be
//	tokens    estimates, and counts anchored in reported usage
//	overlay   records to the model's context; pure
//	session   the log on disk, metadata, the store
//	states    what became of each line of a log; pure
//	compaction  what a summary replaces, and how it is written
//	llm       models that are asked over HTTP, and a catalog of what is known of them
//	keys      which key may go to which address
//	agent     turns: a message, the answers, tools in between
//	config    settings
//	naming    names for conversations; pure
//	desk      what lies unfinished
//	literal   text found in text
//	library   the sessions of other agents
//	index     what sessions hold, to be searched
//	digest    what the index keeps of a log
//	scan      keeps the index in step
//	query     what is typed into the search box; pure
//	sources   how other agents write theirs
//	sample    the conversation offered on an empty home
package backend

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/config"
	"palimpsest/backend/desk"
	"palimpsest/backend/keys"
	"palimpsest/backend/library"
	"palimpsest/backend/reach"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Version is set by the build.
var Version = "dev"

// Options of [Open].
type Options struct {
	// Home is the directory of sessions, trash and settings; [config.Home] if empty.
	Home string
	// Wait is how long a writer waits for a session's lock; [session.DefaultWait] if 0, not at all if negative.
	Wait time.Duration
	// CreatedBy goes into the metadata of new sessions: which door made them.
	CreatedBy string
	// Resident is set by doors that stay open and listen to news: a large log is then told of before all of it was read, and
	// what turns out to be otherwise is news.
	Resident bool
	// Keychain keeps the keys that users enter; nil for none.
	Keychain keys.Keychain
	// Warn is told of what went wrong without being a failure; may be nil.
	Warn func(error)
	// Now is the clock, and says which time is local; time.Now if nil.
	Now func() time.Time
	// Sources are the other agents whose sessions are shown; nil shows none. Release is called when they are not used any more; may be
	// nil.
	Sources []sources.Source
	Release func() error
	// UserHome is where other agents keep their sessions, the user's if empty, and Cache where readings of them and the index are kept.
	// Without Cache and Sources there is no index.
	UserHome, Cache string
	// CacheFails is why nothing more can be written to the cache, as an earlier one found that was opened; nil if that is not known.
	CacheFails error
}

// Backend is an open home directory.
type Backend struct {
	home      string
	createdBy string
	resident  bool
	zone      zone
	warn      func(error)
	now       func() time.Time
	store     *session.Store
	library   *library.Library // nil without sources
	release   func() error
	ownCache  string // in the place of one that can't be written to, noCache
	noCache   string
	released  sync.Once
	desk      *desk.Desk
	views     views
	sizing    sizing
	news      news
	unwatched unwatched
	agent     *agent.Agent
	asides    asides
	drafts    drafts
	offers    offers
	// tag tells this program from others that run.
	tag string
	// warned are the warnings that were given once.
	warned sync.Map
	keys   keys.Keys
	taken  taken

	settled    settled
	unanswered unanswered

	// importing is held while a session is imported: those of this program wait for each other as long as it takes.
	importing sync.Mutex

	indexing   indexing
	firstList  firstList
	lastList   lastList
	reach      *reach.Reach
	readings   readings
	compacting compacting
	toolbox    toolbox

	// beginning is held while a session is made for a message.
	beginning sync.Mutex
	// returning is held while messages are handed back.
	returning sync.Mutex
	// editing is held while the settings file is changed.
	editing sync.Mutex

	mu       sync.Mutex
	config   config.Config
	problems []config.Problem
}

// Open reads the settings and returns a backend. It creates nothing on disk but a directory in the place of a cache that can't be
// written to. [Backend.Close] is needed by who subscribed to news, sends messages or drafts, and removes that directory.
func Open(opts Options) (*Backend, error) {
	home := opts.Home
	if home == "" {
		var err error
		if home, err = config.Home(); err != nil {
			return nil, fmt.Errorf("finding the home directory of sessions: %w", err)
		}
	}
	settings, problems := config.Load(home)
	b := &Backend{
		home: home, createdBy: opts.CreatedBy, resident: opts.Resident, warn: opts.Warn, now: opts.Now, config: settings, problems: problems,
		reach: reach.New(),
	}
	b.zone.days.Store(opts.Resident)
	if b.now == nil {
		b.now = time.Now
	}
	if b.warn == nil {
		b.warn = func(error) {}
	}
	b.store = session.Open(home, session.Options{
		Durability: session.Durability(settings.Durability), Wait: opts.Wait, Warn: opts.Warn, Now: opts.Now, Refuse: refuseForeign,
	})
	if err := b.openLibrary(opts); err != nil {
		return nil, err
	}
	b.views.others, b.readings.others = newSigns(), newSigns()
	b.keys.Chain = opts.Keychain
	b.tag = newTag()
	b.offers.refused = b.keys.Refused
	b.desk = desk.Open(filepath.Join(home, "desk"))
	b.toolbox.b = b
	b.agent = agent.New(b.agentDeps())
	return b, nil
}

// ReadOnly tells that this process may not write to the home directory: everything can be read, and nothing changed.
func (b *Backend) ReadOnly() bool { return !session.MayWrite(b.home) }

// Home is the directory that holds sessions, trash and settings.
func (b *Backend) Home() string { return b.home }

// Settings are the settings in force and what is wrong with the file they come from.
func (b *Backend) Settings() (config.Config, []config.Problem) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.config, b.problems
}

// ResolveID completes the beginning of the id of a session of ours, for doors that allow it.
func (b *Backend) ResolveID(_ context.Context, prefix string) (string, error) {
	if err := refuseForeign(prefix); err != nil {
		return "", err
	}
	return b.store.FindPrefix(prefix, false)
}

// ResolveAny is ResolveID also for sessions of other agents.
func (b *Backend) ResolveAny(ctx context.Context, prefix string) (string, error) {
	if library.IsRef(prefix) {
		return b.resolveForeign(ctx, prefix)
	}
	return b.ResolveID(ctx, prefix)
}

// ResolveTrashed completes the beginning of the id of a session in the trash.
func (b *Backend) ResolveTrashed(_ context.Context, prefix string) (string, error) {
	if err := refuseForeign(prefix); err != nil {
		return "", err
	}
	return b.store.FindPrefix(prefix, true)
}

// RepairMetadata rebuilds a session's metadata from its log.
func (b *Backend) RepairMetadata(ctx context.Context, id string) error {
	return b.store.Repair(ctx, id)
}
