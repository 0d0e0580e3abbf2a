package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"palimpsest/backend/agent"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// ErrReadOnly marks what can't be done to a session of another agent.
var ErrReadOnly = errors.New("it can be read, and not changed")

// readOnly is [ErrReadOnly] of one session.
type readOnly struct{ ref library.Ref }

func (r *readOnly) Error() string {
	return fmt.Sprintf("session %s belongs to %s: %v", r.ref, r.ref.Agent, ErrReadOnly)
}

func (r *readOnly) Unwrap() error { return ErrReadOnly }

func readOnlyHint(err error) string {
	const made = "a copy that can be continued"
	if r, ok := errors.AsType[*readOnly](err); ok {
		return "nothing was changed; palimpsest import " + r.ref.String() + " makes " + made
	}
	return "nothing was changed; palimpsest import makes " + made
}

// refuseForeign is what a store of ours says of a session of another agent: only what reads looks for it elsewhere.
func refuseForeign(id string) error {
	if !library.IsRef(id) {
		return nil
	}
	ref, err := library.ParseRef(id)
	if err != nil {
		return err
	}
	return &readOnly{ref}
}

// CheckID tells whether an id is well-formed: that of a session of ours or, as agent:id, of another agent's.
func CheckID(id string) error {
	if !library.IsRef(id) {
		return session.CheckID(id)
	}
	_, err := library.ParseRef(id)
	return err
}

// resolveForeign finds the one session whose id is given, or begins so.
func (b *Backend) resolveForeign(ctx context.Context, text string) (string, error) {
	ref, err := library.ParseRef(text)
	if err != nil {
		return "", err
	}
	if b.library == nil {
		return "", b.withoutAgents(ref)
	}
	found, err := b.library.Complete(ctx, ref)
	if err != nil {
		err = b.whyNotThere(ctx, ref, err)
	}
	return found.String(), err
}

// withoutAgents says that nothing is known of any other agent.
func (b *Backend) withoutAgents(ref library.Ref) error {
	return fmt.Errorf("session %s: %w: this program was opened without other agents", ref, session.ErrNotFound)
}

// ShortIDs cuts ids of sessions of other agents to as much as says which one it is among all that were found; other ids are as they are.
func (b *Backend) ShortIDs(ids []string) []string {
	out := slices.Clone(ids)
	if b.library == nil {
		return out
	}
	shorts := b.library.Shorts()
	for i, id := range ids {
		if ref, err := library.ParseRef(id); library.IsRef(id) && err == nil && shorts[ref] != "" {
			out[i] = library.Ref{Agent: ref.Agent, ID: shorts[ref]}.String()
		}
	}
	return out
}

func (b *Backend) openLibrary(opts Options) error {
	b.release = opts.Release
	home, cache := opts.UserHome, opts.Cache
	if cache != "" || len(opts.Sources) > 0 {
		cache = b.cacheIn(cache)
		b.indexing.dir = indexDir(cache, b.home)
		b.indexing.relisted = make(chan struct{}, 1)
	}
	if len(opts.Sources) == 0 {
		return nil
	}
	if home == "" {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return fmt.Errorf("finding the sessions of other agents: %w", err)
		}
	}
	var told func(library.News)
	if b.resident {
		told = b.tellReading
	}
	b.library = library.Open(library.Options{
		Cache: cache, Home: home, Getenv: os.Getenv, GOOS: runtime.GOOS, Sources: opts.Sources, Version: Version, Warn: opts.Warn,
		Copies: filepath.Join(b.home, "kept"), Told: told, Reach: b.reach,
	})
	return nil
}

func (b *Backend) closeLibrary() {
	if b.library != nil {
		b.library.Close()
	}
	if b.release != nil {
		b.released.Do(func() { _ = b.release() }) // what is left in the cache is swept later
	}
	b.dropCache()
}

// place is where a session's files are: in the store of ours or, for that of another agent, in that of readings.
type place struct {
	store *session.Store
	id    string
}

