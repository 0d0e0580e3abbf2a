package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Anew forgets what cheap reads of files told, and removes the readings of all sessions that are there: these are read again, as their files are now,
// though nothing tells that they changed. What only a reading has stays: of a session that is gone, or that lacks a part.
func (l *Library) Anew(ctx context.Context) error {
	l.env.Memory.ForgetAll()
	listing, err := l.List(ctx)
	if err != nil {
		return err
	}
	there := map[string]Ref{}
	for _, f := range listing.Found {
		if listing.Searched[f.Agent] && f.Problem == "" && f.Lacks == "" && !f.FromCopy {
			there[nameIn(idOf(f, stamp{}))] = Ref{f.Agent, f.ID}
		}
	}
	readings, err := os.ReadDir(filepath.Join(l.store.Home(), "sessions"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking for readings: %w", err)
	}
	for _, reading := range readings {
		if ref, is := there[nameIn(reading.Name())]; is {
			if err := l.remove(ctx, ref, reading.Name()); err != nil {
				return fmt.Errorf("session %s: %w", ref, err)
			}
		}
	}
	return nil
}

// nameIn is the part of a reading's id that is made of its session's name; empty if it is none.
func nameIn(id string) string {
	if len(id) < kin {
		return ""
	}
	return id[nameFrom:kin]
}

// remove removes one of a session's readings. A reading that is being made is waited for; one that a window has open may stay on Windows.
func (l *Library) remove(ctx context.Context, ref Ref, id string) error {
	release, err := l.locks.lock(ctx, ref)
	if err != nil {
		return err
	}
	defer release()
	l.growing.keep(grower{ref: ref})
	l.warnIf(os.RemoveAll(l.dir(id)))
	return nil
}
