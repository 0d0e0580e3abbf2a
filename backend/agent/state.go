package agent

import "slices"

// Waiting is a message whose turn has not come.
type Waiting struct {
	TurnID string `json:"turnId"`
	Text   string `json:"text"`
	// Images go with the text.
	Images []Image `json:"images,omitempty"`
}

// State is what goes on in a session.
type State struct {
	Running *Snapshot
	Queued  []Waiting
}

// State tells what goes on in a session.
func (a *Agent) State(id string) State {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := State{Queued: []Waiting{}}
	o := a.owners[id]
	if o == nil {
		return s
	}
	for _, turn := range o.turns {
		if turn.running {
			snapshot := turn.events.Snapshot()
			snapshot.TurnID, snapshot.Text = turn.ID, turn.message.Text
			s.Running = &snapshot
			continue
		}
		s.Queued = append(s.Queued, Waiting{TurnID: turn.ID, Text: turn.message.Text, Images: turn.message.Images})
	}
	return s
}

// Asking are the sessions whose turns wait for an answer of the user's.
func (a *Agent) Asking() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	ids := []string{}
	for id, o := range a.owners {
		if slices.ContainsFunc(o.turns, func(t *Turn) bool { return t.running && t.events.Snapshot().Asking != nil }) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
