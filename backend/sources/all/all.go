// Package all lists the sources there are.
package all

import (
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/pi"
)

// Sources are those of all agents.
func Sources() []sources.Source {
	return []sources.Source{pi.Source{}, codex.Source{}}
}
