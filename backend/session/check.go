package session

import (
	"context"
	"fmt"
)

// Report is what a check of one session finds.
type Report struct {
	ID       string        `json:"id"`
	Records  int           `json:"records"`
	Newer    int           `json:"newer"`
	Damage   []Damage      `json:"damage"`
	Metadata MetadataState `json:"metadata"`
}

// Sound is false if there is damage other than what a crash left.
func (r Report) Sound() bool {
	for _, d := range r.Damage {
		if d.Kind != DamageTorn {
			return false
		}
	}
	return true
}

// Check reads a session's whole log and its metadata, and writes nothing.
func (s *Store) Check(id string) (Report, error) {
	log, err := s.OpenLog(id)
	if err != nil {
		return Report{}, err
	}
	defer func() { _ = log.Close() }() // opened for reading
	info, err := log.Stat()
	if err != nil {
		return Report{}, fmt.Errorf("session %s: %w", id, err)
	}
	m, state, err := readMetadata(s.dir(id))
	if err != nil {
		s.warnIf(fmt.Errorf("session %s: %w", id, err))
	}
	var x Index
	if err := x.Extend(log, lengthOf(s.dir(id), &m, info.Size())); err != nil {
		return Report{}, fmt.Errorf("session %s: %w", id, err)
	}
	if state == MetadataOK && !m.agrees(id, &x) {
		state = MetadataStale
	}
	damage := make([]Damage, len(x.Damage))
	for i, d := range x.Damage {
		damage[i] = d.Lost(m.Theirs())
	}
	return Report{ID: id, Records: x.Records, Newer: x.Newer, Damage: damage, Metadata: state}, nil
}

// agrees tells whether metadata says what the log does.
func (m *Metadata) agrees(id string, x *Index) bool {
	derived := *m
	derived.follow(id, x)
	same := m.Log == nil || m.Log.Size != x.Size || m.Spent() != nil && spentOf(m.Spent()) == spentOf(derived.Spent())
	return same && m.ID == id && m.MessageCount == derived.MessageCount && m.LastMessageAt.Equal(derived.LastMessageAt)
}

// IDs lists every session.
func (s *Store) IDs() ([]string, error) { return idsIn(s.sessions()) }

// Repair rebuilds metadata from the log, keeping what can still be read of it. It never touches the log.
func (s *Store) Repair(ctx context.Context, id string) error {
	release, err := s.Lock(ctx, id)
	if err != nil {
		return err
	}
	defer release()
	m, err := s.readForWriting(id)
	if err != nil {
		return err
	}
	m.Log = nil
	log, err := s.OpenLog(id)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // opened for reading
	x, err := indexCounts(log, m)
	if err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	m.follow(id, x)
	return writeMetadata(s.dir(id), m)
}
