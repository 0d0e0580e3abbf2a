package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"palimpsest/backend/sources"
)

// Opening is a session of which only an excerpt can be told at once.
type Opening struct {
	*Excerpt
	Progress
	// Problem is why the reading of all of it failed, nil if it did not.
	Problem error
}

// Progress is how far the reading of a session is.
type Progress struct{ Done, Of int64 }

// News is what becomes of a reading that is made in the background.
type News struct {
	Ref
	Progress
	// Ended tells that there is a reading now, or that there will be none.
	Ended bool
}

const (
	// openFrom is the size from which on a session is shown before all of it was read.
	openFrom = 4 << 20
	// progressEvery is how often it is told how far a reading is.
	progressEvery = 500 * time.Millisecond
	// settled is how long a reading does at least that somebody waited for: what is appended all the time must not put it off for ever.
	settled = time.Second
)

// Open returns the newest part of a session that takes long to read, and has all of it read in the background. It is nil if the session
// need not be waited for, or can only be read whole: then [Library.Read] is to be asked.
func (l *Library) Open(ctx context.Context, ref Ref) (*Opening, error) {
	ctx, done := l.during(ctx)
	defer done()
	found, s, err := l.glimpse(ctx, ref)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	//nolint:contextcheck // what is read in the background outlives who asked
	if l.told == nil || !inPart(&found) || l.isRead(&found) || l.growing.has(ref) {
		return nil, nil //nolint:nilnil // it says so
	}
	o, mine := l.openings.join(ref, stateOf(found.Files[0]))
	if mine {
		end, ok := l.begin()
		if !ok {
			return nil, errClosed
		}
		go func() { //nolint:gosec,contextcheck // it goes on when who asked first has gone
			defer end()
			l.opened(s, found, o)
		}()
	}
	select {
	case <-o.ready:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return l.openings.tell(ref, o), nil
}

// glimpse is lookup without a search, if the session is known.
func (l *Library) glimpse(ctx context.Context, ref Ref) (sources.Found, *shelf, error) {
	for _, s := range l.shelves {
		if s.source.Agent() != ref.Agent {
			continue
		}
		if found, known := s.all()[ref.ID]; known {
			return *found, s, nil
		}
	}
	return l.lookup(ctx, ref, false)
}

// inPart tells whether a session is so large that its newest part comes first, and in a file that can be read in parts.
func inPart(f *sources.Found) bool {
	if f.FromCopy || f.Within != "" || f.Problem != "" || len(f.Files) == 0 || filepath.Ext(f.Files[0]) != ".jsonl" {
		return false
	}
	info, err := os.Stat(f.Files[0])
	return err == nil && info.Size() > openFrom
}

// isRead tells whether there is a reading that does. Of one that does for a while another one is made then.
func (l *Library) isRead(f *sources.Found) bool {
	if _, ok := l.hasKept(f); ok {
		return true
	}
	_, ok := l.recent(f)
	return ok
}

// opened makes an excerpt and, if nobody does, has all of the session read.
func (l *Library) opened(s *shelf, found sources.Found, o *excerpting) {
	excerpt, err := l.excerptOf(l.ctx, s, found, bothEnds)
	ref := Ref{found.Agent, found.ID}
	if first := l.openings.made(ref, o, excerpt, err); first {
		l.readWhole(ref)
	}
}

// readWhole reads a session in the background; its caller has noted that it does. What was added meanwhile may be shown by now, and would
// vanish: so it is read once more then, and no more often, since its agent may never rest.
func (l *Library) readWhole(ref Ref) {
	ctx, cancel := l.stoppable(ref)
	defer cancel(nil)
	stop := l.tellProgress(ref)
	var reading Reading
	var err error
	for range 2 {
		err = l.Use(ctx, ref, func(r Reading) error { reading = r; return nil })
		if err != nil || reading.ID == l.idNow(ref) {
			break
		}
		l.locks.expire(ref)
	}
	stop()
	if err == nil {
		l.remember(ref, reading, settled)
	}
	if errors.Is(err, errLeft) {
		l.openings.end(ref, nil) // who comes back begins anew
	} else {
		l.openings.end(ref, err)
	}
	if !errors.Is(err, errClosed) && l.ctx.Err() == nil {
		l.told(News{Ref: ref, Ended: true})
	}
}

// idNow is that of a reading of a session as it is now.
func (l *Library) idNow(ref Ref) string {
	found, _, err := l.glimpse(l.ctx, ref)
	if err != nil {
		return ""
	}
	return idOf(&found, l.stampOf(&found))
}

func (l *Library) tellProgress(ref Ref) (stop func()) {
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		before := Progress{}
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			if now := l.openings.progress(ref); now != before && now.Of > 0 {
				l.told(News{Ref: ref, Progress: now})
				before = now
			}
		}
	}()
	return func() { close(ended); <-stopped }
}

// Settled returns when no session is being read because somebody waits for it, or ctx ends.
func (l *Library) Settled(ctx context.Context) error {
	select {
	case <-l.openings.quiet():
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
