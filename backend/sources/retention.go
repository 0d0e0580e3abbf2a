package sources

import "time"

// Retention is how an agent deletes its own sessions.
type Retention struct {
	// Days is after how many days without use; nil if it deletes none.
	Days *int
	// From says who says so.
	From RetentionFrom
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
	Retention(env Env) Retention
}

// Beside is a source whose sessions have files beside those that [Found] names, such as the output of tools; absolute paths.
type Beside interface {
	Beside(env Env, found Found) []string
}

// After is a rule that was found.
func After(days int, from RetentionFrom, file string) Retention { return Retention{&days, from, file} }

// Day is the day that rules count in.
const Day = 24 * time.Hour
