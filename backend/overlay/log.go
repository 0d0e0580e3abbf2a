package overlay

import "palimpsest/backend/record"

// Entry is one record as a [Log] gives it.
type Entry struct {
	record.Header
	// Offset and End are the byte offsets of the line's start and of what follows it. They name an entry where seqs
	// repeat.
	Offset, End int64
	// Line is valid until the next call of Prev. Record is the same, for a log that has it read already; else nil.
	Line   []byte
	Record *record.Record
}

// Log is read from its end backward.
type Log interface {
	// Prev returns the next earlier record, io.EOF at the start.
	Prev() (Entry, error)
	// At reads the header of the record whose line ends at byte end, without moving; false if there is none.
	At(end int64) (record.Header, bool)
	// Jump makes the line that ends at byte end the next to be read.
	Jump(end int64)
}
