package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"palimpsest/backend/record"
)

// Options of [Open].
type Options struct {
	// Durability of appends; DurabilityTurn if empty.
	Durability Durability
	// Wait is how long a writer waits for another one; 10 s if 0, not at all if negative.
	Wait time.Duration
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// Warn is told of what went wrong without being a failure; may be nil.
	Warn func(error)
}

// DefaultWait is how long a writer waits for another one.
const DefaultWait = 10 * time.Second

// Store is the sessions below one home directory.
type Store struct {
	home   string
	full   atomic.Bool // DurabilityFull, else DurabilityTurn
	wait   time.Duration
	now    func() time.Time
	warn   func(error)
	ids    *idSource
	queues queues
	fsync  func(*os.File) error
}

// Open returns the store below home. Nothing is created until something is to be written.
func Open(home string, opts Options) *Store {
	s := &Store{
		home: home, wait: opts.Wait, now: opts.Now, warn: opts.Warn,
		ids: newIDSource(), fsync: (*os.File).Sync,
	}
	s.SetDurability(opts.Durability)
	if s.wait == 0 {
		s.wait = DefaultWait
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// SetDurability changes when appends sync, from the next record on.
func (s *Store) SetDurability(d Durability) { s.full.Store(d == DurabilityFull) }

// Home is the directory that holds sessions and trash.
func (s *Store) Home() string { return s.home }

func (s *Store) warnIf(err error) {
	if err != nil && s.warn != nil {
		s.warn(err)
	}
}

func (s *Store) sessions() string         { return filepath.Join(s.home, "sessions") }
func (s *Store) trash() string            { return filepath.Join(s.home, "trash") }
func (s *Store) dir(id string) string     { return filepath.Join(s.sessions(), id) }
func (s *Store) trashed(id string) string { return filepath.Join(s.trash(), id) }

// LogPath is where a session's log is.
func (s *Store) LogPath(id string) string { return filepath.Join(s.dir(id), "session.jsonl") }

// existing returns the directory of a session that is there.
func (s *Store) existing(id string) (string, error) {
	if err := CheckID(id); err != nil {
		return "", err
	}
	dir := s.dir(id)
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return "", fmt.Errorf("session %s: %w in %s", id, ErrNotFound, s.sessions())
	}
	if err != nil {
		return "", fmt.Errorf("session %s: %w", id, err)
	}
	return dir, nil
}

// New says what a session is created with.
type New struct {
	Name, Model, Cwd, Key, Source, CronJobID, CreatedBy string
	ParentSessionID                                     string
	ForkedAtSeq                                         int64
}

func (n New) check() error {
	switch n.Source {
	case "", SourceInteractive:
		if n.CronJobID != "" {
			return fmt.Errorf("%w: a cron job id needs source cron", ErrInput)
		}
	case SourceCron:
	default:
		return fmt.Errorf("%w: source is %q, not interactive or cron", ErrInput, n.Source)
	}
	if err := checkName(n.Name); err != nil {
		return err
	}
	return checkKey(n.Key)
}

// checkName takes any text that is not absurd; line breaks are flattened where it is stored.
func checkName(name string) error {
	const most = 1000
	if len(name) > most || !utf8.ValidString(name) {
		return fmt.Errorf("%w: a name is UTF-8 text of at most %d bytes", ErrInput, most)
	}
	return nil
}

func checkKey(key string) error {
	const most = 256
	if len(key) > most || !utf8.ValidString(key) || strings.ContainsFunc(key, unicode.IsControl) {
		return fmt.Errorf("%w: a key is text of at most %d bytes without control characters", ErrInput, most)
	}
	return nil
}

// flatten makes a name one line.
func flatten(name string) string { return strings.Join(strings.Fields(name), " ") }

// Create makes a session: directory, empty log and metadata, at once or not at all.
func (s *Store) Create(n New) (Metadata, error) { return s.create(n, nil) }

// create makes a session whose log fill writes, in a directory that gets its name once it is whole.
func (s *Store) create(n New, fill func(dir string) error) (Metadata, error) {
	if err := n.check(); err != nil {
		return Metadata{}, err
	}
	now := s.now()
	id, err := s.ids.next(now)
	if err != nil {
		return Metadata{}, err
	}
	m := Metadata{
		Name: flatten(n.Name), CreatedAt: now.UTC(), Model: n.Model, Cwd: n.Cwd, Key: n.Key,
		Source: n.Source, CronJobID: n.CronJobID, CreatedBy: n.CreatedBy,
		ParentSessionID: n.ParentSessionID, ForkedAtSeq: n.ForkedAtSeq,
	}
	if err := s.makeDir(id, &m, fill); err != nil {
		return Metadata{}, fmt.Errorf("creating a session in %s (nothing was created): %w", s.sessions(), err)
	}
	return m, nil
}

func (s *Store) makeDir(id string, m *Metadata, fill func(dir string) error) (err error) {
	if err := os.MkdirAll(s.sessions(), 0o700); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(s.sessions(), ".new-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(temp) // the error that matters is already on its way
		}
	}()
	if fill == nil {
		fill = func(dir string) error { return writeSynced(filepath.Join(dir, "session.jsonl"), nil) }
	}
	if err = fill(temp); err != nil {
		return err
	}
	log, err := os.Open(filepath.Join(temp, "session.jsonl"))
	if err != nil {
		return err
	}
	x, err := indexCounts(log, *m)
	_ = log.Close() // opened for reading
	if err != nil {
		return err
	}
	m.follow(id, x)
	if err = writeMetadata(temp, *m); err != nil {
		return err
	}
	if err = os.Rename(temp, s.dir(id)); err != nil {
		return err
	}
	return syncDir(s.sessions())
}

