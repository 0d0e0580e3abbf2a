package library

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
	// Content and Edge say what is in its files, so that they are known again when they were moved or touched; Edge is 0 where that was
	// not compared.
	Content string `json:"content,omitempty"`
	Edge    uint32 `json:"edge,omitempty"`
	// Problem is why the source did not read to the end, empty if it did.
	Problem string `json:"problem,omitempty"`
	// Took is how long it took, in milliseconds.
	Took int64 `json:"took"`
	// Made is when it was made, in nanoseconds: a reading that was cleared and is made again has the same ID, and need not have the same end.
	Made int64 `json:"made,omitempty"`
	// Grew is the ID of the reading with whose log and blobs it begins, if it was made of that and of what was appended since.
	Grew string `json:"grew,omitempty"`
	// Begun is that of the reading with which it begins as far as that stands, if it was made of that and has another end.
	Begun string `json:"begun,omitempty"`
	// Of is when that one was made.
	Of int64 `json:"of,omitempty"`
	// End is how many bytes at the end of its log may be taken back when it is read on from.
	End int64 `json:"end,omitempty"`
	// Log says what is in its log.
	Log sealed `json:"log"`
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
	// The second is on Windows, and the third where macOS guards a folder.
	for _, denied := range []string{fs.ErrPermission.Error(), "Access is denied", "operation not permitted"} {
		if where, is := strings.CutSuffix(problem, denied); is {
			return fmt.Errorf("session %s: %w: %s%w", ref, ErrUnreadable, where, fs.ErrPermission)
		}
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

// Use does something with the reading of a session as it is now, which stays for as long as that takes. Of one that takes long to read the
// reading may be a little older.
func (l *Library) Use(ctx context.Context, ref Ref, do func(Reading) error) error {
	return l.useAs(ctx, ref, false, do)
}

// UseNow is Use for who needs all that is there by now, however long that takes.
func (l *Library) UseNow(ctx context.Context, ref Ref, do func(Reading) error) error {
	return l.useAs(ctx, ref, true, do)
}

func (l *Library) useAs(ctx context.Context, ref Ref, anew bool, do func(Reading) error) error {
	ctx, done := l.during(ctx)
	defer done()
	release, err := l.locks.lock(ctx, ref)
	if err != nil {
		return fmt.Errorf("session %s: %w", ref, err)
	}
	defer release()
	if anew {
		l.locks.expire(ref)
	}
	r, err := l.read(ctx, ref, anew)
	if err != nil {
		return err
	}
	return do(r)
}

func (l *Library) read(ctx context.Context, ref Ref, anew bool) (Reading, error) {
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
	if err == nil && kept.Stamp == hex.EncodeToString(now[:]) && l.intact(r.ID, &kept) && l.holds(&found, r.ID, &kept) {
		l.use(r.ID)
		r.slip = kept
		return r, nil
	}
	if err == nil { // another session's, of what it was, or damaged
		if err := os.RemoveAll(l.dir(r.ID)); err != nil {
			return r, fmt.Errorf("session %s: clearing its reading: %w", ref, err)
		}
	}
	if found.Problem != "" {
		return r, unreadable(&found)
	}
	r.slip = slip{Agent: found.Agent, Session: found.ID, Stamp: hex.EncodeToString(now[:])}
	since := l.forgets.Now()
	if err = l.make(ctx, s, &r); err == nil {
		err = l.stays(ctx, &r, since)
	}
	if err != nil {
		return r, fmt.Errorf("session %s: %w", ref, err)
	}
	l.remember(ref, r, 0)
	l.sure.note(ref, r.ID)
	l.sound.note(r.ID, &r.slip)
	l.forget(r.ID)
	l.sweep()
	return r, nil
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
