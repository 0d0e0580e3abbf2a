package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Metadata reads a session's metadata as it is on disk; what is missing or torn is empty.
func (s *Store) Metadata(id string) (Metadata, error) {
	dir, err := s.existing(id)
	if err != nil {
		return Metadata{}, err
	}
	m, _, err := readMetadata(dir)
	if err != nil {
		s.warnIf(fmt.Errorf("session %s: %w", id, err))
	}
	return m, nil
}

// Rename gives a session a name; an empty one clears it.
func (s *Store) Rename(ctx context.Context, id, name string) (Metadata, error) {
	if err := checkName(name); err != nil {
		return Metadata{}, err
	}
	return s.update(ctx, id, func(m *Metadata) { m.Name, m.NamedBy = flatten(name), NamedByUser })
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

// update changes metadata under the session's lock.
func (s *Store) update(ctx context.Context, id string, change func(*Metadata)) (Metadata, error) {
	release, err := s.hold(ctx, id)
	if err != nil {
		return Metadata{}, err
	}
	defer release()
	m, err := s.metadataLocked(id)
	if err != nil {
		return Metadata{}, err
	}
	change(&m)
	if err := writeMetadata(s.dir(id), m); err != nil {
		return Metadata{}, fmt.Errorf("session %s: %w (nothing was changed)", id, err)
	}
	return m, nil
}

// readForWriting reads metadata that is about to be replaced. What could not be read of it would be lost with that, so
// a torn file is kept beside the new one, and said.
func (s *Store) readForWriting(id string) (Metadata, error) {
	dir := s.dir(id)
	m, state, err := readMetadata(dir)
	if err != nil {
		return Metadata{}, fmt.Errorf("session %s: %w", id, err)
	}
	if state != MetadataTorn {
		return m, nil
	}
	torn, err := os.ReadFile(filepath.Join(dir, "metadata.json"))
	if err == nil {
		err = ReplaceFile(filepath.Join(dir, "metadata.json.torn"), torn)
	}
	if err != nil {
		return Metadata{}, fmt.Errorf("session %s: keeping its torn metadata: %w", id, err)
	}
	s.warnIf(fmt.Errorf("session %s: its metadata was torn and was rebuilt from the log, which can't tell %s; what was there is in metadata.json.torn", id, Lost))
	return m, nil
}

// metadataLocked reads metadata and brings it in line with the log.
func (s *Store) metadataLocked(id string) (Metadata, error) {
	m, err := s.readForWriting(id)
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
