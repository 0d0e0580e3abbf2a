package library

import "palimpsest/backend/sources"

// Retention is how an agent deletes its own sessions.
type Retention struct {
	Agent string
	sources.Retention
}

// Retentions are the rules of the agents that delete sessions, or may.
func (l *Library) Retentions() []Retention {
	var out []Retention
	for _, s := range l.shelves {
		if retainer, ok := s.source.(sources.Retainer); ok {
			out = append(out, Retention{s.source.Agent(), retainer.Retention(l.env)})
		}
	}
	return out
}
