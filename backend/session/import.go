package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/oklog/ulid/v2"
)

// Imported says what a session was copied from, and how its log was when it was.
type Imported struct {
	Agent string `json:"agent"`
	ID    string `json:"id"`
	Path  string `json:"path"`
	// Version is that of the agent, empty where its files don't tell.
	Version string `json:"version,omitempty"`
	// FirstMessage is what lists show of it as said first: no words of the agent's own, of which the log does not tell.
	FirstMessage string `json:"firstMessage,omitempty"`
	// LastMessageAt is when something was said last, as its list tells: that of a copy in which no message has a time.
	LastMessageAt time.Time `json:"lastMessageAt,omitzero"`
	// Bytes is the length of what was copied, and SHA256 its sum: a log that is something else was continued.
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Theirs is how much of the log was copied from elsewhere, by itself or by what it is a fork of.
func (m *Metadata) Theirs() int64 {
	if m.ImportedFrom == nil {
		return m.ForeignBytes
	}
	return m.ImportedFrom.Bytes
}

// first is what was said first: in a copy, by the list that has its original, else by the log.
func (m *Metadata) first(logged string) string {
	if m.ImportedFrom == nil {
		return logged
	}
	return cmp.Or(m.ImportedFrom.FirstMessage, logged)
}

// lastUntold is when something was said last where no message says so.
func (m *Metadata) lastUntold() time.Time {
	if m.ImportedFrom != nil && !m.ImportedFrom.LastMessageAt.IsZero() {
		return m.ImportedFrom.LastMessageAt
	}
	return m.CreatedAt
}

// Put makes a session of the id that the caller gives it, whose files fill writes into a directory that gets its name once it is whole.
// One that is there is not replaced.
func (s *Store) Put(id string, n New, createdAt time.Time, fill func(dir string) error) (Metadata, error) {
	if err := CheckID(id); err != nil {
		return Metadata{}, err
	}
	return s.put(id, n, createdAt, nil, fill)
}

func (s *Store) put(id string, n New, createdAt time.Time, from *Imported, fill func(dir string) error) (Metadata, error) {
	if err := n.check(); err != nil {
		return Metadata{}, err
	}
	m := Metadata{ImportedFrom: from}
	err := s.putAs(id, n, createdAt, &m, fill)
	return m, err
}

// putAs makes a session with metadata of which something may be known.
func (s *Store) putAs(id string, n New, createdAt time.Time, m *Metadata, fill func(dir string) error) error {
	m.Name, m.CreatedAt, m.Cwd, m.Source, m.CreatedBy = flatten(n.Name), createdAt.UTC(), n.Cwd, n.Source, n.CreatedBy
	if m.Model == "" {
		m.Model = n.Model
	}
	if err := s.makeDir(id, m, fill); err != nil {
		return fmt.Errorf("creating a session in %s (nothing was created): %w", s.sessions(), err)
	}
	return nil
}

// Copy makes a session from a log of elsewhere, whose blobs are in a directory. It is as old as the one it was copied from.
func (s *Store) Copy(n New, createdAt time.Time, from Imported, log io.ReaderAt, blobs string) (Metadata, error) {
	if at := createdAt.UnixMilli(); at <= 0 || at > int64(ulid.MaxTime()) || createdAt.After(s.now()) {
		createdAt = s.now()
	}
	id, err := s.ids.next(createdAt, "")
	if err != nil {
		return Metadata{}, err
	}
	sum := sha256.New()
	return s.put(id, n, createdAt, &from, func(dir string) error {
		err := copyLog(io.TeeReader(io.NewSectionReader(log, 0, from.Bytes), sum), blobs, dir)
		from.SHA256 = hex.EncodeToString(sum.Sum(nil))
		return err
	})
}

// Follow adds to a copy what its original has more, and returns what it then knows of it. It fails with [ErrInput] if the copy is not
// behind any more.
func (s *Store) Follow(ctx context.Context, id string, from Imported, original io.ReaderAt, blobs string) error {
	release, err := s.Lock(ctx, id)
	if err != nil {
		return err
	}
	defer release()
	if err := s.follow(id, from, original, blobs); err != nil {
		return fmt.Errorf("session %s: adding what is new: %w", id, err)
	}
	return nil
}

// follow writes blobs before the lines that name them, and metadata last: whatever ends it, the copy stays behind and can follow again.
func (s *Store) follow(id string, from Imported, original io.ReaderAt, blobs string) error {
	dir := s.dir(id)
	m, err := s.readForWriting(id)
	if err != nil {
		return err
	}
	log, err := openLog(dir)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // every byte was synced or reported before
	if standing, err := standingOf(log, m.ImportedFrom, original, from.Bytes); err != nil || standing != Behind {
		return errors.Join(err, fmt.Errorf("%w: the copy was continued meanwhile", ErrInput))
	}
	info, err := log.Stat()
	if err != nil {
		return err
	}
	ours, theirs, err := headers(log, info.Size(), original, from.Bytes)
	if err != nil {
		return err
	}
	has := info.Size() - ours + theirs
	rest := func() io.Reader { return io.NewSectionReader(original, has, from.Bytes-has) }
	if err := bringBlobs(rest(), blobs, dir); err != nil {
		return err
	}
	if _, err := io.Copy(log, rest()); err != nil {
		return fmt.Errorf("writing (what was there before is untouched): %w", err)
	}
	from.Bytes += ours - theirs
	return s.isCopy(dir, id, m, from, log)
}

// isCopy writes down that a log, as long as from says, is a copy as it is now.
func (s *Store) isCopy(dir, id string, m Metadata, from Imported, log *os.File) error {
	err := s.sync(log)
	if err != nil {
		return err
	}
	if from.SHA256, err = sumOf(log, from.Bytes); err != nil {
		return err
	}
	x, err := indexCounts(log, m)
	if err != nil {
		return err
	}
	m.ImportedFrom = &from
	m.follow(id, x)
	return writeMetadata(dir, m)
}

// bringBlobs brings along the blobs that lines name.
func bringBlobs(lines io.Reader, blobs, dir string) error {
	named := map[string]bool{}
	if err := eachLine(lines, func(line []byte) { nameBlobs(line, named) }); err != nil {
		return err
	}
	return takeBlobs(named, blobs, filepath.Join(dir, "blobs"))
}
