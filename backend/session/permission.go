package session

import (
	"context"
	"encoding/json"
	"fmt"
)

// Permission is a rule that holds for one session, as metadata keeps it. What it means is for package permission to say.
type Permission struct {
	Rule   string `json:"rule"`
	Effect string `json:"effect"`
}

// Granted are the session's rules, as far as this version understands them.
func (m *Metadata) Granted() []Permission {
	var members []json.RawMessage
	if json.Unmarshal(m.Permissions, &members) != nil {
		return nil
	}
	var granted []Permission
	for _, member := range members {
		var p Permission
		if json.Unmarshal(member, &p) == nil && p.Rule != "" {
			granted = append(granted, p)
		}
	}
	return granted
}

// ChangePermissions replaces a session's rules by what change makes of them. A turn of this process that holds the session
// is not waited for.
func (s *Store) ChangePermissions(ctx context.Context, id string, change func([]Permission) []Permission) ([]Permission, error) {
	var failure error
	m, err := s.update(ctx, id, func(m *Metadata) {
		rules := change(m.Granted())
		if len(rules) == 0 {
			m.Permissions = nil
			return
		}
		text, err := json.Marshal(rules)
		if err != nil {
			failure = fmt.Errorf("session %s: encoding its rules: %w", id, err)
			return
		}
		m.Permissions = text
	})
	if failure != nil {
		err = failure
	}
	return m.Granted(), err
}
