package library

import (
	"fmt"

	"palimpsest/backend/session"
)

// MissingError says that an agent has no such session.
type MissingError struct{ Ref Ref }

func (m *MissingError) Error() string {
	return fmt.Sprintf("session %s: %v among those of %s on this machine", m.Ref, session.ErrNotFound, m.Ref.Agent)
}

// Unwrap makes it a [session.ErrNotFound].
func (m *MissingError) Unwrap() error { return session.ErrNotFound }
