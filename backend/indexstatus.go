package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/scan"
	"palimpsest/backend/session"
)

// IndexStatus is how far the index is.
type IndexStatus struct {
	// State is scanning, whoever does so, idle, paused, cancelled or off.
	State string `json:"state"`
	// Sessions are all that there are, Indexed those that are in the index as they are now, Waiting the others.
	Sessions   int          `json:"sessions"`
	Indexed    int          `json:"indexed"`
	Waiting    int          `json:"waiting"`
	BytesDone  int64        `json:"bytesDone"`
	BytesTotal int64        `json:"bytesTotal"`
	DiskBytes  int64        `json:"diskBytes"`
	Skipped    []Unsearched `json:"skipped"`
	Problem    *string      `json:"problem"`
	// Unwatched says that the system watches no more folders, so that changes show late, and what to do.
	Unwatched *string `json:"unwatched"`
}

// Unsearched are sessions that a search can't look at, or not at all of, for the same reason.
type Unsearched struct {
	Reason string   `json:"reason"`
	Count  int      `json:"count"`
	IDs    []string `json:"ids"`
}

// What keeps a search from a session beside [digest.SkipTooLarge] and the like.
const (
	skippedGone  = "gone"
	skippedMost  = 20
	stateOff     = "off"
	statePaused  = "paused"
	stateEnded   = "cancelled"
	stateIdle    = "idle"
	stateScan    = "scanning"
	indexPause   = "pause"
	indexResume  = "resume"
	indexCancel  = "cancel"
	indexRebuild = "rebuild"
)

// IndexStatus tells how far the index is.
func (b *Backend) IndexStatus(ctx context.Context) (IndexStatus, error) {
	out := IndexStatus{State: stateOff, Skipped: []Unsearched{}, Unwatched: known(b.whyUnwatched())}
	x, err := b.openIndex() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if errors.Is(err, errIndexOff) {
		return out, nil
	}
	if err != nil {
		out.Problem = known(err.Error())
		return out, nil
	}
	b.startIndexing()
	state := b.indexing.scanner.State()
	lacking, err := b.lacking(ctx, x)
	if err != nil {
		return out, err
	}
	size, err := x.Size(ctx)
	if err != nil {
		return out, fmt.Errorf("asking the index: %w", err)
	}
	twice, err := b.indexing.stock.second.disk(ctx)
	if err != nil {
		b.warn(err)
	}
	if state.Sessions == 0 || state.Elsewhere { // a scan that has just begun has not counted them either
		if state.Sessions, state.Waiting, err = b.waiting(ctx); err != nil {
			return out, err
		}
	}
	out.Sessions, out.Waiting, out.DiskBytes = state.Sessions, state.Waiting, size.Disk+twice
	out.Indexed = max(state.Sessions-state.Waiting, 0)
	out.BytesDone, out.BytesTotal, out.Problem = state.BytesDone, state.BytesTotal, known(state.Problem)
	out.Skipped = skippedOf(lacking)
	otherwise := state.Elsewhere && state.Waiting > 0 && b.indexing.stock.keptOtherwise(filepath.Join(b.indexing.dir, lockKeep))
	if otherwise && out.Problem == nil {
		out.Problem = known(errKeptOtherwise.Error())
	}
	switch {
	case state.Paused:
		out.State = statePaused
	case state.Cancelled:
		out.State = stateEnded
	case otherwise:
		out.State = stateIdle
	case state.Scanning || state.Waiting > 0 && (state.Elsewhere || b.indexing.stock.turn.taken()):
		out.State = stateScan
	default:
		out.State = stateIdle
	}
	return out, nil
}

// waiting counts the sessions that there are, and those that are not in the index as they are.
func (b *Backend) waiting(ctx context.Context) (sessions, waiting int, err error) {
	c := b.indexing.stock
	rows, err := c.Rows(ctx, nil)
	if err != nil {
		return 0, 0, fmt.Errorf("asking the index: %w", err)
	}
	listing, err := c.List(ctx, nil)
	for _, item := range listing.Items {
		if rows[item.ID].Stamp != item.Stamp {
			waiting++
		}
	}
	return len(listing.Items), waiting, err
}