// Prepare reads a session of another agent, so that what is asked of it next is answered at once. Of ours it only checks the id.
func (b *Backend) Prepare(ctx context.Context, id string) error {
	if !library.IsRef(id) {
		return session.CheckID(id)
	}
	_, err := b.reading(ctx, id)
	return err
}

func (b *Backend) reading(ctx context.Context, id string) (library.Reading, error) {
	ref, err := library.ParseRef(id)
	if err != nil {
		return library.Reading{}, err
	}
	if b.library == nil {
		return library.Reading{}, b.withoutAgents(ref)
	}
	b.readings.use(ref)
	r, err := b.library.Read(ctx, ref)
	if err != nil {
		err = b.whyNotThere(ctx, ref, err)
	}
	if r.Grew != "" {
		b.views.carry(place{b.library.Store(), r.Grew}, place{b.library.Store(), r.ID})
	}
	return r, err
}

// placeOf finds a session's files. What takes long was done by [Backend.Prepare], if its caller wants to be able to stop it.
//
//nolint:contextcheck,nolintlint // its callers need not pass a context: who wants to stop it calls [Backend.Prepare] first
func (b *Backend) placeOf(id string) (place, error) {
	if !library.IsRef(id) {
		return place{b.store, id}, session.CheckID(id)
	}
	r, err := b.reading(context.Background(), id)
	if err != nil {
		return place{}, err
	}
	return place{b.library.Store(), r.ID}, nil
}

// openPlace opens a session's log. A reading that goes in the moment that it was found in has a successor.
func (b *Backend) openPlace(id string) (place, session.Metadata, *os.File, error) {
	const attempts = 3
	for n := 1; ; n++ {
		at, err := b.placeOf(id)
		if err != nil {
			return at, session.Metadata{}, nil, err
		}
		meta, log, err := at.open()
		if err == nil || !library.IsRef(id) || !errors.Is(err, session.ErrNotFound) || n == attempts {
			return at, meta, log, err
		}
	}
}

func (p place) open() (session.Metadata, *os.File, error) {
	meta, err := p.store.Metadata(p.id)
	if err != nil {
		return meta, nil, err
	}
	log, err := p.store.OpenLog(p.id)
	return meta, log, err
}

// openLog opens a session's log, whoever it belongs to.
func (b *Backend) openLog(id string) (session.Metadata, *os.File, error) {
	_, meta, log, err := b.openPlace(id)
	return meta, log, err
}

// noForeignTools says why no model is offered tools in a session of another agent.
var noForeignTools = "the session belongs to another agent, and is only read"

// foreignTurns are those of a session that has none. It need not be read for that.
func (b *Backend) foreignTurns(id string) (Turns, error) {
	err := b.lookForeign(id)
	return Turns{Queued: []agent.Waiting{}, ReadOnly: true, NoTools: &noForeignTools}, err
}

// lookForeign says why a session of another agent is not there.
func (b *Backend) lookForeign(id string) error {
	ref, err := library.ParseRef(id)
	if err != nil {
		return err
	}
	if b.library == nil {
		return b.withoutAgents(ref)
	}
	if _, err = b.library.Lookup(context.Background(), ref); err != nil {
		return b.whyNotThere(context.Background(), ref, err)
	}
	return nil
}

// Checked is what a check of one session finds.
type Checked struct {
	session.Report
	// File is what the session was read from, if it is another agent's, and Problem why it was not read to its end.
	File    string `json:"file,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// Sound is false if there is damage other than what a crash left, or an end that could not be read.
func (c Checked) Sound() bool { return c.Report.Sound() && c.Problem == "" }

// checkForeign verifies a reading: the lines that its source could not read are damage there.
//
//nolint:contextcheck,nolintlint // its callers need not pass a context: who wants to stop it calls [Backend.Prepare] first
func (b *Backend) checkForeign(id string) (Checked, error) {
	r, err := b.reading(context.Background(), id)
	if err != nil {
		return Checked{}, err
	}
	report, err := b.library.Store().Check(r.ID)
	report.ID = id
	report.Damage = allLost(theirs(id, session.Metadata{}), report.Damage)
	return Checked{Report: report, File: r.Found.Files[0], Problem: r.Problem}, err
}
