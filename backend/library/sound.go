package library

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"palimpsest/backend/edge"
)

// sealed says what the log of a reading is, as [edge.Of] tells it: a cache may be cut or damaged, by a loss of power as well, and what is in it
// then must not be shown as what was said. Of a log of which another one grew there may be more.
type sealed struct {
	Size int64  `json:"size"`
	Sum  uint32 `json:"sum"`
}

// seal notes what is in the log of a reading that was written, and returns the sum of what stands of it whatever is appended to its session.
// before is that of the reading that it grew of: only what stands behind that is read.
func (s *slip) seal(dir string, before edge.Sum) (stands edge.Sum, err error) {
	log, err := os.Open(filepath.Join(dir, "session.jsonl"))
	if err != nil {
		return stands, fmt.Errorf("looking at what was written: %w", err)
	}
	defer func() { _ = log.Close() }() // opened for reading
	info, err := log.Stat()
	if err == nil {
		stands, err = before.On(log, info.Size()-s.End)
	}
	if err != nil {
		return stands, fmt.Errorf("looking at what was written: %w", err)
	}
	all, err := stands.On(log, info.Size())
	s.Log = sealed{info.Size(), all.Value()}
	return stands, err
}

// sound are the readings of which this program has written, or seen, that their logs are what was written: the last one of each session.
type sound struct {
	mu sync.Mutex
	of map[Ref]soundOne
}

type soundOne struct {
	id   string
	made int64
}

func (s *sound) note(id string, kept *slip) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[Ref]soundOne{}
	}
	s.of[Ref{kept.Agent, kept.Session}] = soundOne{id, kept.Made}
}

func (s *sound) is(id string, kept *slip) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[Ref{kept.Agent, kept.Session}] == soundOne{id, kept.Made}
}

// intact tells whether the log of a reading is what was written: all of it, when this program comes upon it for the first time, and its length
// each time.
func (l *Library) intact(id string, kept *slip) bool {
	log, err := l.store.OpenLog(id)
	if err != nil {
		return false
	}
	defer func() { _ = log.Close() }() // opened for reading
	info, err := log.Stat()
	if err != nil || info.Size() < kept.Log.Size {
		return false
	}
	if l.sound.is(id, kept) {
		return true
	}
	if sum, err := edge.Of(log, kept.Log.Size); err != nil || sum != kept.Log.Sum {
		return false
	}
	l.sound.note(id, kept)
	return true
}
