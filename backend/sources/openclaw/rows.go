package openclaw

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/keep"
	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sqlite"
)

// rewrites is the table in which OpenClaw gives a session another name with each change of events that are there. It does nothing else with
// those than add some behind them, which changes no name.
const rewrites = "transcript_rewrite_watermarks"

// inRows is a reading of the rows of a session that can go on.
type inRows struct {
	*reader
	source Source
	env    sources.Env
	// seqs are those of the events that were read, last is the sum of the last one, and generation the name that the session had then.
	seqs       many.List[int64]
	last       [sha256.Size]byte
	generation string
	seq        int64
	past       *sources.Past
	again      []byte
}

// followRows is Follow of what stands in a database.
func (s Source) followRows(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if found.Problem != "" || strings.HasPrefix(rowOf(&found), archiveRow) {
		return nil, s.Read(ctx, env, found, log)
	}
	f := &inRows{reader: newReader(s.Agent(), rowOf(&found), nil), source: s, env: env}
	err := f.within(ctx, &found, log)
	if errors.Is(err, sources.ErrAnew) { // nothing was written yet
		return nil, s.Read(ctx, env, found, log)
	}
	if err != nil || log.Damaged() > 0 {
		return nil, err
	}
	return f, nil
}

// within reads what is new in the database as it is now.
func (f *inRows) within(ctx context.Context, found *sources.Found, log *sources.Log) error {
	db, release, err := f.source.Databases.Open(ctx, f.env.Temp, found.Files[0])
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	more, err := f.lay(ctx, db)
	if err != nil {
		return err
	}
	if err := f.on(ctx, more, log); err != nil {
		return fmt.Errorf("reading %s: %w", found.Files[0], db.Why(err))
	}
	return log.Err()
}

// lay finds the events that are new. It fails with [sources.ErrAnew] where those that were read may not be what they were, or it is not known.
func (f *inRows) lay(ctx context.Context, db sqlite.Database) (more events, err error) {
	generation, err := generationOf(ctx, db.DB, f.id)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || generation == "" || db.Cut != nil || f.seqs.Len() > 0 && generation != f.generation {
		return nil, sources.ErrAnew
	}
	f.generation = generation
	after := int64(math.MinInt64)
	if n := f.seqs.Len(); n > 0 {
		after = f.seqs.At(n - 1)
		var stand int
		err := db.QueryRowContext(ctx, "SELECT count(*) FROM transcript_events WHERE session_id = ? AND seq <= ?", f.id, after).Scan(&stand)
		if last, lastErr := f.sumOfLast(ctx, db.DB); err != nil || lastErr != nil || stand != n || last != f.last {
			return nil, errors.Join(sources.ErrAnew, ctx.Err())
		}
	}
	var seqs many.List[int64]
	add := func(seq int64) {
		seqs.Add(seq)
		f.seqs.Add(seq)
	}
	err = each(ctx, db.DB, add, "SELECT seq FROM transcript_events WHERE session_id = ? AND seq > ? ORDER BY seq", f.id, after)
	if err != nil || f.seqs.Len() == 0 {
		return nil, errors.Join(sources.ErrAnew, ctx.Err())
	}
	if f.from, err = rows(ctx, db.DB, f.id, &f.seqs, eventMost); err == nil {
		f.last, err = f.sumOfLast(ctx, db.DB)
	}
	if err != nil {
		return nil, err
	}
	return rows(ctx, db.DB, f.id, &seqs, eventMost)
}

// sumOfLast is that of the last event as it is now: one that somebody else put in its place without a mark is another one.
func (f *inRows) sumOfLast(ctx context.Context, db *sql.DB) (sum [sha256.Size]byte, err error) {
	var last many.List[int64]
	last.Add(f.seqs.At(f.seqs.Len() - 1))
	one, err := rows(ctx, db, f.id, &last, eventMost)
	if err != nil {
		return sum, err
	}
	err = one(ctx, func(line sources.Line) { sum = sha256.Sum256(line.Text) }, func(rec gjson.Result) error {
		sum = sha256.Sum256([]byte(rec.Raw))
		return nil
	})
	return sum, err
}

// generationOf is the name of what a session has for events; empty if it has none.
func generationOf(ctx context.Context, db *sql.DB, session string) (generation string, err error) {
	has, err := sqlite.Columns(ctx, db, rewrites)
	if err != nil || !slices.Contains(has, "generation") || !slices.Contains(has, "session_id") {
		return "", err
	}
	all, err := list[sqlite.Text](ctx, db, "SELECT generation FROM "+rewrites+" WHERE session_id = ?", session)
	if err != nil || len(all) != 1 {
		return "", err
	}
	return string(all[0]), nil
}

// on reads events, and what is so as long as the session ends there.
func (f *inRows) on(ctx context.Context, more events, log *sources.Log) error {
	log.GoOn(f.past)
	if err := f.entries(ctx, log, more); err != nil {
		return err
	}
	f.seq, f.past = log.Next()-1, log.Past()
	f.again = log.Lines(func() { f.end(log) })
	f.from = nil
	return nil
}

// More is as [sources.Reading] has it, and so are the others.
func (f *inRows) More(ctx context.Context, found sources.Found, log *sources.Log) error {
	err := f.within(ctx, &found, log)
	if err == nil && log.Damaged() > 0 {
		return sources.ErrAnew
	}
	return err
}

// Place is none: it is not a file that is read on.
func (f *inRows) Place() int64 { return 0 }

// Seq is that of the last record that stands.
func (f *inRows) Seq() int64 { return f.seq }

// Again is what was written behind it.
func (f *inRows) Again() []byte { return f.again }

// Keep fails: see [Source.Resume].
func (f *inRows) Keep(s *keep.State) { s.Fail(errors.New("a reading of rows is not kept")) }
