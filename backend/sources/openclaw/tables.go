package openclaw

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sqlite"
)

// archiveRow begins the row of a session that was set aside in a database; its id and the archive's name follow.
const archiveRow = "archive\n"

// eventMost is how long one event may be in a database.
const eventMost = sources.LineMost

// eventsOf finds where a database has the events of a session, and the id that they are under.
func eventsOf(ctx context.Context, db sqlite.Database, path, row string) (events, string, error) {
	if rest, is := strings.CutPrefix(row, archiveRow); is {
		id, name, _ := strings.Cut(rest, "\n")
		from, err := blob(ctx, db.DB, "SELECT archive_blob, encoding FROM "+ofArchive, id, name)
		return from, id, err
	}
	var seqs many.List[int64]
	err := each(ctx, db.DB, seqs.Add, "SELECT seq FROM transcript_events WHERE session_id = ? ORDER BY seq", row)
	if err != nil && ctx.Err() == nil {
		from, err := inPlace(ctx, db, row)
		return from, row, err
	}
	if err != nil {
		return nil, "", err
	}
	if seqs.Len() > 0 {
		from, err := rows(ctx, db.DB, row, &seqs, eventMost)
		return from, row, err
	}
	from, err := cold(ctx, db.DB, path, row)
	return from, row, err
}

// cold are the events of a session that were moved out of the table because nobody asked for them for long.
func cold(ctx context.Context, db *sql.DB, path, id string) (events, error) {
	file, err := coldFile(ctx, db, path, id)
	switch {
	case err != nil:
		return nil, err
	case file != "":
		return transcript(file), nil
	}
	return blob(ctx, db, "SELECT archive_blob, 'zstd' FROM session_transcript_cold_archives WHERE session_id = ?", id)
}

// coldFile is the file that they were moved to; empty if they stand in the database.
func coldFile(ctx context.Context, db *sql.DB, path, id string) (string, error) {
	has, err := sqlite.Columns(ctx, db, "session_transcript_cold_archives")
	if err != nil {
		return "", err
	}
	if !slices.Contains(has, "archive_name") {
		return "", sources.ErrGone
	}
	names, err := list[string](ctx, db, "SELECT archive_name FROM session_transcript_cold_archives WHERE session_id = ? AND archive_blob IS NULL", id)
	if err != nil || len(names) == 0 || !filepath.IsLocal(names[0]) || filepath.Base(names[0]) != names[0] {
		return "", err
	}
	return filepath.Join(filepath.Dir(filepath.Dir(path)), "sessions", "cold", names[0]), nil
}

func blob(ctx context.Context, db *sql.DB, query string, args ...any) (events, error) {
	var data []byte
	var encoding sqlite.Text
	err := db.QueryRowContext(ctx, query, args...).Scan(&data, &encoding)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, sources.ErrGone
	}
	if err != nil {
		return nil, fmt.Errorf("reading what was set aside: %w", err)
	}
	return archived(data, string(encoding)), nil
}

// list reads one column.
func list[T any](ctx context.Context, db *sql.DB, query string, args ...any) (all []T, err error) {
	err = each(ctx, db, func(one T) { all = append(all, one) }, query, args...)
	return all, err
}

// each visits one column.
func each[T any](ctx context.Context, db *sql.DB, visit func(T), query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("reading transcripts: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var one T
		if err := rows.Scan(&one); err != nil {
			return fmt.Errorf("reading transcripts: %w", err)
		}
		visit(one)
	}
	return rows.Err()
}

// columnMost is how much of a column is read.
const columnMost = 4 << 20

// table reads these columns of a table, each as text, until a row can't be read; nothing if there is no such table.
func table(ctx context.Context, db *sql.DB, name string, columns ...string) ([][]string, error) {
	has, err := sqlite.Columns(ctx, db, name)
	if err != nil || len(has) == 0 {
		return nil, err
	}
	var out [][]string
	err = sqlite.EachText(ctx, db, len(columns), func(row []string) { out = append(out, row) }, "SELECT "+sqlite.Select(has, columns, columnMost)+" FROM "+sqlite.Quote(name))
	if err != nil {
		err = fmt.Errorf("reading %s: %w", name, err)
	}
	return out, err
}

// rows are the events of a table, none longer than most.
func rows(ctx context.Context, db *sql.DB, session string, seqs *many.List[int64], most int) (events, error) {
	one, err := eventQuery(ctx, db, "session_id = ? AND seq = ?", most)
	if err != nil {
		return nil, err
	}
	return one.events(seqs, func(i int) []any { return []any{session, seqs.At(i)} }, nil), nil
}

