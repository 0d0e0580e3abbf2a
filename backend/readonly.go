package backend

import (
	"errors"
	"fmt"

	"palimpsest/backend/agent"
	"palimpsest/backend/library"
)

// ErrReadOnly marks what can't be done to a session of another agent.
var ErrReadOnly = errors.New("it can be read, and not changed")

// readOnly is [ErrReadOnly] of one session.
type readOnly struct{ ref library.Ref }

func (r *readOnly) Error() string {
	return fmt.Sprintf("session %s belongs to %s: %v", r.ref, r.ref.Agent, ErrReadOnly)
}

func (r *readOnly) Unwrap() error { return ErrReadOnly }

func readOnlyHint(err error) string {
	const made = "a copy that can be continued"
	if r, ok := errors.AsType[*readOnly](err); ok {
		return "nothing was changed; palimpsest import " + r.ref.String() + " makes " + made
	}
	return "nothing was changed; palimpsest import makes " + made
}

// refuseForeign is what a store of ours says of a session of another agent: only what reads looks for it elsewhere.
func refuseForeign(id string) error {
	if !library.IsRef(id) {
		return nil
	}
	ref, err := library.ParseRef(id)
	if err != nil {
		return err
	}
	return &readOnly{ref}
}

// noForeignTools says why no model is offered tools in a session of another agent.
var noForeignTools = "the session belongs to another agent, and is only read"

// foreignTurns are those of a session that has none. It need not be read for that.
func (b *Backend) foreignTurns(id string) (Turns, error) {
	err := b.lookForeign(id)
	return Turns{Queued: []agent.Waiting{}, ReadOnly: true, NoTools: &noForeignTools}, err
}
