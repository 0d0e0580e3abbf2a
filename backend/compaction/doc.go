// Package compaction decides what a summary replaces, has it written, and turns it into the record that is appended. It
// reads no log and asks no model by itself: a context comes in ([overlay.Context]), a [Summarizer] is given by the
// caller, and what goes out is text and JSON. Nothing that exists is changed by a compaction.
//
// The way of one compaction, each step in a file of its own:
//
//   - boundary.go finds where a context can be cut: never between a call and its result, and only where the record's
//     firstKeptSeq means exactly that place.
//   - plan.go chooses one of them (spec §7.5.3), or takes the user's, and says what goes, what stays and what it costs.
//   - serialize.go writes the messages as flat text (§7.5.5), prompt.go holds the prompts (§7.5.4), files.go the
//     cumulative file lists.
//   - summarize.go asks the model, in parts where the text is too long for it; offline.go fills the same sections by rule.
//   - clear.go names old tool results that can go before anything is summarized; hook.go asks the user's own command.
//   - draft.go judges the answer: what stopped short, is empty or has none of the sections is not offered.
//   - fidelity.go measures a summary against what it replaces: facts.go finds what should not be lost, keeps.go looks whether it is there.
//   - record.go makes the record.
package compaction
