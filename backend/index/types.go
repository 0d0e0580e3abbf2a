package index

import (
	"errors"
	"iter"
	"time"
)

// Session is a session's row: what the index knows of it beside its texts.
type Session struct {
	// ID is one of ours, or "agent:id".
	ID string
	// Stamp says what its files were like when they were read. It is the caller's.
	Stamp string
	// Updated is when something last happened in it. Searches show the newest first.
	Updated time.Time
	// Offset is how far its log was read.
	Offset int64
	// Digest is the caller's, at best a few KB.
	Digest []byte
	// Pieces are what the caller keeps beside the digest, since it grows with the session and never changes. Append adds these to those that
	// are there, and Touch leaves them. Only [Index.Whole] and [Index.EachWhole] give them.
	Pieces [][]byte
	// Early are pieces before those, told one by one when they are written: there may be very many. Nil is none.
	Early iter.Seq[[]byte]
	// Gone says that its source vanished.
	Gone bool
	// Revision is given by the index, and another one after every change. If it is not 0, Append and Touch fail with [ErrChanged]
	// where the row is of another revision by now: two processes may be reading on in the same session.
	Revision int64
}

// Text is one part of a record.
type Text struct {
	// Seq and Line are the record's number and its position in the log, from 0; both are -1 for a name.
	Seq  int64
	Line int
	// Part tells texts of a line apart from the rest of it, if not 0. It is the caller's, below 2^31.
	Part int
	Time time.Time
	// Scope of the text. A name takes the place of those that were put with earlier calls, and one without text leaves none.
	Scope Scope
	// Tool is the name of the tool, for a call and its output.
	Tool string
	Text string
}

// Pattern is something to look for. Text and patterns are compared in Unicode's composed form (NFC).
type Pattern struct {
	Text string
	// Regexp says that Text is a regular expression, in RE2's syntax.
	Regexp bool
	// Case says that upper and lower case differ.
	Case bool
}

// Query is what to look for, and where.
type Query struct {
	// All must occur in the same text, and None not in it. Without All, every text is a hit.
	All, None []Pattern
	// Scopes to look at; nil for all.
	Scopes []Scope
	// Tools are the names of the tools whose calls and output to look at; none for everything. Agents write the same one differently.
	Tools []string
	// Keep says which sessions to look at; nil for all. It is asked once for each session that may have a hit.
	Keep func(id string) bool
	// KeepText says which hits count, by their line and part and their time, which is the zero time where none is known; nil for all. It is
	// called from several goroutines at once.
	KeepText func(id string, line, part int, at time.Time) bool
}

// Options of [Index.Search].
type Options struct {
	// Limit is how many sessions are wanted at most; 0 for all. With Session it counts hits.
	Limit int
	// Session is the only one to look at, if it is not empty. Then Hits are all of its hits, in the order of its texts.
	Session string
	// Budget is how long to look; 0 for as long as it takes. What it is too short for waits behind Cursor.
	Budget time.Duration
	// Cursor of an earlier search goes on where that ended.
	Cursor string
	// Count says to go on when there are enough hits, so that Counts and Scopes are of everything. Where it goes on from a cursor,
	// they are of what is behind it.
	Count bool
}

// Hit is a text that was found.
type Hit struct {
	ID    string // the session's
	Seq   int64
	Line  int
	Part  int
	Time  time.Time
	Scope Scope
	// Before, Match and After are the first match and what stands around it, on one line.
	Before, Match, After string
}

// Found is what a search found.
type Found struct {
	// Hits are the best of each session, the session that was updated last first. Best is the name, then what the user wrote, the
	// assistant, a summary, and then the rest; among equals the newest.
	Hits []Hit
	// Counts says by ID how many texts of a session are hits, and Scopes how many texts of a scope, among what was looked at.
	Counts map[string]int
	Scopes map[Scope]int
	// Counted says that nothing was passed over, so that Counts and Scopes are exact. Else there are at least so many.
	Counted bool
	// Complete says that there are no hits in other sessions than these. If there may be, Cursor goes on behind them; without one there is nothing
	// to go on with, and an expression took too long for some text, in this search or one before it.
	Complete bool
	Cursor   string
	// Blocks is how many blocks there are, and Scanned how many of them were read.
	Blocks, Scanned int
}

// Size is how much there is.
type Size struct {
	// Disk is what the index takes, in bytes, and Text how much text is in it.
	Disk, Text int64
	Sessions   int
}

// OpenOptions of [Open].
type OpenOptions struct {
	// Warn hears of what was put right without anybody having to do something, such as a damaged index that was begun anew.
	Warn func(error)
}

var (
	// ErrPattern is wrapped by the errors of patterns that can't be looked for.
	ErrPattern = errors.New("not a pattern")
	// ErrCursor is wrapped by the error of a cursor that is not one.
	ErrCursor = errors.New("not a cursor of a search")
	// ErrChanged is wrapped if a session that is to be appended to or touched was changed by another at the same time, or is not
	// there: look at it again.
	ErrChanged = errors.New("the session in the index is not the one that was read on from")
	// ErrRebuilt is wrapped by the error of a call that found the index damaged. It is empty now, and to be filled again, with what
	// [Index.Salvage] finds and from the sessions.
	ErrRebuilt = errors.New("the index was damaged and has been begun anew; sessions are not touched by this")
	// ErrClosed is returned by every call after Close.
	ErrClosed = errors.New("the index is closed")
)
