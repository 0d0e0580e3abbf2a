package opencode

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// later is the table that versions after 1.18 may keep messages in: it is there, and empty. What is in it, if the known tables have
// nothing of a session, is shown as it is.
const later = "session_message"

// unknown writes what only the later table has of the session.
func (t *tables) unknown(ctx context.Context, log *sources.Log) error {
	has, err := sqlite.Columns(ctx, t.db.DB, later)
	if err != nil {
		return err
	}
	for _, column := range []string{"id", "session_id", "seq", "data"} {
		if !slices.Contains(has, column) {
			return nil
		}
	}
	return t.rows(ctx, func(r row) error {
		n := sources.Note{Meta: sources.Meta{Entry: r.id}, Namespace: "opencode." + later, Display: true}
		if len(r.data) == 0 {
			missing(log, r, "message")
			return log.Err()
		}
		if !json.Valid(r.data) {
			log.Broken(r.data)
			return log.Err()
		}
		data := gjson.ParseBytes(r.data)
		n.Time, n.Data = jsonl.Time(data.Get("time.created")), glean.Raw(data)
		log.Note(n)
		return log.Err()
	}, "SELECT id, "+data+" FROM "+later+" WHERE session_id = ? ORDER BY seq", t.id)
}