// lacking are, among others, the sessions that a search can't look at all of. A program that stays is asked for them again and again; one that does
// one thing holds no more than these for that.
func (b *Backend) lacking(ctx context.Context, x *index.Index) (map[string]digested, error) {
	if b.resident {
		return b.digests(ctx)
	}
	defer leanly()()
	some := map[string]digested{}
	err := x.EachSession(ctx, func(row *index.Session) {
		d, err := digestOf(row)
		if one := (digested{d, row.ID, row.Updated, row.Gone}); err == nil && len(one.reasons()) > 0 {
			some[row.ID] = one
		}
	})
	if err != nil {
		return nil, fmt.Errorf("asking the index: %w", err)
	}
	return some, nil
}

// skippedOf groups what a search can't look at. Of a damaged or a large session it looks at the rest.
func skippedOf(all map[string]digested) []Unsearched {
	ids := map[string][]string{}
	for id, d := range all {
		for _, reason := range d.reasons() {
			ids[reason] = append(ids[reason], id)
		}
	}
	out := []Unsearched{}
	for _, reason := range []string{digest.SkipTooLarge, digest.SkipDamaged, digest.SkipUnreadable, skippedGone} {
		if n := len(ids[reason]); n > 0 {
			slices.SortFunc(ids[reason], func(a, b string) int { return all[b].Updated.Compare(all[a].Updated) })
			out = append(out, Unsearched{reason, n, ids[reason][:min(n, skippedMost)]})
		}
	}
	return out
}

// reasons say what a search can't see of a session.
func (d *digested) reasons() (reasons []string) {
	if d.Skip != "" {
		reasons = append(reasons, d.Skip)
	}
	if d.Damaged > 0 && d.Skip != digest.SkipDamaged {
		reasons = append(reasons, digest.SkipDamaged)
	}
	if d.Large > 0 && d.Skip != digest.SkipTooLarge {
		reasons = append(reasons, digest.SkipTooLarge)
	}
	if d.Gone {
		reasons = append(reasons, skippedGone)
	}
	return reasons
}

// ControlIndex pauses, resumes, cancels or rebuilds.
func (b *Backend) ControlIndex(ctx context.Context, action string) (IndexStatus, error) {
	if !slices.Contains([]string{indexPause, indexResume, indexCancel, indexRebuild}, action) {
		return IndexStatus{}, fmt.Errorf("%w: action is %q, not pause, resume, cancel or rebuild", session.ErrInput, action)
	}
	if _, err := b.openIndex(); err != nil { //nolint:contextcheck,nolintlint // it stays open, whoever asked first
		if errors.Is(err, errIndexOff) {
			return IndexStatus{}, fmt.Errorf("%w: %w", session.ErrInput, err)
		}
		return IndexStatus{}, err
	}
	b.startIndexing()
	s := b.indexing.scanner
	switch action {
	case indexPause:
		s.Pause()
	case indexResume:
		s.Resume()
	case indexCancel:
		s.Cancel()
	case indexRebuild:
		s.Rebuild()
	}
	return b.IndexStatus(ctx)
}

// Scan brings the index up to date, from the start if rebuild is set, and tells of its progress. What another program reads at the time it
// waits for.
func (b *Backend) Scan(ctx context.Context, rebuild bool, progress func(scan.State)) error {
	if _, err := b.openIndex(); err != nil { //nolint:contextcheck,nolintlint // it stays open, whoever asked first
		if errors.Is(err, errIndexOff) {
			return nil // there is nothing to bring up to date
		}
		return err
	}
	s := b.indexing.scanner
	if rebuild {
		s.Rebuild()
	}
	if progress != nil {
		b.indexing.progress.Store(&progress)
		defer b.indexing.progress.Store(nil)
	}
	err := s.Once(ctx)
	if err == nil {
		err = b.indexing.stock.checkSome(ctx)
	}
	if errors.Is(err, index.ErrRebuilt) {
		err = s.Once(ctx) // it is empty now
	}
	if err == nil {
		b.begunAnew() // whatever it was, it is full now
	}
	b.indexing.stock.forgetAll() // another may have read some of it
	return err
}