// Import makes a session from a log that exists, such as the sample.
func (s *Store) Import(n New, log []byte) (Metadata, error) {
	return s.create(n, func(dir string) error { return writeSynced(filepath.Join(dir, "session.jsonl"), log) })
}

// update changes metadata under the session's lock.
func (s *Store) update(ctx context.Context, id string, change func(*Metadata)) (Metadata, error) {
	release, err := s.Lock(ctx, id)
	if err != nil {
		return Metadata{}, err
	}
	defer release()
	m, err := s.metadataLocked(id)
	if err != nil {
		return Metadata{}, err
	}
	change(&m)
	return m, writeMetadata(s.dir(id), m)
}

// metadataLocked reads metadata and brings it in line with the log.
func (s *Store) metadataLocked(id string) (Metadata, error) {
	m, _, err := readMetadata(s.dir(id))
	if err != nil {
		return Metadata{}, err
	}
	file, err := s.OpenLog(id)
	if err != nil {
		return Metadata{}, err
	}
	defer func() { _ = file.Close() }() // opened for reading
	x, err := indexCounts(file, m)
	if err != nil {
		return Metadata{}, err
	}
	m.follow(id, x)
	return m, nil
}

// OpenLog opens a session's log for reading.
func (s *Store) OpenLog(id string) (*os.File, error) {
	if _, err := s.existing(id); err != nil {
		return nil, err
	}
	file, err := os.Open(s.LogPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("session %s has no log: %w", id, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("session %s: opening its log: %w", id, err)
	}
	return file, nil
}

// Rename gives a session a name; an empty one clears it.
func (s *Store) Rename(ctx context.Context, id, name string) (Metadata, error) {
	if err := checkName(name); err != nil {
		return Metadata{}, err
	}
	return s.update(ctx, id, func(m *Metadata) { m.Name = flatten(name) })
}

// Archive takes a session out of the list, or puts it back.
func (s *Store) Archive(ctx context.Context, id string, archived bool) (Metadata, error) {
	return s.update(ctx, id, func(m *Metadata) {
		switch {
		case !archived:
			m.ArchivedAt = nil
		case m.ArchivedAt == nil:
			now := s.now().UTC()
			m.ArchivedAt = &now
		}
	})
}

// Draft checks a record for [Store.Append], with the store's clock for a timestamp left out.
func (s *Store) Draft(object []byte) (record.Draft, error) {
	d, err := record.NewDraft(object, s.now())
	if err != nil {
		return d, fmt.Errorf("%w: %w", ErrInput, err)
	}
	return d, nil
}

// Metadata reads a session's metadata as it is on disk; what is missing or torn is empty.
func (s *Store) Metadata(id string) (Metadata, error) {
	dir, err := s.existing(id)
	if err != nil {
		return Metadata{}, err
	}
	m, _, err := readMetadata(dir)
	if err != nil {
		return Metadata{}, fmt.Errorf("session %s: %w", id, err)
	}
	return m, nil
}
