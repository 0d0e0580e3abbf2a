package opencode

import (
	"context"
	"fmt"
	"slices"
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
	rows, err := t.db.QueryContext(ctx, t.newestQuery())
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

// newestQuery joins the parts, for which an index is made where there is none: opencode has one, what was made of its database may not.
// A time that several messages have is when they were copied: what moved the sessions of earlier versions into the database left the moment
// of that in all their rows.
func (t *tables) newestQuery() string {
	last := "FROM message WHERE session_id = s.id ORDER BY " + strings.ReplaceAll(t.order, ",", " DESC,") + " DESC LIMIT 1"
	return fmt.Sprintf(`
		WITH copied AS MATERIALIZED (SELECT time_updated AS at FROM message WHERE time_updated IS NOT NULL GROUP BY time_updated HAVING count(*) > 1),
			last AS MATERIALIZED (SELECT s.id, (SELECT id %[1]s) AS message, (SELECT time_updated %[1]s) AS at FROM session s)
		SELECT last.id, max(iif(last.at IN copied, 0, coalesce(last.at, 0)), coalesce(max(iif(part.time_updated IN copied, 0, part.time_updated)), 0))
		FROM last LEFT JOIN part ON part.message_id = last.message GROUP BY last.id`, last)
}

// sequence is the table in which newer versions count what they write to each session.
const sequence = "event_sequence"

// writes is how often each session was written to. Output of tools is cleared after an answer has ended, anywhere before it: neither the
// session nor its last message is noted to have changed then. In versions that don't count, when a part of it was written last stands for
// that: to look at 100,000 parts, 250 MB, takes a tenth of a second.
func (t *tables) writes(ctx context.Context) (map[string]int64, error) {
	has, err := sqlite.Columns(ctx, t.db.DB, sequence)
	if err != nil {
		return nil, err
	}
	query := "SELECT aggregate_id, seq FROM " + sequence
	if !slices.Contains(has, "aggregate_id") || !slices.Contains(has, "seq") {
		if !t.dated || !t.named || t.missing["part"] {
			return nil, nil
		}
		query = "SELECT session_id, max(time_updated) FROM part GROUP BY session_id"
	}
	rows, err := t.db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("how often they were written to: %w", err)
	}
	defer rows.Close()
	out := map[string]int64{}
	for rows.Next() {
		var id, seq sqlite.Text
		if err := rows.Scan(&id, &seq); err != nil {
			return out, fmt.Errorf("how often they were written to: %w", err)
		}
		out[string(id)] = gjson.Parse(string(seq)).Int()
	}
	return out, rows.Err()
}
