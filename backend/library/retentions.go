package library

import (
	"errors"

	"palimpsest/backend/sources"
)

// Retention is how an agent deletes its own sessions.
type Retention struct {
	Agent string
	sources.Retention
	// Unread is why settings that might say something else can't be read; nil if they can.
	Unread error
}

// Retentions are the rules of the agents that delete sessions, or may.
func (l *Library) Retentions() []Retention {
	var out []Retention
	for _, s := range l.shelves {
		if retainer, ok := s.source.(sources.Retainer); ok {
			env := l.env
			var unread []error
			env.Denied = func(err error) { unread = append(unread, err) }
			out = append(out, Retention{s.source.Agent(), retainer.Retention(env), errors.Join(unread...)})
		}
	}
	return out
}
