package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"time"
)

// row is a session's row with what the index itself keeps in it.
type row struct {
	Session
	row                 int64 // its number, a new one whenever it is put
	texts, named, bytes int64
	pieces              int64 // how many there are
}

// noTime is how the zero time is stored.
const noTime = math.MinInt64

func toNano(t time.Time) int64 {
	if t.IsZero() {
		return noTime
	}
	return nanos(t)
}

// nanos is a time in billionths of seconds since 1970, or the nearest that is one: files say of themselves whatever they like.
func nanos(t time.Time) int64 {
	switch {
	case t.After(latest):
		return math.MaxInt64
	case t.Before(earliest):
		return noTime + 1
	}
	return t.UnixNano()
}

// earliest is of 1677, latest of 2262.
var earliest, latest = time.Unix(0, noTime+1), time.Unix(0, math.MaxInt64)

func fromNano(n int64) time.Time {
	if n == noTime {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

func (r *row) sum() int64 {
	sum, _ := r.sumIn(nil)
	return sum
}

// sumIn is the sum of the row, made in a buffer, which is given back: of thousands of rows it need not be made anew.
func (r *row) sumIn(buffer []byte) (sum int64, used []byte) {
	data := buffer[:0]
	for _, n := range []int64{toNano(r.Updated), r.Offset, r.texts, r.named, r.bytes, r.Revision, int64(len(r.ID)), int64(len(r.Stamp)), gone(r.Gone)} {
		data = binary.AppendVarint(data, n)
	}
	data = append(append(data, r.ID...), r.Stamp...)
	if r.pieces > 0 { // older versions had none
		data = binary.AppendVarint(data, r.pieces)
	}
	return int64(crc32.Update(checksum(r.row, data), castagnoli, r.Digest)), data
}

func gone(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// save writes a row in place of the one that the session has, and its pieces behind those that are there.
func (r *row) save(ctx context.Context, tx *prepared) error {
	if err := r.addPieces(ctx, tx); err != nil {
		return err
	}
	digest := r.Digest
	if digest == nil {
		digest = []byte{}
	}
	return tx.exec(ctx, "REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		r.row, r.ID, r.Stamp, toNano(r.Updated), r.Offset, gone(r.Gone), r.texts, r.named, r.bytes, r.Revision, r.pieces, r.sum(), digest)
}

const rowColumns = "SELECT row, id, stamp, updated, read, gone, texts, named, bytes, changed, pieces, sum, digest FROM sessions"

// rowReader reads rows one after the other.
type rowReader struct {
	digest sql.RawBytes
	buffer []byte
}

// read reads a row. Its digest is valid until the next one is read.
func (x *rowReader) read(rows *sql.Rows) (row, error) {
	var r row
	var updated, isGone, stored int64
	if err := rows.Scan(&r.row, &r.ID, &r.Stamp, &updated, &r.Offset, &isGone, &r.texts, &r.named, &r.bytes, &r.Revision, &r.pieces, &stored, &x.digest); err != nil {
		return r, scanned(err)
	}
	r.Updated, r.Gone, r.Digest = fromNano(updated), isGone != 0, []byte(x.digest)
	sum, used := r.sumIn(x.buffer)
	if x.buffer = used; sum != stored {
		return r, errDamaged
	}
	return r, nil
}

// eachRow calls f for the rows that a condition selects. The digest is valid during the call.
func eachRow(ctx context.Context, q querier, f func(row) error, where string, args ...any) error {
	rows, err := q.QueryContext(ctx, rowColumns+" "+where, args...)
	if err != nil {
		return fmt.Errorf("reading sessions of the index: %w", err)
	}
	defer rows.Close()
	var reader rowReader
	for rows.Next() {
		r, err := reader.read(rows)
		if err != nil {
			return err
		}
		if err := f(r); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading sessions of the index: %w", err)
	}
	return nil
}

// rowOf is the row of a session, or one with nothing but its id.
func rowOf(ctx context.Context, q querier, id string) (row, bool, error) {
	found := row{Session: Session{ID: id}}
	there := false
	err := eachRow(ctx, q, func(r row) error {
		found, there = r, true
		found.Digest = append([]byte(nil), r.Digest...)
		return nil
	}, "WHERE id = ?", id)
	return found, there, err
}

// scanned tells a value that can't be what was written from other errors: only damage can have put it there.
func scanned(err error) error {
	if err != nil && strings.Contains(err.Error(), "Scan error on column") {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return err
}
