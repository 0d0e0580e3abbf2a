package library

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Reading is a session as it was read, in [Library.Store] under ID.
type Reading struct {
	ID    string
	Found sources.Found
	slip
	// anew tells that it was to be made of the one before and of what was appended since, and could not be.
	anew bool
}

// slip is what is kept beside a reading of how it was made.
type slip struct {
	Agent   string `json:"agent"`
	Session string `json:"session"`
	Stamp   string `json:"stamp"`
	// Problem is why the source did not read to the end, empty if it did.
	Problem string `json:"problem,omitempty"`
	// Took is how long it took, in milliseconds.
	Took int64 `json:"took"`
	// Grew is the ID of the reading with whose log and blobs it begins, if it was made of that and of what was appended since.
	Grew string `json:"grew,omitempty"`
}

const slipName = "reading.json"

// ErrUnreadable marks a session that is there and can't be read.
var ErrUnreadable = errors.New("it can't be read")

// unreadable is why a session with a problem is not read. Problems are remembered as words.
func unreadable(found *sources.Found) error {
	ref, problem := Ref{found.Agent, found.ID}, strings.TrimSuffix(found.Problem, ".")
	if where, is := strings.CutSuffix(problem, sources.ErrTooLarge.Error()); is {
		return fmt.Errorf("session %s: %w: %s%w", ref, ErrUnreadable, where, sources.ErrTooLarge)
	}
	return fmt.Errorf("session %s: %w: %s", ref, ErrUnreadable, problem)
}

// Read returns the reading of a session as it is now, and makes it if there is none. While one is made in the background, the one before
// it does.
func (l *Library) Read(ctx context.Context, ref Ref) (Reading, error) {
	out, ok := l.locks.previous(ref)
	if ok && l.openings.underway(ref) && l.isThere(out.ID) {
		return out, nil
	}
	out = Reading{}
	err := l.Use(ctx, ref, func(r Reading) error { out = r; return nil })
	return out, err
}

// Use does something with the reading of a session as it is now, which stays for as long as that takes.
func (l *Library) Use(ctx context.Context, ref Ref, do func(Reading) error) error {
	ctx, done := l.during(ctx)
	defer done()
	release, err := l.locks.lock(ctx, ref)
	if err != nil {
		return fmt.Errorf("session %s: %w", ref, err)
	}
	defer release()
	r, err := l.read(ctx, ref)
	if err != nil {
		return err
	}
	return do(r)
}

func (l *Library) read(ctx context.Context, ref Ref) (Reading, error) {
	anew := false
	for range 3 { // what was found may be gone, or elsewhere, by now
		found, s, err := l.lookup(ctx, ref, anew)
		if err != nil {
			return Reading{}, err
		}
		r, err := l.current(ctx, s, found)
		if anew = errors.Is(err, sources.ErrGone); !anew {
			return r, err
		}
	}
	return Reading{}, fmt.Errorf("session %s: %w: %w", ref, session.ErrNotFound, sources.ErrGone)
}

// current is the reading there is, or a new one. Of a session that takes long to read and changes all the time, the last reading does
// for a while.
func (l *Library) current(ctx context.Context, s *shelf, found sources.Found) (Reading, error) {
	ref := Ref{found.Agent, found.ID}
	if recent, ok := l.recent(&found); ok { //nolint:contextcheck // what is read in the background outlives who asked
		return recent, nil
	}
	now := l.stampOf(&found)
	r := Reading{ID: idOf(&found, now), Found: found}
	kept, err := l.slipOf(r.ID)
	if err == nil && kept.Stamp == hex.EncodeToString(now[:]) {
		l.use(r.ID)
		r.slip = kept
		return r, nil
	}
	if err == nil { // another session's
		if err := os.RemoveAll(l.dir(r.ID)); err != nil {
			return r, fmt.Errorf("session %s: clearing its reading: %w", ref, err)
		}
	}
	if found.Problem != "" {
		return r, unreadable(&found)
	}
	r.slip = slip{Agent: found.Agent, Session: found.ID, Stamp: hex.EncodeToString(now[:])}
	if err := l.make(ctx, s, &r); err != nil {
		return r, fmt.Errorf("session %s: %w", ref, err)
	}
	l.remember(ref, r, 0)
	l.forget(r.ID)
	l.sweep()
	return r, nil
}

