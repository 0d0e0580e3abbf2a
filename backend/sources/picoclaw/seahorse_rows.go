package picoclaw

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
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
	asked   *sqlite.Questions
	has     map[string][]string // columns of tables

	name         string // of the session there
	conversation string
	messages     many.List[stored]
	parts        *sqlite.Owned     // by messages; nil if there are none
	summaries    []summary         // in the order that they were made in
	active       []int             // those that the model sees now
	says         many.List[uint64] // what messages say
	lines        many.List[int32]  // the messages that lines of the file are, or -1

	line, next, made int // the first line, the first message and the first summary that the reading has not come to
	stays            stays
}

// stored is a message in the database.
type stored struct {
	id int64
	// at is in milliseconds.
	at int64
	// seq is that of its record; 0 if it has none yet.
	seq int64
	// by is the first summary that stands for it, or else the number of all of them; seen tells that the model sees it.
	by   int32
	seen bool
	// prompt tells that a turn begins with it, and parted that it has parts.
	prompt, parted bool
}

func (r *recall) close() {
	r.asked.Close()
	_ = r.release() // the copy is removed once more with its directory
}

// find looks for a session.
func (r *recall) find(key string) error {
	return r.rows("conversations", "session_key = ?", "", []string{"conversation_id"}, func(row []string) { r.conversation = row[0] }, key)
}

// load reads what the database has of the session, but for the texts of its messages.
func (r *recall) load() error {
	if err := r.loadParts(); err != nil {
		return err
	}
	var at many.IDs
	columns := append([]string{"message_id"}, saidColumns...)
	// By their numbers, not by an index: rows with texts would have to be sorted.
	err := r.rows("messages", "+conversation_id = ?", "message_id", columns, func(row []string) {
		m, is := stored{id: number(row[0]), at: timeOf(row[5]).UnixMilli(), prompt: row[1] == "user"}, said{Role: row[1], Content: row[2]}
		m.parted = r.parts != nil && len(r.parts.Of(row[0])) > 0
		at.Put(row[0], r.messages.Len())
		r.messages.Add(m)
		says := uint64(0)
		if text, err := json.Marshal(is); err == nil && !m.parted {
			says = alike(gjson.ParseBytes(text))
		}
		r.says.Add(says)
	}, number(r.conversation))
	if err != nil {
		return err
	}
	if err := r.loadSummaries(&at); err != nil {
		return err
	}
	for i := range r.messages.Len() {
		if !r.messages.At(i).parted {
			continue
		}
		says, err := r.message(i)
		if err != nil {
			return err
		}
		r.says.Set(i, alike(says))
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
	if err := sqlite.EachText(r.ctx, r.asked, len(columns), visit, query, args...); err != nil {
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
