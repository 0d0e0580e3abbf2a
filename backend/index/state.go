package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
)

// state is the one row that says how the index stands.
type state struct {
	version, next, packs, removals, sessions, loose, small, sheets, text, live int64
}

func (s *state) fields() []*int64 {
	return []*int64{&s.version, &s.next, &s.packs, &s.removals, &s.sessions, &s.loose, &s.small, &s.sheets, &s.text, &s.live}
}

func (s *state) sum() int64 {
	var data []byte
	for _, f := range s.fields() {
		data = binary.AppendVarint(data, *f)
	}
	return int64(checksum(1, data))
}

func readState(ctx context.Context, q querier) (state, error) {
	var s state
	var sum int64
	args := make([]any, 0, 11)
	for _, f := range s.fields() {
		args = append(args, f)
	}
	err := q.QueryRowContext(ctx, "SELECT version, next, packs, removals, sessions, loose, small, sheets, text, live, sum FROM state WHERE id = 1").Scan(append(args, &sum)...)
	if errors.Is(err, sql.ErrNoRows) || err == nil && sum != s.sum() {
		return s, errDamaged
	}
	if err != nil {
		return s, fmt.Errorf("reading the state of the index: %w", scanned(err))
	}
	return s, nil
}

func (s *state) save(ctx context.Context, tx *prepared) error {
	args := make([]any, 0, 11)
	for _, f := range s.fields() {
		args = append(args, *f)
	}
	return tx.exec(ctx, "REPLACE INTO state VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", append(args, s.sum())...)
}

// give gives out a number.
func (s *state) give() int64 {
	s.next++
	return s.next - 1
}
