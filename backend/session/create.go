package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"palimpsest/backend/record"
)

// New says what a session is created with.
type New struct {
	Name, Model, Cwd, Key, Source, CronJobID, Agent, CreatedBy string
	SystemPromptOverride                                       string
	ParentSessionID                                            string
	ForkedAtSeq                                                int64
	// ForeignBytes is how much of the log is another agent's.
	ForeignBytes int64
	// Permissions are another session's, as its metadata has them.
	Permissions json.RawMessage
	// Compaction are another session's own settings, as its metadata has them.
	Compaction json.RawMessage
	// First are the records that its log begins with.
	First []record.Draft
	// Before is told the id before the session is there, and may keep it from being made; nil for nobody.
	Before func(id string) error
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
	const promptMost = 64 << 10
	if prompt := n.SystemPromptOverride; len(prompt) > promptMost || !utf8.ValidString(prompt) {
		return fmt.Errorf("%w: a system prompt is UTF-8 text of at most %d KiB", ErrInput, promptMost>>10)
	}
	return errors.Join(checkKey("key", n.Key), checkKey("agent", n.Agent), checkKey("createdBy", n.CreatedBy))
}

// checkName takes any text that is not absurd; line breaks are flattened where it is stored.
func checkName(name string) error {
	const most = 1000
	if len(name) > most || !utf8.ValidString(name) {
		return fmt.Errorf("%w: a name is UTF-8 text of at most %d bytes", ErrInput, most)
	}
	return nil
}

// checkKey takes any word that programs may know a session by.
func checkKey(name, text string) error {
	const most = 256
	if len(text) > most || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("%w: %s is text of at most %d bytes without control characters", ErrInput, name, most)
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
	if len(addressesOf(n.Key, n.Agent, n.CreatedBy)) == 0 {
		return s.make(n, "", fill)
	}
	release, err := s.lockAddresses(context.Background())
	if err != nil {
		return Metadata{}, err
	}
	defer release()
	return s.createAddressed(n, "", fill)
}

// make makes a session that comes after another one, whatever the clock says, or after none.
func (s *Store) make(n New, after string, fill func(dir string) error) (Metadata, error) {
	now := s.now()
	id, err := s.ids.next(now, after)
	if err != nil {
		return Metadata{}, err
	}
	m := Metadata{
		Name: flatten(n.Name), CreatedAt: now.UTC(), Model: n.Model, Cwd: n.Cwd, Key: n.Key,
		Source: n.Source, CronJobID: n.CronJobID, Agent: n.Agent, CreatedBy: n.CreatedBy, Permissions: n.Permissions, Compaction: n.Compaction,
		ParentSessionID: n.ParentSessionID, ForkedAtSeq: n.ForkedAtSeq, ForeignBytes: n.ForeignBytes, SystemPromptOverride: n.SystemPromptOverride,
	}
	if n.Before != nil {
		if err := n.Before(id); err != nil {
			return Metadata{}, err
		}
	}
	if fill == nil {
		fill = n.begin
	}
	if err := s.makeDir(id, &m, fill); err != nil {
		return Metadata{}, fmt.Errorf("creating a session in %s (nothing was created): %w", s.sessions(), err)
	}
	return m, nil
}

// begin writes the log of a session that takes over none.
func (n New) begin(dir string) error {
	lines, err := linesOf(n.First, tail{})
	if err != nil {
		return err
	}
	return writeSynced(filepath.Join(dir, "session.jsonl"), bytes.Join(lines, nil))
}

func (s *Store) makeDir(id string, m *Metadata, fill func(dir string) error) (err error) {
	if err := os.MkdirAll(s.sessions(), 0o700); err != nil {
		return err
	}
	s.sweep()
	temp, err := os.MkdirTemp(s.sessions(), ".new-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(temp) // the error that matters is already on its way
		}
	}()
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
	return SyncDir(s.sessions())
}

// abandoned is how old a session in the making has to be to be one whose maker was killed.
const abandoned = 24 * time.Hour

// sweep removes sessions in the making that will never be made.
func (s *Store) sweep() {
	left, err := fs.Glob(os.DirFS(s.sessions()), ".new-*")
	s.warnIf(err)
	for _, name := range left {
		path := filepath.Join(s.sessions(), name)
		if info, err := os.Stat(path); err == nil && s.now().Sub(info.ModTime()) > abandoned {
			s.warnIf(os.RemoveAll(path))
		}
	}
}

// Import makes a session from a log that exists, such as the sample.
func (s *Store) Import(n New, log []byte) (Metadata, error) {
	return s.create(n, func(dir string) error { return writeSynced(filepath.Join(dir, "session.jsonl"), log) })
}
