package picoclaw

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"
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
	db      *sql.DB
	release func() error
	has     map[string][]string // columns of tables

	name         string // of the session there
	conversation string
	messages     []stored
	parts        map[string][]string // ids of the parts of messages that have any
	summaries    []summary           // in the order that they were made in
	active       []int               // those that the model sees now
	places       map[uint64][]int    // where messages stand that say the same

	next, made int // the first message and the first summary that the reading has not come to
}

// stored is a message in the database.
type stored struct {
	id string
	at time.Time
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
	err = r.rows("messages", "conversation_id = ?", "message_id", []string{"message_id", "created_at"}, func(row []string) {
		at[row[0]] = len(r.messages)
		r.messages = append(r.messages, stored{id: row[0], at: timeOf(row[1])})
	}, number(r.conversation))
	if err != nil {
		return err
	}
	r.parts = map[string][]string{}
	err = r.rows("message_parts", "true", "ordinal", []string{"message_id", "part_id"}, func(row []string) {
		if _, is := at[row[0]]; is {
			r.parts[row[0]] = append(r.parts[row[0]], row[1])
		}
	})
	if err == nil {
		err = r.loadSummaries(at)
	}
	if err != nil {
		return err
	}
	r.places = map[uint64][]int{}
	for i := range r.messages {
		says, err := r.message(i)
		if err != nil {
			return err
		}
		key := alike(says)
		r.places[key] = append(r.places[key], i)
	}
	return nil
}

// said is a message as PicoClaw takes it out of its database, in the form of a line of its files.
type said struct {
	Role     string   `json:"role"`
	Content  string   `json:"content"`
	Model    string   `json:"model_name,omitempty"`
	Thinking string   `json:"reasoning_content,omitempty"`
	At       string   `json:"created_at,omitempty"`
	Calls    []called `json:"tool_calls,omitempty"`
	Result   string   `json:"tool_call_id,omitempty"`
	Media    []string `json:"media,omitempty"`
}

type called struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// message reads the message at a place.
func (r *recall) message(i int) (gjson.Result, error) {
	id := r.messages[i].id
	var out said
	err := r.rows("messages", "message_id = ?", "", []string{"role", "content", "model_name", "reasoning_content", "created_at"}, func(row []string) {
		out = said{Role: row[0], Content: row[1], Model: row[2], Thinking: row[3], At: row[4]}
	}, number(id))
	if err != nil {
		return gjson.Result{}, err
	}
	if len(r.parts[id]) > 0 { // what stands in the row is for searches
		out.Content = ""
	}
	var texts []string
	for _, part := range r.parts[id] {
		err := r.rows("message_parts", "part_id = ?", "", []string{"type", "text", "name", "arguments", "tool_call_id", "media_uri"}, func(row []string) {
			switch row[0] {
			case "text":
				texts = append(texts, row[1])
			case "tool_use":
				call := called{ID: row[4]}
				call.Function.Name, call.Function.Arguments = row[2], row[3]
				out.Calls = append(out.Calls, call)
			case "tool_result":
				out.Result, out.Content = row[4], cmp.Or(out.Content, row[1])
			case "media":
				out.Media = append(out.Media, row[5])
			}
		}, number(part))
		if err != nil {
			return gjson.Result{}, err
		}
	}
	out.Content = cmp.Or(out.Content, strings.Join(texts, "\n"))
	text, err := json.Marshal(out)
	if err != nil {
		return gjson.Result{}, fmt.Errorf("message %s: %w", id, err)
	}
	return gjson.ParseBytes(text), nil
}

var seed = maphash.MakeSeed()

// alike is the same for a line of a file and the message that was made of it. Of one with calls or media early versions kept no text.
func alike(message gjson.Result) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	add := func(text string) { _, _ = h.WriteString(text + "\x00") } // never fails
	add(jsonl.Text(message.Get("role")))
	add(jsonl.Text(message.Get("tool_call_id")))
	calls, media := message.Get("tool_calls").Array(), message.Get("media").Array()
	for _, call := range calls {
		b := callBlock(call)
		add(b.ID)
		add(b.Name)
	}
	for _, item := range media {
		add(item.String())
	}
	if len(calls)+len(media) == 0 {
		add(message.Get("content").String())
	}
	return h.Sum64()
}

func timeOf(text string) time.Time { return jsonl.Time(gjson.Result{Type: gjson.String, Str: text}) }

// rows visits rows of a table, with what these columns have as text.
func (r *recall) rows(table, where, order string, columns []string, visit func(row []string), args ...any) error {
	if r.has[table] == nil {
		has, err := sqlite.Columns(r.ctx, r.db, table)
		if err != nil {
			return err
		}
		r.has[table] = append([]string{}, has...)
	}
	if len(r.has[table]) == 0 {
		return nil // not in this version
	}
	query := fmt.Sprintf("SELECT %s FROM %s WHERE %s", sqlite.Select(r.has[table], columns, sources.LineMost), sqlite.Quote(table), where)
	if order != "" {
		query += " ORDER BY " + order
	}
	err := sqlite.Each(r.ctx, r.db, func(scan func(...any) error) error {
		texts, into := make([]sqlite.Text, len(columns)), make([]any, len(columns))
		for i := range texts {
			into[i] = &texts[i]
		}
		if err := scan(into...); err != nil {
			return err
		}
		row := make([]string, len(columns))
		for i, text := range texts {
			row[i] = string(text)
		}
		visit(row)
		return nil
	}, query, args...)
	if err != nil {
		return fmt.Errorf("reading %s: %w", table, err)
	}
	return nil
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64) // what is none is 0, as where PicoClaw knows nothing
	return n
}
