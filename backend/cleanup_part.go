package backend

import (
	"context"
	"encoding/json"
	"fmt"

	"palimpsest/backend/session"
)

// What an answer of [Backend.CleanUpPart] holds at most: so many rows and bytes of them, ids and failures. All of it is within 1 MiB.
const (
	cleanedRows      = 100
	cleanedRowsMost  = 500
	cleanedRowsBytes = 256 << 10
	cleanedIDs       = 20_000
	cleanedFailures  = 100
)

// CleanupPart is a rule, and which part of what goes by it is to be told: so many rows, from one on.
type CleanupPart struct {
	Cleanup
	// From is the number of the first, from 0.
	From int `json:"from"`
	// Rows is how many whole rows are told; 0 for 100, and at most 500.
	Rows int `json:"rows"`
}

// CleanedPart is a part of what goes, or went, to the trash. Count, Bytes and FailedCount are of all of it.
type CleanedPart struct {
	Cleaned
	// IDs are those of Sessions and of what follows them, as many as there is room for; Next is the number of the first that is missing
	// behind these, nil if none is.
	IDs  []string `json:"ids"`
	Next *int     `json:"next"`
	// FailedCount is how many could not be moved, of which Failed has the first.
	FailedCount int `json:"failedCount"`
}

// CleanUpPart is [Backend.CleanUp] for who can't be told of everything at once.
func (b *Backend) CleanUpPart(ctx context.Context, asked CleanupPart) (CleanedPart, error) {
	if asked.From < 0 || asked.Rows < 0 {
		return CleanedPart{}, fmt.Errorf("%w: from %d, rows %d: numbers from 0 on", session.ErrInput, asked.From, asked.Rows)
	}
	all, err := b.CleanUp(ctx, asked.Cleanup)
	if err != nil {
		return CleanedPart{}, err
	}
	return all.part(asked.From, asked.Rows), nil
}

func (c *Cleaned) part(from, rows int) CleanedPart {
	if rows == 0 {
		rows = cleanedRows
	}
	rest := c.Sessions[min(from, len(c.Sessions)):]
	out := CleanedPart{Cleaned: *c, IDs: []string{}, FailedCount: len(c.Failed)}
	out.Failed = c.Failed[:min(cleanedFailures, len(c.Failed))]
	out.Sessions = rowsWithin(rest[:min(rows, cleanedRowsMost, len(rest))], cleanedRowsBytes)
	for i := range rest[:min(cleanedIDs, len(rest))] {
		out.IDs = append(out.IDs, rest[i].ID)
	}
	if next := from + len(out.IDs); next < len(c.Sessions) {
		out.Next = &next
	}
	return out
}

// rowsWithin are the first of some rows, as many as have so many bytes together.
func rowsWithin(rows []Session, most int) []Session {
	for i := range rows {
		text, err := json.Marshal(&rows[i])
		if most -= len(text); err != nil || most < 0 {
			return rows[:i]
		}
	}
	return rows
}
