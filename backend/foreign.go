package backend

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"palimpsest/backend/config"
	"palimpsest/backend/forgets"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

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
		cache = b.cacheIn(cache, opts.CacheFails)
		b.indexing.dir = indexDir(cache, b.home)
		b.indexing.relisted = make(chan struct{}, 1)
		b.lastList.path, b.lastList.forgets = filepath.Join(b.indexing.dir, "list.json"), forgets.Count(filepath.Join(cache, "forgets"))
	}
	if len(opts.Sources) == 0 {
		return nil
	}
	if home == "" {
		var err error
		if home, err = config.UserHome(); err != nil {
			return fmt.Errorf("finding the sessions of other agents: %w", err)
		}
	}
	var told func(library.News)
	if b.resident {
		told = b.tellReading
	}
	b.library = library.Open(library.Options{
		Cache: cache, Home: home, Getenv: os.Getenv, GOOS: runtime.GOOS, Sources: opts.Sources, Warn: opts.Warn,
		Copies: filepath.Join(b.home, "kept"), Told: told, Reach: b.reach, Forgets: b.lastList.forgets,
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