// inPlace are the events of a session in a table whose index is damaged: those that are found without it. That there may be more is the
// error at their end.
func inPlace(ctx context.Context, db sqlite.Database, session string) (events, error) {
	places := map[int64]int64{} // rows by seqs
	all := db.Owned(ctx, "transcript_events", "session_id")
	lost := all.Lost
	for _, row := range all.Of(session) {
		err := sqlite.Each(ctx, db.DB, func(scan func(...any) error) error {
			var seq int64
			if err := scan(&seq); err != nil {
				return fmt.Errorf("reading transcripts: %w", err)
			}
			places[seq] = row
			return nil
		}, "SELECT seq FROM transcript_events WHERE rowid = ? AND session_id = ?", row, session)
		if lost == nil {
			lost = err
		}
	}
	if lost != nil && len(places) == 0 {
		return nil, lost
	}
	one, err := eventQuery(ctx, db.DB, "rowid = ?", eventMost)
	if err != nil {
		return nil, err
	}
	var seqs many.List[int64]
	for _, seq := range slices.Sorted(maps.Keys(places)) {
		seqs.Add(seq)
	}
	return one.events(&seqs, func(i int) []any { return []any{places[seqs.At(i)]} }, lost), nil
}

// query asks for one event of a table.
type query struct {
	db     *sql.DB
	text   string
	most   int
	unpack *zstd.Decoder
}

func eventQuery(ctx context.Context, db *sql.DB, where string, most int) (query, error) {
	has, err := sqlite.Columns(ctx, db, "transcript_events")
	if err != nil {
		return query{}, err
	}
	packed, length := "NULL", "NULL"
	if slices.Contains(has, "event_zstd") {
		packed = "event_zstd"
	}
	if slices.Contains(has, "event_json") {
		length = "octet_length(event_json)"
	}
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(most))) //nolint:gosec // a size is not negative
	if err != nil {
		return query{}, fmt.Errorf("decompressing: %w", err)
	}
	return query{db, "SELECT " + sqlite.Select(has, []string{"event_json"}, most) + ", " + length + ", " + packed + " FROM transcript_events WHERE " + where, most, unpack}, nil
}

// events asks for each alone, so that nothing is held while one is looked at. One that can't be read costs none of the others.
func (q query) events(seqs *many.List[int64], key func(i int) []any, end error) events {
	return func(ctx context.Context, broken func(sources.Line), visit func(gjson.Result) error) error {
		one, err := q.db.PrepareContext(ctx, q.text) // of what takes an event, SQL that is understood again is a half
		if err != nil {
			return fmt.Errorf("reading transcripts: %w", err)
		}
		defer func() { _ = one.Close() }() // it only reads
		for i := range seqs.Len() {
			seq := seqs.At(i)
			text, length, err := q.event(ctx, one, seq, key(i))
			if err != nil {
				return err
			}
			if length > int64(q.most) {
				if broken != nil {
					broken(sources.Line{Number: i + 1, Offset: seq, Length: length})
				}
				continue
			}
			if rec := gjson.ParseBytes(text); rec.IsObject() && json.Valid(text) {
				if err := visit(rec); err != nil {
					return err
				}
			} else if broken != nil {
				broken(sources.Line{Number: i + 1, Offset: seq, Text: text})
			}
		}
		return end
	}
}

// event is the text of one or, in its place, what is told as a line that nobody can read; and how long it is there.
func (q query) event(ctx context.Context, one *sql.Stmt, seq int64, key []any) (text []byte, bytes int64, err error) {
	var plain sqlite.Text
	var length sql.NullInt64
	var small []byte
	err = one.QueryRowContext(ctx, key...).Scan(&plain, &length, &small)
	switch text = []byte(plain); {
	case ctx.Err() != nil:
		return nil, 0, ctx.Err()
	case err != nil:
		return record.LeftOut(fmt.Sprintf("event %d can't be read: %v", seq, err)), 0, nil
	case len(text) == 0 && len(small) > 0:
		if text, err = q.unpack.DecodeAll(small, nil); err != nil {
			text = record.LeftOut(fmt.Sprintf("%d compressed bytes: %v", len(small), err))
		}
	}
	if len(text) == 0 {
		text = record.LeftOut(fmt.Sprintf("event %d is empty", seq))
	}
	return text, length.Int64, nil
}
