// Package all lists the sources there are.
package all

import (
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/crabtalk"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/openclaw"
	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/picoclaw"
	"palimpsest/backend/sources/sqlite"
)

// Sources are those of all agents. Copies of databases are kept in databases, which its owner closes; nil keeps none.
func Sources(databases *sqlite.Cache) []sources.Source {
	return []sources.Source{
		codex.Source{Databases: databases},
		claudecode.Source{},
		opencode.Source{Databases: databases},
		gemini.Source{},
		pi.Source{},
		openclaw.Source{Databases: databases},
		openclaw.Source{Fork: true, Databases: databases},
		picoclaw.Source{Databases: databases},
		crabtalk.Source{Databases: databases},
	}
}

// Open returns the sources of all agents, and what lets go of what they keep.
func Open() (list []sources.Source, release func() error) {
	databases := &sqlite.Cache{}
	return Sources(databases), databases.Close
}
