package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/scan"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// What the index notes of a session's files: their state, their content as far as that can be told without reading them, and when they were
// touched. Earlier versions noted the state alone.
const noteEnd = "~"

// mark is a stamp of what a session is like, and of how its digest is made: in another time zone its days are others.
func (c *stock) mark(text string) string {
	return fmt.Sprintf("%d.%s.%s", digest.Version, c.b.zone.name(c.b.now().Location()), text)
}

func (c *stock) stampOf(s *session.Summary) (stamp string, bytes int64, ok bool) {
	now, there, err := imprintOf(filepath.Dir(s.Path))
	if err != nil || !there {
		return "", 0, false
	}
	return strings.Join([]string{c.mark(now.String()), "", now.touched()}, noteEnd), now.log.Size(), true
}

func (c *stock) stampTheirs(f *sources.Found) string {
	m := c.b.library.Mark(f)
	if m.Content == "" {
		return c.mark(m.State)
	}
	return strings.Join([]string{c.mark(m.State), c.mark(m.Content), m.Touched}, noteEnd)
}

// isCurrent tells whether the index has a session as it is now. What is gone is as it was.
func (c *stock) isCurrent(ctx context.Context, id string) (bool, error) {
	row, _, err := c.index.Session(ctx, id)
	if err != nil {
		return false, fmt.Errorf("asking the index: %w", err)
	}
	now, there := c.stampNow(ctx, id)
	return !there || sameStamp(c.here(row.Stamp), now) || outlives(&row, now), nil
}

// stampNow is that of a session as it is now; not there if it can't be found.
func (c *stock) stampNow(ctx context.Context, id string) (stamp string, there bool) {
	if !library.IsRef(id) {
		summary, err := c.b.store.Get(id)
		if err != nil {
			return "", false
		}
		stamp, _, there = c.stampOf(&summary)
		return stamp, there
	}
	ref, err := library.ParseRef(id)
	if err != nil || c.b.library == nil {
		return "", false
	}
	found, err := c.b.library.Lookup(ctx, ref)
	if err != nil {
		return "", false
	}
	return c.stampTheirs(&found), true
}

// sameStamp tells whether a session is what it was, as far as what was noted tells.
func sameStamp(was, now string) bool {
	state, _, _ := strings.Cut(now, noteEnd)
	return was == now || was == state
}

// mayBeSame tells whether a session may be what it was, though its files were moved or touched.
func mayBeSame(was, now string) bool {
	before, after := strings.Split(was, noteEnd), strings.Split(now, noteEnd)
	const all = 3
	return len(before) == all && len(after) == all && before[1] != "" && before[1] == after[1]
}

// lastChange is when something happened in a session, by the time of its file if that is newer than what was found.
func lastChange(f *sources.Found) time.Time {
	last := lastOf(f)
	if len(f.Files) > 0 && !f.Shares() {
		if info, err := os.Stat(f.Files[len(f.Files)-1]); err == nil && info.ModTime().After(last) {
			return info.ModTime()
		}
	}
	return last
}

// stands notes that a session is what it was, if its files say so: it need not be read again then.
func (c *stock) stands(ctx context.Context, row index.Session, item scan.Item) (bool, error) {
	sure := sameStamp(row.Stamp, item.Stamp)
	if row.Gone || !sure && !mayBeSame(row.Stamp, item.Stamp) {
		return false, nil
	}
	d, err := digest.Decode(row.Digest)
	if err != nil || d.Skip != "" || d.Zone != c.b.zone.name(c.b.now().Location()) {
		return false, nil //nolint:nilerr // it is made anew
	}
	edge := c.edgeNow(item, 0)
	if !sure && (edge == 0 || edge != d.Edge) {
		return false, nil
	}
	d.Edge, d.About = edge, c.about(item.ID)
	row.Stamp, row.Updated, row.Digest = item.Stamp, item.Updated, d.Encode()
	err = c.index.Touch(ctx, row)
	if errors.Is(err, index.ErrChanged) {
		return false, nil
	}
	if err != nil {
		return false, faulty(err)
	}
	c.changes(row.ID)
	return true, nil
}

// edgeNow is a checksum of the files of another agent's session; 0 where these are small, or not what they were when it was looked at. It may
// be known, which else is 0.
func (c *stock) edgeNow(item scan.Item, known uint32) uint32 {
	if !library.IsRef(item.ID) {
		return 0
	}
	c.mu.Lock()
	found := c.theirs[item.ID].found
	c.mu.Unlock()
	if found == nil {
		return 0
	}
	edge, err := known, error(nil)
	if edge == 0 {
		edge, err = c.b.library.Edge(found)
	}
	if err != nil || c.stampTheirs(found) != item.Stamp {
		return 0
	}
	return edge
}
