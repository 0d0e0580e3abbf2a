package opencode

import (
	"context"
	"fmt"
	"slices"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sqlite"
)

// events are the table in which newer versions note all that they write to a session, each under the next number: in one step with what it is
// about, as it is also counted in the table of those numbers.
const events = "event"

// about is the message that an event is about, NULL if it is about the session.
const about = "coalesce(json_extract(data, '$.info.id'), json_extract(data, '$.part.messageID'), json_extract(data, '$.messageID'))"

// event is the last one of a session that was seen.
type event struct {
	seq int64
	id  string
}

// lastEvent is the last event of the session; not ok of a database in which not all is noted.
func (t *tables) lastEvent(ctx context.Context) (last event, ok bool) {
	for table, columns := range map[string][]string{
		sequence: {"aggregate_id", "seq"}, events: {"id", "aggregate_id", "seq", "type", "data"},
		"message": {"time_created"}, "part": {"session_id"},
	} {
		has, err := sqlite.Columns(ctx, t.db.DB, table)
		if err != nil || slices.ContainsFunc(columns, func(one string) bool { return !slices.Contains(has, one) }) {
			return last, false
		}
	}
	var counted int64
	err := t.db.QueryRowContext(ctx, "SELECT e.seq, e.id, s.seq FROM "+events+" e JOIN "+sequence+" s USING (aggregate_id) WHERE aggregate_id = ? ORDER BY e.seq DESC LIMIT 1", t.id).
		Scan(&last.seq, &last.id, &counted)
	return last, err == nil && counted == last.seq
}

// since visits the messages that something was written of, or taken from, since an event. It fails with [sources.ErrAnew] where it is not known
// of which: an event is missing, or is of a kind that nobody knows.
func (t *tables) since(ctx context.Context, from event, visit func(message string) error) (last event, err error) {
	rows, err := t.db.QueryContext(ctx, "SELECT seq, id, type, "+about+" FROM "+events+" WHERE aggregate_id = ? AND seq >= ? ORDER BY seq", t.id, from.seq)
	if err != nil {
		return last, fmt.Errorf("what was written since: %w", err)
	}
	defer rows.Close()
	next := from.seq
	for rows.Next() {
		var one event
		var kind, message sqlite.Text
		if err := rows.Scan(&one.seq, &one.id, &kind, &message); err != nil {
			return last, fmt.Errorf("what was written since: %w", err)
		}
		if one.seq != next || one.seq == from.seq && one.id != from.id {
			return last, sources.ErrAnew
		}
		next, last = next+1, one
		if one == from {
			continue
		}
		switch string(kind) {
		case "session.created.1", "session.updated.1":
		case "message.updated.1", "message.removed.1", "message.part.updated.1", "message.part.removed.1":
			if err := visit(string(message)); err != nil {
				return last, err
			}
		default:
			return last, sources.ErrAnew
		}
	}
	if err := rows.Err(); err != nil {
		return last, fmt.Errorf("what was written since: %w", err)
	}
	if is, ok := t.lastEvent(ctx); !ok || is != last {
		return last, sources.ErrAnew
	}
	return last, nil
}

// notes tells whether one of the last events is about a message: else a version wrote it that notes nothing, beside one that does.
func (t *tables) notes(ctx context.Context, message string) (is bool) {
	const most = 100
	query := fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM (SELECT data FROM %s WHERE aggregate_id = ? ORDER BY seq DESC LIMIT %d) WHERE %s = ?)", events, most, about)
	return t.db.QueryRowContext(ctx, query, t.id, message).Scan(&is) == nil && is
}

// behind visits the messages that stand from a time on, in order, which is that of the id that it has there, if it has one, or of a later one.
func (t *tables) behind(ctx context.Context, at int64, id string, visit func(row) error) error {
	return t.rows(ctx, visit, "SELECT id, "+data+" FROM message WHERE session_id = ? AND (time_created, id) >= (?, ?) ORDER BY "+t.order, t.id, at, id)
}

// created is when a message was begun, as the order of messages has it; not ok if that is no time.
func (t *tables) created(ctx context.Context, id string) (at int64, ok bool) {
	err := t.db.QueryRowContext(ctx, "SELECT time_created FROM message WHERE id = ? AND typeof(time_created) = 'integer'", id).Scan(&at)
	return at, err == nil
}

// count is how many messages the session has, and parts but for those of some messages, of which there should be few: indexes tell, without a
// look at the rows.
func (t *tables) count(ctx context.Context, without []string) (messages, parts int, err error) {
	if err = t.db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM message WHERE session_id = ?1), (SELECT count(*) FROM part WHERE session_id = ?1)", t.id).Scan(&messages, &parts); err != nil {
		return 0, 0, fmt.Errorf("how many rows there are: %w", err)
	}
	for _, message := range without {
		var n int
		if err = t.db.QueryRowContext(ctx, "SELECT count(*) FROM part WHERE message_id = ? AND +session_id = ?", message, t.id).Scan(&n); err != nil {
			return 0, 0, fmt.Errorf("how many rows there are: %w", err)
		}
		parts -= n
	}
	return messages, parts, nil
}
