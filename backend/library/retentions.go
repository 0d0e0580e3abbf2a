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
			for _, rule := range retainer.Retention(env) {
				out = append(out, Retention{s.source.Agent(), rule, errors.Join(unread...)})
				unread = nil // which is told once
			}
		}
	}
	return out
}
