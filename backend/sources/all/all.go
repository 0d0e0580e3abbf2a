// Package all lists the sources there are.
package all

import (
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/pi"
)

// Sources are those of all agents.
func Sources() []sources.Source {
	return []sources.Source{claudecode.Source{}, codex.Source{}, pi.Source{}}
}