// make reads a session into a directory that gets its name once it is whole.
func (l *Library) make(ctx context.Context, s *shelf, r *Reading) error {
	if err := l.reading.take(ctx); err != nil {
		return err
	}
	defer l.reading.give()
	if err := os.MkdirAll(l.env.Temp, 0o700); err != nil {
		return fmt.Errorf("making room to read it: %w", err)
	}
	err := l.grow(ctx, r)
	if errors.Is(err, sources.ErrAnew) {
		f := &r.Found
		var why error
		_, err = l.store.Put(r.ID, asFound(f), f.CreatedAt, func(dir string) error {
			why = l.fill(ctx, s, r, dir)
			return why
		})
		if errors.Is(why, ErrUnreadable) {
			err = why // where its reading would have been is of no interest
		}
	}
	if other, otherErr := l.slipOf(r.ID); err != nil && ctx.Err() == nil && otherErr == nil && other.Stamp == r.Stamp {
		r.slip, err = other, nil // another process was faster
	}
	if errors.Is(ctx.Err(), context.Canceled) && err != nil {
		return context.Cause(ctx)
	}
	return err
}

// asFound is what is known of a session before it is read.
func asFound(f *sources.Found) session.New {
	return session.New{Name: title(f.Title), Model: f.Model, Cwd: f.Cwd}
}

// title is what a name may be.
func title(text string) string {
	const most = 900
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// fill writes the log, the blobs and the slip of a reading.
func (l *Library) fill(ctx context.Context, s *shelf, r *Reading, dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, "session.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	const buffer = 256 << 10
	out := bufio.NewWriterSize(file, buffer)
	log := sources.NewLog(r.Agent, r.Session, out, keeper(dir))
	began := time.Now()
	tail, why := l.followIfStaying(sources.Metered(ctx, l.openings.meter(Ref{r.Agent, r.Session})), s, r.Found, log)
	err = errors.Join(log.Err(), out.Flush(), file.Close())
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("keeping its reading: %w", err)
	case errors.Is(why, sources.ErrGone):
		return why
	case why != nil && log.Next() == 1 && log.Damaged() == 0:
		return fmt.Errorf("%w: %w", ErrUnreadable, why)
	case why != nil:
		r.Problem = why.Error()
	}
	r.Took = since(began).Milliseconds()
	if err := r.writeTo(dir); err != nil {
		return err
	}
	l.growing.keep(Ref{r.Agent, r.Session}, r.ID, tail)
	return nil
}

// followIfStaying reads a session, so that it can be read on from if this program stays and its source can.
func (l *Library) followIfStaying(ctx context.Context, s *shelf, found sources.Found, log *sources.Log) (*Tail, error) {
	if l.told == nil {
		return nil, l.readInto(ctx, s, found, log)
	}
	return l.follow(ctx, s, found, log)
}

func (s *slip) writeTo(dir string) error {
	text, _ := json.Marshal(s) // strings and a number always can be encoded
	return os.WriteFile(filepath.Join(dir, slipName), text, 0o600)
}

func (l *Library) readInto(ctx context.Context, s *shelf, found sources.Found, log *sources.Log) (err error) {
	defer recovered(&err, s.source, "reading a session")
	if found.FromCopy {
		return l.readCopy(ctx, s, found, log)
	}
	return s.source.Read(ctx, l.env, found.Theirs(), log)
}

// keeper writes what does not belong on a line.
func keeper(dir string) func([]byte) (string, error) {
	blobs := filepath.Join(dir, "blobs")
	return func(data []byte) (string, error) {
		sum := sha256.Sum256(data)
		sha := hex.EncodeToString(sum[:])
		path := filepath.Join(blobs, sha)
		if _, err := os.Stat(path); err == nil {
			return sha, nil
		}
		if err := os.MkdirAll(blobs, 0o700); err != nil {
			return "", err
		}
		return sha, os.WriteFile(path, data, 0o600)
	}
}

func (l *Library) dir(id string) string { return filepath.Dir(l.store.LogPath(id)) }

func (l *Library) slipOf(id string) (slip, error) {
	var s slip
	text, err := os.ReadFile(filepath.Join(l.dir(id), slipName))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err //nolint:wrapcheck // it only tells that there is none
}

// Kept tells of readings that are there already: the summary of a session as it is now.
func (l *Library) Kept() func(found *sources.Found) (session.Summary, bool) {
	ids, err := l.store.IDs()
	l.warnIf(err)
	read := map[string]bool{}
	for _, id := range ids {
		read[id[:kin]] = true
	}
	return func(found *sources.Found) (session.Summary, bool) {
		if !read[idOf(found, stamp{})[:kin]] {
			return session.Summary{}, false
		}
		return l.kept(found)
	}
}

func (l *Library) kept(found *sources.Found) (session.Summary, bool) {
	id, ok := l.hasKept(found)
	if !ok {
		return session.Summary{}, false
	}
	summary, err := l.store.Get(id)
	return summary, err == nil
}

// hasKept tells whether there is a reading of a session as it is now, and which.
func (l *Library) hasKept(found *sources.Found) (id string, ok bool) {
	now := l.stampOf(found)
	id = idOf(found, now)
	kept, err := l.slipOf(id)
	return id, err == nil && kept.Stamp == hex.EncodeToString(now[:])
}
