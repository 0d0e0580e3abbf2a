package sources

import "palimpsest/backend/record"

// How says how well a source knows something.
type How string

// The ways of knowing.
const (
	// Shown is in the files, and read.
	Shown How = "shown"
	// Inferred is worked out from what the files hold.
	Inferred How = "inferred"
	// Missing is not in the files.
	Missing How = "missing"
)

// Capability says what a source makes of one thing that a reader may ask for.
type Capability struct {
	// What is messages, thinking, tool calls, tool errors, images, usage, cost, model, cwd, title, parent, sub-agents, branches,
	// compactions, injected or version: the order that they are shown in.
	What string `json:"what"`
	How  How    `json:"how"`
	// Note says where it comes from or what is lost, for a person; empty where there is nothing to add.
	Note string `json:"note,omitempty"`
	// Tokens are, of usage, the kinds that the files tell of each answer of which they tell any: one that is missing is not known. Others
	// they never tell, or only where they are not 0.
	Tokens record.Kinds `json:"-"`
	// Anew tells, of parent, that what a fork copies has other times than in its parent.
	Anew bool `json:"-"`
	// Same tells, of parent, that what was said has a name that is the same in copies, by which it is counted once: see [Meta].
	Same bool `json:"-"`
}
