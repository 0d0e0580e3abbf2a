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

	"palimpsest/backend/edge"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

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
		err = l.takeOver(r)
	}
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
		r.slip, err = other, nil                             // another process was faster,
		l.growing.keep(grower{ref: Ref{r.Agent, r.Session}}) // and where this one's reading ends need not be where that one's does
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
	log := sources.LogOf(&r.Found, out, keeper(dir))
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
	l.compare(r, l.edgeNow(&r.Found))
	r.Made, r.End = time.Now().UnixNano(), tail.end()
	stands, err := r.seal(dir, edge.Sum{})
	if err == nil {
		err = r.writeTo(dir)
	}
	if err != nil {
		return err
	}
	l.growing.keep(grower{ref: Ref{r.Agent, r.Session}, id: r.ID, made: r.Made, tail: tail, stands: stands})
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
