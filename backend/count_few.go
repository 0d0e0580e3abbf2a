package backend

import (
	"context"
	"os"
	"sync"
	"time"

	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

const (
	// fewBytes and few bound what a list reads to tell how much is in a session, and countFor for how long.
	fewBytes = 24 << 20
	few      = 1000
	countFor = 3 * time.Second
)

// recount forgets the numbers that the index has of sessions that have changed since it read them, and the model.
func (b *Backend) recount(rows []row, of []*sources.Found, told *remembrance) {
	for i := range rows {
		stamp, known := told.stamps[rows[i].ID]
		if !known || of[i].Problem != "" || sameStamp(b.indexing.stock.here(stamp), b.indexing.stock.stampTheirs(of[i])) {
			continue
		}
		rows[i].MessageCount, rows[i].Compactions, rows[i].Model = of[i].Messages, of[i].Compactions, of[i].Model
	}
}

// catchUpFew has what a search put off, such as the ends of compressed files and the middle of long ones, as far as that is as little as is read to count: a list that waits
// for numbers has the right times, too. It tells whether another search tells more.
func (b *Backend) catchUpFew(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, countFor)
	defer cancel()
	return b.library.CatchUpFew(ctx, fewBytes)
}

// countFew reads the sessions that a list can't tell the size of, if they are few and small: where there are more, the index comes to
// them. What fails stays unknown.
func (b *Backend) countFew(ctx context.Context, rows []row, of []*sources.Found) {
	var unknown []int
	bytes, seen := int64(0), map[string]bool{}
	for i := range rows {
		if rows[i].MessageCount != nil && rows[i].Compactions != nil || of[i].Problem != "" || len(of[i].Files) == 0 {
			continue
		}
		unknown = append(unknown, i)
		for _, path := range of[i].Files {
			if info, err := os.Stat(path); err == nil && !seen[path] {
				seen[path] = true
				bytes += info.Size()
			}
		}
	}
	if len(unknown) == 0 || len(unknown) > few || bytes > fewBytes {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, countFor)
	defer cancel()
	var wg sync.WaitGroup
	room := make(chan struct{}, 2)
	for _, i := range unknown {
		wg.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			_, _ = b.library.Read(ctx, library.Ref{Agent: of[i].Agent, ID: of[i].ID}) // its row says nothing then, as before
		})
	}
	wg.Wait()
	kept := b.library.Kept()
	for _, i := range unknown {
		if summary, ok := kept(of[i]); ok {
			rows[i].counted(summary)
		}
	}
}
