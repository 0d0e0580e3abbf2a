package export

import (
	"fmt"
	"strings"

	"palimpsest/backend/session"
)

// PlaceOf says where damage is in a session. Another agent's files have other lines than the reading of them.
func PlaceOf(id string, damage session.Damage) string {
	place := fmt.Sprintf("line %d (byte %d)", damage.Line, damage.Offset)
	if damage.Line == 0 { // read from the end
		place = fmt.Sprintf("byte %d", damage.Offset)
	}
	if strings.Contains(id, ":") {
		place += " of the reading"
	}
	return place
}
