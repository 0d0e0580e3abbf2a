package openclaw

import (
	"path/filepath"
	"strings"

	"palimpsest/backend/sources"
)

// kin are conversations that agents of one directory of state began for each other: each has an index of its own, and the key of a
// conversation names the agent.
type kin struct {
	// current are the sessions of conversations, began the conversations that others began, by the session.
	current map[place]member
	began   map[member]place
}

// place is a conversation in a directory of state, member a session of the agent in a folder, by what it is called there.
type (
	place  struct{ state, key string }
	member struct{ agent, session string }
)

func newKin() *kin { return &kin{current: map[place]member{}, began: map[member]place{}} }

// knows takes the conversations that an agent has. One that another agent has, too, as after a move, is of the one that it names.
func (k *kin) knows(state, agent string, ids map[string]string) {
	for key, id := range ids {
		at := place{state, key}
		named := agentIn(key)
		if known, is := k.current[at]; named == "" || is && (known.agent == agent || filepath.Base(agent) != named) {
			continue
		}
		k.current[at] = member{agent, id}
	}
}

// asks notes that a conversation began a session. What the agent's own index knows it has told.
func (k *kin) asks(state string, f *sources.Found, e entry, ids map[string]string) {
	if ids[e.parent] == "" && agentIn(e.parent) != "" {
		k.began[member{agentOf(f), rowOf(f)}] = place{state, e.parent}
	}
}

// relate puts to the sessions what another agent's index tells. Some were renamed.
func (k *kin) relate(all []sources.Found, renamed map[member]string) {
	for i := range all {
		f := &all[i]
		at, asked := k.began[member{agentOf(f), rowOf(f)}]
		parent, known := k.current[at]
		if !asked || !known {
			continue
		}
		id := parent.session
		if now := renamed[parent]; now != "" {
			id = now
		}
		if id != f.ID {
			f.Parent, f.Relation = id, sources.Subagent
		}
	}
}

// agentIn is the agent that the key of a conversation names, empty if it names none.
func agentIn(key string) string {
	rest, is := strings.CutPrefix(key, "agent:")
	agent, _, more := strings.Cut(rest, ":")
	if !is || !more {
		return ""
	}
	return agent
}
