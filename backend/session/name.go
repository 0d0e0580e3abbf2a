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

// FollowsTo tells whether a copy is to be called what its original is called now, and is not. A name that it has from the user stays, and so does one
// that it was given here while the original has none.
func (m *Metadata) FollowsTo(name string) bool {
	return m.NamedBy != NamedByUser && (name != "" || m.NamedBy == "") && m.Name != flatten(name)
}

// NameAs gives a copy the name that its original has now, if it follows to that, and tells whether it did.
func (s *Store) NameAs(ctx context.Context, id, name string) (done bool, err error) {
	_, err = s.update(ctx, id, func(m *Metadata) {
		if done = m.FollowsTo(name); done {
			m.Name, m.NamedBy = flatten(name), ""
		}
	})
	return done && err == nil, err
}
