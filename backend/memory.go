package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/agent/inject"
	"palimpsest/backend/agent/memory"
	"palimpsest/backend/session"
)

// memories is what memory flushes need of the program.
type memories struct{ b *Backend }

// Due tells whether a session has had no flush since its last compaction.
func (m memories) Due(id string) (bool, error) {
	meta, err := m.b.store.Metadata(id)
	return err == nil && meta.FlushDue(), err
}

// Tools writes in the session's folder, if there is one that may be written to.
func (m memories) Tools(id string) (agent.Tools, error) {
	meta, err := m.b.store.Metadata(id)
	switch {
	case err != nil:
		return nil, err
	case meta.Cwd == "":
		return nil, errors.New("the session has no folder")
	}
	if info, err := os.Stat(meta.Cwd); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not there", meta.Cwd)
	}
	if !session.MayWrite(filepath.Join(meta.Cwd, inject.MemoryDir)) {
		return nil, fmt.Errorf("%s is read-only", meta.Cwd)
	}
	return memory.New(meta.Cwd, time.Now), nil
}

// Flushed remembers that a session has had its flush.
func (m memories) Flushed(ctx context.Context, id string) error {
	return m.b.store.MarkFlushed(ctx, id)
}
