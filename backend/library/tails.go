package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rogpeppe/go-internal/robustio"

	"palimpsest/backend/inode"
	"palimpsest/backend/keep"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// tailFrom is how large a session is for its tail to be kept: a smaller one is read anew as fast.
var tailFrom int64 = 2 << 20

const (
	// tailRecent is for how long nobody may have written to it: later it hardly goes on.
	tailRecent = 7 * 24 * time.Hour
	// tailsMost is how much all of them take.
	tailsMost = 512 << 20
	// tailForm is that of what is kept of one, beside the code that reads sessions.
	tailForm = "2"
)

// growsOn tells of a session whose tail is worth keeping.
func growsOn(found *sources.Found) bool {
	if found.Bytes < tailFrom || found.FromCopy || found.Shares() || len(found.Files) != 1 {
		return false
	}
	info, err := os.Stat(found.Files[0])
	return err == nil && since(info.ModTime()) < tailRecent
}

// KeepTail has other programs, and this one when it has let go of it, read on from a tail, with what the caller knows of the session: pointers,
// as package keep has them. What is kept takes a few percent of the session; it is written again when the session has grown by as much.
func (l *Library) KeepTail(ctx context.Context, found *sources.Found, t *Tail, knows ...any) error {
	if !growsOn(found) || t.keptBytes > 0 && t.reading.Place()-t.keptAt < t.keptBytes {
		return nil
	}
	ref, forgets := Ref{found.Agent, found.ID}, l.forgets.Now()
	path := l.tailPath(ref)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("keeping where session %s ends: %w", ref, err)
	}
	l.tailsSwept.Do(func() { l.warnIf(l.sweepTails(time.Now(), tailsMost)) })
	bytes, err := writeTail(path, append([]any{&keptTail{tail: t, file: numberOf(t)}}, knows...))
	if err != nil {
		return fmt.Errorf("keeping where session %s ends: %w", ref, err)
	}
	t.keptAt, t.keptBytes = t.reading.Place(), bytes
	if !l.forgets.Since(forgets, ref.String()) {
		return nil
	}
	if _, _, err := l.lookup(ctx, ref, true); errors.Is(err, session.ErrNotFound) {
		return os.Remove(path)
	}
	return nil
}

func writeTail(path string, values []any) (bytes int64, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp-*")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err == nil {
			err = robustio.Rename(file.Name(), path)
		}
		if err != nil {
			_ = os.Remove(file.Name()) // the error that matters is already on its way
		}
	}()
	if err := keep.Write(file, tailVersion(), values...); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func tailVersion() string { return tailForm + " " + sources.Code() }

func (l *Library) tailPath(ref Ref) string {
	sum := sha256.Sum256([]byte(ref.String()))
	return filepath.Join(l.tails, hex.EncodeToString(sum[:16]))
}

// RecallTail is the tail that was kept of a session, with what whoever kept it knew; nil if there is none that the session goes on from.
func (l *Library) RecallTail(ctx context.Context, found *sources.Found, knows ...any) (t *Tail) {
	defer func() {
		if recover() != nil { // the session is read anew, which says what is wrong with it
			t = nil
		}
	}()
	for _, s := range l.shelves {
		follower, ok := s.source.(sources.Follower)
		if !ok || s.source.Agent() != found.Agent || !growsOn(found) {
			continue
		}
		file, err := os.Open(l.tailPath(Ref{found.Agent, found.ID}))
		if err != nil {
			return nil
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return nil
		}
		kept := &keptTail{tail: &Tail{keptBytes: info.Size()}, resume: func(state *keep.State) (sources.Reading, error) {
			return follower.Resume(ctx, l.env, found.Theirs(), state)
		}}
		if keep.Read(file, tailVersion(), append([]any{kept}, knows...)...) != nil || !kept.isOf(found) {
			return nil
		}
		return kept.tail
	}
	return nil
}

func numberOf(t *Tail) string {
	number, _ := inode.At(t.path, t.is)
	return number
}

// keptTail is a tail as it is kept.
type keptTail struct {
	tail *Tail
	// file tells which one it was, where the system does.
	file   string
	resume func(*keep.State) (sources.Reading, error)
}

// Keep is as [keep.Keeper] has it.
func (k *keptTail) Keep(s *keep.State) {
	t := k.tail
	s.Values(&k.file, &t.path, &t.sum, &t.size, &t.at, &t.beside)
	if !s.Reads() {
		t.reading.Keep(s)
		return
	}
	reading, err := k.resume(s)
	if err != nil {
		s.Fail(err)
		return
	}
	t.reading, t.keptAt = reading, reading.Place()
}

// isOf tells whether the tail is of the file that the session stands in now. What stands in that is compared before it is read on.
func (k *keptTail) isOf(found *sources.Found) bool {
	t := k.tail
	is, known := fileAt(t.path)
	t.is = is
	t.sum.Turn()
	return known && t.path == found.Files[0] && numberOf(t) == k.file
}

// sweepTails removes those that were not written for long, and the oldest where all take too much.
func (l *Library) sweepTails(now time.Time, most int64) error {
	entries, err := os.ReadDir(l.tails)
	errs, all := []error{err}, []kept{}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			all = append(all, kept{filepath.Join(l.tails, entry.Name()), info.ModTime(), info.Size()})
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return b.used.Compare(a.used) })
	total := int64(0)
	for _, one := range all {
		if total += one.bytes; total > most || now.Sub(one.used) > unused {
			errs = append(errs, os.Remove(one.dir))
		}
	}
	return errors.Join(errs...)
}
