package session

import "context"

// FlushDue tells whether there was no memory flush since the last compaction.
func (m *Metadata) FlushDue() bool {
	return m.MemoryFlushCompactionCount == nil || *m.MemoryFlushCompactionCount != m.compactions()
}

func (m *Metadata) compactions() int {
	if m.Log == nil {
		return 0
	}
	return m.Log.Compactions
}

// MarkFlushed remembers that a session had its memory flush in this cycle of compactions.
func (s *Store) MarkFlushed(ctx context.Context, id string) error {
	_, err := s.update(ctx, id, func(m *Metadata) {
		now, count := s.now().UTC(), m.compactions()
		m.MemoryFlushAt, m.MemoryFlushCompactionCount = &now, &count
	})
	return err
}
