package opencode

import (
	"context"
	"fmt"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// How much is read of the beginning of a session.
const (
	peekMessages = 6
	peekMost     = 256 << 10
)

// indexed tells whether rows of a table are found by a column without a look at all of them.
func (t *tables) indexed(ctx context.Context, table, column string) bool {
	var is bool
	err := t.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pragma_index_list(?1) l JOIN pragma_index_info(l.name) i WHERE i.seqno = 0 AND i.name = ?2)`,
		table, column).Scan(&is)
	return err == nil && is
}

// peekAll is peek of every session, in one pass over the messages and one over the parts: without indexes each session would take both.
func (t *tables) peekAll(ctx context.Context, found map[string]*sources.Found) error {
	messages, parts := t.beginnings()
	named := map[string]*models{}
	err := t.rows(ctx, func(r row) error {
		if f := found[r.id]; f != nil {
			if named[r.id] == nil {
				named[r.id] = &models{}
			}
			named[r.id].take(gjson.ParseBytes(r.data), f)
		}
		return nil
	}, messages)
	if err != nil {
		return err
	}
	for id, models := range named {
		models.tell(found[id])
	}
	return t.rows(ctx, func(r row) error {
		if f := found[r.id]; f != nil {
			peekText(r.data, f)
		}
		return nil
	}, parts)
}

// beginnings are the queries for the first messages of each session, and for the parts of those that the user sent.
func (t *tables) beginnings() (messages, parts string) {
	first := fmt.Sprintf(`WITH first AS MATERIALIZED (SELECT * FROM (
		SELECT session_id AS session, id, row_number() OVER (PARTITION BY session_id ORDER BY %s) AS place FROM message) WHERE place <= %d)`, t.order, peekMessages)
	data := func(of string) string {
		return fmt.Sprintf("CASE WHEN octet_length(%[1]s.data) <= %[2]d THEN CAST(%[1]s.data AS BLOB) END", of, peekMost)
	}
	return first + " SELECT first.session, " + data("message") + ", 0 FROM first JOIN message USING (id) ORDER BY first.session, place",
		first + " SELECT first.session, " + data("part") + `, 0 FROM first JOIN message USING (id) JOIN part ON part.message_id = first.id
			WHERE CASE WHEN json_valid(message.data) THEN message.data ->> '$.role' END = 'user' ORDER BY first.session, place, part.id`
}

// begin reads the beginnings of sessions.
func (t *tables) begin(ctx context.Context, all []sources.Found) {
	if t.missing["message"] || t.missing["part"] || t.indexed(ctx, "message", "session_id") && t.indexed(ctx, "part", "message_id") {
		for i := range all {
			_ = t.peek(ctx, all[i].ID, &all[i]) // a damaged page of one session's hides none of the others; reading the session tells of it
		}
		return
	}
	found := make(map[string]*sources.Found, len(all))
	for i := range all {
		found[all[i].ID] = &all[i]
	}
	_ = t.peekAll(ctx, found) // as above
}
