package opencode

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// newest is when the last message of each session, or what it says, was written last: opencode writes on in an answer after it has noted
// when the session changed. It is empty where no version that wrote here noted that. All sessions are asked for at once: what there is to
// prepare for one takes longer than to look at it.
func (t *tables) newest(ctx context.Context) (map[string]time.Time, error) {
	if !t.dated {
		return nil, nil
	}
	last := "FROM message WHERE session_id = s.id ORDER BY " + strings.ReplaceAll(t.order, ",", " DESC,") + " DESC LIMIT 1"
	rows, err := t.db.QueryContext(ctx, fmt.Sprintf(`SELECT id, max(
		coalesce((SELECT time_updated %s), 0), coalesce((SELECT max(time_updated) FROM part WHERE message_id = (SELECT id %[1]s)), 0)) FROM session s`, last))
	if err != nil {
		return nil, fmt.Errorf("when they were written last: %w", err)
	}
	defer rows.Close()
	out := map[string]time.Time{}
	for rows.Next() {
		var id, at sqlite.Text
		if err := rows.Scan(&id, &at); err != nil {
			return out, fmt.Errorf("when they were written last: %w", err)
		}
		out[string(id)] = jsonl.Time(gjson.Parse(string(at)))
	}
	return out, rows.Err()
}
