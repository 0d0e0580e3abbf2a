package picoclaw

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// recall is what the database has of one session, and how far a reading of it has come.
type recall struct {
	ctx     context.Context //nolint:containedctx // of one reading: it does not outlive it
	path    string
	db      sqlite.Database
	release func() error
	has     map[string][]string // columns of tables

	name         string // of the session there
	conversation string
	messages     []stored
	parts        *sqlite.Owned // by messages; nil if there are none
	summaries    []summary     // in the order that they were made in
	active       []int         // those that the model sees now
	says         []uint64      // what messages say
	lines        []int         // the messages that those lines of the file are which the reading has not come to, or -1

	next, made int // the first message and the first summary that the reading has not come to
}

// stored is a message in the database.
type stored struct {
	id string
	at time.Time
	// prompt tells that a turn begins with it.
	prompt bool
	// seq is that of its record; 0 if it has none yet.
	seq int64
	// seen tells that the model sees it; by is the first summary that stands for it, or else the number of all of them.
	seen bool
	by   int
}

func (r *recall) close() { _ = r.release() } // the copy is removed once more with its directory

// load reads what the database has of a session, but for the texts of its messages.
func (r *recall) load(key string) error {
	err := r.rows("conversations", "session_key = ?", "", []string{"conversation_id"}, func(row []string) { r.conversation = row[0] }, key)
	if err != nil || r.conversation == "" {
		return err
	}
	at := map[string]int{}
	err = r.rows("messages", "conversation_id = ?", "message_id", []string{"message_id", "created_at", "role"}, func(row []string) {
		at[row[0]] = len(r.messages)
		r.messages = append(r.messages, stored{id: row[0], at: timeOf(row[1]), prompt: row[2] == "user"})
	}, number(r.conversation))
	if err != nil {
		return err
	}
	if err = r.loadParts(); err == nil {
		err = r.loadSummaries(at)
	}
	if err != nil {
		return err
	}
	for i := range r.messages {
		says, err := r.message(i)
		if err != nil {
			return err
		}
		r.says = append(r.says, alike(says))
	}
	return nil
}

// loadParts finds the parts of messages: no index leads to them, so one pass does for all sessions.
func (r *recall) loadParts() error {
	has, err := r.columns("message_parts")
	if err == nil && slices.Contains(has, "message_id") {
		r.parts = r.db.Owned(r.ctx, "message_parts", "message_id")
		err = r.parts.Lost
	}
	return err
}

func timeOf(text string) time.Time { return jsonl.Time(gjson.Result{Type: gjson.String, Str: text}) }

// rows visits rows of a table, with what these columns have as text.
func (r *recall) rows(table, where, order string, columns []string, visit func(row []string), args ...any) error {
	has, err := r.columns(table)
	if err != nil || len(has) == 0 { // not in this version
		return err
	}
	query := fmt.Sprintf("SELECT %s FROM %s WHERE %s", sqlite.Select(has, columns, sources.LineMost), sqlite.Quote(table), where)
	if order != "" {
		query += " ORDER BY " + order
	}
	if err := sqlite.EachText(r.ctx, r.db.DB, len(columns), visit, query, args...); err != nil {
		return fmt.Errorf("reading %s: %w", table, err)
	}
	return nil
}

// columns are those of a table, none if there is no such table.
func (r *recall) columns(table string) ([]string, error) {
	if r.has[table] == nil {
		has, err := sqlite.Columns(r.ctx, r.db.DB, table)
		if err != nil {
			return nil, err
		}
		r.has[table] = append([]string{}, has...)
	}
	return r.has[table], nil
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64) // what is none is 0, as where PicoClaw knows nothing
	return n
}
