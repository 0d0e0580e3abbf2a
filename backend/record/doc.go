// Package record says what one line of a session log can be.
//
// A log is JSON lines. Every line is a [Record], a record written by a newer version of the program ([Record.Newer]), or
// damage, which [Decode] reports as an [*Error]. The package knows the fields of every record type, which of them a
// reader insists on (few) and which a writer does (all that the format names); it knows nothing of files, order or
// what a record does to the model's context.
//
// Reading follows JSON as JavaScript's JSON.parse has it, since other programs write these logs: names are matched to
// the letter, and of a name that occurs twice the last one counts. The standard decoder does neither, so fields are
// taken with gjson from text that encoding/json has found valid.
package record
