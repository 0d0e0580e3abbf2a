package backend

import "palimpsest/backend/states"

// State says what became of a line: whether the model sees it and, if not, why.
type State = states.State

// The states of lines. See docs/http.md.
const (
	StateKept       = states.Kept
	StateFresh      = states.Fresh
	StatePruned     = states.Pruned
	StateSuperseded = states.Superseded
	StateDropped    = states.Dropped
	StateOffPath    = states.OffPath
	StateInForce    = states.InForce
	StateFolded     = states.Folded
	StateReverted   = states.Reverted
	StateMeta       = states.Meta
	StateNewer      = states.Newer
	StateLater      = states.Later
)
