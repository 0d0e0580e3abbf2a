package openclaw

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sqlite"
)

// archiveRow begins the row of a session that was set aside in a database; its id and the archive's name follow.
const archiveRow = "archive\n"

// eventMost is how long one event may be in a database.
const eventMost = sources.LineMost

// eventsOf finds where a database has the events of a session, and the id that they are under.
func eventsOf(ctx context.Context, db *sql.DB, path, row string) (events, string, error) {
	if rest, is := strings.CutPrefix(row, archiveRow); is {
		id, name, _ := strings.Cut(rest, "\n")
		from, err := blob(ctx, db, "SELECT archive_blob, encoding FROM session_transcript_archives WHERE session_id = ? AND archive_name = ?", id, name)
		return from, id, err
	}
	seqs, err := list[int64](ctx, db, "SELECT seq FROM transcript_events WHERE session_id = ? ORDER BY seq", row)
	if err != nil {
		return nil, "", err
	}
	if len(seqs) > 0 {
		from, err := rows(ctx, db, row, seqs, eventMost)
		return from, row, err
	}
	from, err := cold(ctx, db, path, row)
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
func list[T any](ctx context.Context, db *sql.DB, query string, args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading transcripts: %w", err)
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		var one T
		if err := rows.Scan(&one); err != nil {
			return nil, fmt.Errorf("reading transcripts: %w", err)
		}
		out = append(out, one)
	}
	return out, rows.Err()
}

// rows are the events of a table, none longer than most. Each is asked for alone, so that nothing is held while one is looked at.
func rows(ctx context.Context, db *sql.DB, session string, seqs []int64, most int) (events, error) {
	has, err := sqlite.Columns(ctx, db, "transcript_events")
	if err != nil {
		return nil, err
	}
	packed, length := "NULL", "NULL"
	if slices.Contains(has, "event_zstd") {
		packed = "event_zstd"
	}
	if slices.Contains(has, "event_json") {
		length = "octet_length(event_json)"
	}
	query := "SELECT " + sqlite.Select(has, []string{"event_json"}, most) + ", " + length + ", " + packed + " FROM transcript_events WHERE session_id = ? AND seq = ?"
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(most))) //nolint:gosec // a size is not negative
	if err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	return func(ctx context.Context, broken func(sources.Line), visit func(gjson.Result) error) error {
		for i, seq := range seqs {
			var plain sqlite.Text
			var length sql.NullInt64
			var small []byte
			if err := db.QueryRowContext(ctx, query, session, seq).Scan(&plain, &length, &small); err != nil {
				return fmt.Errorf("reading event %d: %w", seq, err)
			}
			if length.Int64 > int64(most) {
				if broken != nil {
					broken(sources.Line{Number: i + 1, Offset: seq, Length: length.Int64})
				}
				continue
			}
			text := []byte(plain)
			if len(text) == 0 && len(small) > 0 {
				if text, err = unpack.DecodeAll(small, nil); err != nil {
					text = record.LeftOut(fmt.Sprintf("%d compressed bytes: %v", len(small), err)) // told of as a line that nobody can read
				}
			}
			if len(text) == 0 {
				text = record.LeftOut(fmt.Sprintf("event %d is empty", seq))
			}
			if rec := gjson.ParseBytes(text); rec.IsObject() && json.Valid(text) {
				if err := visit(rec); err != nil {
					return err
				}
			} else if broken != nil {
				broken(sources.Line{Number: i + 1, Offset: seq, Text: text})
			}
		}
		return nil
	}, nil
}
