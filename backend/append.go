package backend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Append writes a batch of records, given as JSON lines without seq, and returns their seqs. A bad line: nothing is
// written, and the error names the line.
func (b *Backend) Append(ctx context.Context, id string, lines io.Reader) ([]int64, error) {
	if err := session.CheckID(id); err != nil {
		return nil, err
	}
	batch, err := b.drafts(lines)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	return b.store.Append(ctx, id, batch)
}

// drafts reads a batch; blank lines separate nothing and count for line numbers only.
func (b *Backend) drafts(lines io.Reader) ([]record.Draft, error) {
	batch := []record.Draft{}
	reader := bufio.NewReader(lines)
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("reading the records: %w", err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			draft, why := b.store.Draft(text)
			if why != nil {
				return nil, fmt.Errorf("line %d: %w", number, why)
			}
			batch = append(batch, draft)
		}
		if errors.Is(err, io.EOF) {
			return batch, nil
		}
	}
}

// Revert takes back a compaction or a prune by appending a revert. If the last record that has seq is a revert itself,
// what it took back is appended again. It returns the new record's seq.
func (b *Backend) Revert(ctx context.Context, id string, seq int64) (int64, error) {
	view, err := b.view(id)
	if err != nil {
		return 0, err
	}
	defer view.close()
	i, err := view.index.Find(seq)
	if err != nil {
		return 0, fmt.Errorf("session %s: %w", id, err)
	}
	object, err := view.revertOf(i, seq)
	if err != nil {
		return 0, fmt.Errorf("session %s: %w", id, err)
	}
	draft, err := b.store.Draft(object)
	if err != nil {
		return 0, fmt.Errorf("session %s: %w", id, err)
	}
	seqs, err := b.store.Append(ctx, id, []record.Draft{draft})
	if err != nil {
		return 0, err
	}
	return seqs[0], nil
}

// InForce is the seq of the compaction in force, 0 if there is none.
func (b *Backend) InForce(id string) (int64, error) {
	c, err := b.Context(id, ContextOptions{WithoutMessages: true})
	if err != nil || c.CompactionSeq == nil {
		return 0, err
	}
	return *c.CompactionSeq, nil
}

// copyOf is a record as it may be appended again: without its seq and its time.
func copyOf(rec record.Record) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(rec.JSON), &members); err != nil {
		return nil, fmt.Errorf("copying record %d: %w", rec.Seq, err)
	}
	delete(members, "seq")
	delete(members, "timestamp")
	text, err := json.Marshal(members)
	if err != nil {
		return nil, fmt.Errorf("copying record %d: %w", rec.Seq, err)
	}
	return text, nil
}
