// Package agent talks: it takes messages for a session, one turn after the other, and writes down what was said.
//
// A session that is talked to has one goroutine, its owner (owner.go), which takes turns from the session's queue in the
// order they came. Different sessions run side by side. A turn (turn.go) holds the session's lock from its first record
// to its last, so that no other process writes in between. It puts the user's message on disk before anything is asked,
// then asks the model until that calls no more tools (loop.go). Before each request what the model is told besides the
// conversation is built anew (package inject), and a context that has outgrown the window is made to fit (compact.go): what
// is worth keeping is written down by a silent turn (flush.go), old tool output is cleared, older messages are summarized.
// A request that the model finds too long is made once more after that (overflow.go). An answer that says so of itself is
// not told (silence.go). What the model calls (toolbox.go) runs side by side where it only looks, and else in order (run.go);
// it may have to ask the user first (question.go). The time of a turn is booked (clock.go), and its session named if it was the
// first that was answered (first.go). How a turn goes on is told as events (emitter.go), of which "done" comes
// exactly once and last, after everything is in the log. The log is the truth, events are only news of it.
//
// What a turn needs of the program is declared here, in deps.go, and given by the facade.
package agent
