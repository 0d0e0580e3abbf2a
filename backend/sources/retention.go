package sources

import (
	"context"
	"time"
)

// Retention is how an agent deletes its own sessions.
type Retention struct {
	// Days is after how many days without use; nil if it deletes none.
	Days *int
	// Most is how many sessions of one folder stay, with that in which somebody works when the agent runs; 0 for any number.
	Most int
	// From says who says so.
	From RetentionFrom
	// Under is the folder with the sessions that go by it; empty for all.
	Under string
	// File is the settings file that says so, or where one would; empty if there is none.
	File string
}

// RetentionFrom is where a rule comes from.
type RetentionFrom string

// Where rules come from.
const (
	RetentionDefault  RetentionFrom = "default"
	RetentionSettings RetentionFrom = "settings"
	// RetentionOff: the settings say that nothing is deleted.
	RetentionOff RetentionFrom = "off"
)

// Retainer is a source whose agent deletes old sessions.
type Retainer interface {
	// Retention is its rules, one at least.
	Retention(env Env) []Retention
}

// Beside is a source whose sessions have files beside those that [Found] names, such as the output of tools; absolute paths. Of a place that
// can't be looked into for these [Env.Denied] is told, and of nothing else.
type Beside interface {
	Beside(ctx context.Context, env Env, found Found) []string
}

// Elsewhere is a source that reads files outside its roots, and outside the folders of its sessions, to find these: what says where they
// are, or what they are called. Absolute paths, whether they are there or not; of a database the log, too.
type Elsewhere interface {
	Elsewhere(env Env) []string
}

// Excerpter is a source with sessions that stand in a file with others.
type Excerpter interface {
	// Excerpt writes a file that has this session and no other to a new one. as is where that would have to stand for this source
	// to find it; it is empty, and nothing is written, for a session that has its files for itself.
	Excerpt(ctx context.Context, env Env, found Found, to string) (as string, err error)
}

// Lacker is an [Excerpter] of databases. Files of lines are compared line by line.
type Lacker interface {
	// Lacks tells whether an excerpt lacks messages that an earlier one of the same session has.
	Lacks(ctx context.Context, now, before string) (bool, error)
}

// ExcerpterBeside is a source with sessions of which something stands beside their own files, in a database with others.
type ExcerpterBeside interface {
	// ExcerptBeside is what [Excerpter.Excerpt] is, of a file that [Beside] names.
	ExcerptBeside(ctx context.Context, env Env, found Found, path, to string) (as string, err error)
	// Lacks is that of a [Lacker].
	Lacks(ctx context.Context, now, before string) (bool, error)
}

// After is a rule that was found.
func After(days int, from RetentionFrom, file string) Retention {
	return Retention{Days: &days, From: from, File: file}
}

// Day is the day that rules count in.
const Day = 24 * time.Hour
