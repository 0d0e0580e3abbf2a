package library

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"palimpsest/backend/copies"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// readCopy reads a session whose own files are gone.
func (l *Library) readCopy(ctx context.Context, s *shelf, found sources.Found, log *sources.Log) error {
	c, err := l.copies.Copy(found.Agent, found.ID)
	if errors.Is(err, copies.ErrNone) {
		return sources.ErrGone
	}
	if err != nil {
		return err
	}
	id := found.ID
	if found.EarlierOf != "" {
		id = found.EarlierOf
	}
	lay := func(home string) error { return l.copies.Unpack(ctx, found.Agent, found.ID, home) }
	return l.laidOut(ctx, s, laid{found.Agent, id, c.Files[0].Path}, lay, func(env sources.Env, there sources.Found) error {
		if there.Problem != "" {
			return fmt.Errorf("%w: %s", copies.ErrDamaged, strings.TrimSuffix(there.Problem, "."))
		}
		if there.Parent == "" && found.EarlierOf == "" { // what it came from may be told by files that are no part of it
			there.Parent, there.Relation = found.Parent, found.Relation
		}
		return s.source.Read(ctx, env, there, log)
	})
}

// saying reads what is said in a session from files of it that are laid out: see [copies.Saying].
func (l *Library) saying(s *shelf, as laid) copies.Saying {
	return func(ctx context.Context, lay func(string) error) (said []string, ok bool, err error) {
		err = l.laidOut(ctx, s, as, lay, func(env sources.Env, there sources.Found) error {
			if ok = there.Problem == ""; ok {
				said, _ = sources.Said(ctx, s.source, env, there) // what was read before an error counts
			}
			return ctx.Err()
		})
		if errors.Is(err, errNotInIt) {
			err = nil
		}
		return said, ok, err
	}
}

// laid is a session in a directory that is laid out as a home: what it is called, and where its main file stands.
type laid struct{ agent, id, main string }

var errNotInIt = errors.New("the session is not found in it")

// laidOut lays files out as a home directory for as long as do takes, which is given the session as its source finds it there.
func (l *Library) laidOut(ctx context.Context, s *shelf, as laid, lay func(home string) error, do func(sources.Env, sources.Found) error) error {
	home, err := l.room("kept-*")
	if err != nil {
		return err
	}
	defer func() { l.warnIf(os.RemoveAll(home)) }()
	if err := lay(home); err != nil {
		return err
	}
	env := l.env
	env.Home, env.Getenv, env.Memory = home, func(string) string { return "" }, nil
	var there sources.Found
	best := 0
	err = s.source.Find(ctx, env, func(f sources.Found) error {
		if is := as.is(&f, home); is > best {
			there, best = f, is
			there.Agent = as.agent
		}
		return nil
	})
	if err != nil {
		return err
	}
	if best == 0 {
		return fmt.Errorf("%w: %w by %s", copies.ErrDamaged, errNotInIt, as.agent)
	}
	return do(env, there)
}

// is tells how much a session seems to be the one that was laid out; 0 is not at all. One of several that had its id goes by that again
// where it stands alone, and the name of one without an id may say where it stands.
func (as laid) is(f *sources.Found, home string) int {
	switch id := tame(f.ID); {
	case id == as.id:
		return 3
	case id == jsonl.Plainly(as.id):
		return 2
	case len(f.Files) > 0 && !f.InTables() && f.Files[0] == filepath.Join(home, filepath.FromSlash(as.main)):
		return 1
	}
	return 0
}
