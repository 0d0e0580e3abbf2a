package session

import "context"

// NamedBy is who gave a session its name.
type NamedBy string

// The user, who may also have cleared it; the first words of the conversation; a model that was asked for one.
const (
	NamedByUser  NamedBy = "user"
	NamedByWords NamedBy = "words"
	NamedByModel NamedBy = "model"
)

// AutoName gives a session a name that nobody asked for, in the place of the one it had; empty for none. It does not where the
// name is another one by now, or is the user's, or the user does not want any. It tells whether it did.
func (s *Store) AutoName(ctx context.Context, id, had, name string, by NamedBy) (done bool, err error) {
	if err := checkName(name); err != nil {
		return false, err
	}
	_, err = s.update(ctx, id, func(m *Metadata) {
		if m.Name != had || m.NamedBy == NamedByUser || had == "" && m.NamedBy != "" {
			return
		}
		m.Name, m.NamedBy, done = flatten(name), by, true
	})
	return done && err == nil, err
}
