package library

import (
	"encoding/hex"
	"os"
	"time"

	"palimpsest/backend/sources"
)

// takeOver makes a reading of an earlier one whose session's files were moved or touched since, and have the same in them.
// [sources.ErrAnew] says that there is none.
func (l *Library) takeOver(r *Reading) error {
	began := time.Now()
	f := &r.Found
	content := l.Mark(f).Content
	for _, id := range l.kinOf(r.ID) {
		kept, err := l.slipOf(id)
		if err != nil || kept.Agent != r.Agent || kept.Session != r.Session || kept.Content != content || kept.Edge == 0 || !l.intact(id, &kept) {
			continue
		}
		if l.compare(r, l.edgeNow(f)); r.Edge != kept.Edge {
			continue
		}
		_, err = l.store.Grow(r.ID, id, asFound(f), f.CreatedAt, func(dir string, _ *os.File) error {
			r.Problem, r.Grew, r.Of, r.End, r.Log, r.Took = kept.Problem, id, kept.Made, kept.End, kept.Log, since(began).Milliseconds()
			r.Made = time.Now().UnixNano()
			return r.writeTo(dir)
		})
		if err == nil {
			return nil
		}
		r.slip = slip{Agent: r.Agent, Session: r.Session, Stamp: r.Stamp, Content: r.Content, Edge: r.Edge}
	}
	return sources.ErrAnew
}

// compare notes what is in the files that a reading is of, if they are still what they were when it was begun.
func (l *Library) compare(r *Reading, edge uint32) {
	r.Content, r.Edge = l.Mark(&r.Found).Content, 0
	if now := l.stampOf(&r.Found); hex.EncodeToString(now[:]) == r.Stamp {
		r.Edge = edge
	}
}

// edgeNow is [Library.Edge], 0 if that can't be told.
func (l *Library) edgeNow(f *sources.Found) uint32 {
	edge, _ := l.Edge(f)
	return edge
}
