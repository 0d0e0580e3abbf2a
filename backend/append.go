package backend

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"palimpsest/backend/record"
)

// Append writes a batch of records, given as JSON lines without seq, and returns their seqs. A bad line: nothing is
// written, and the error names the line.
func (b *Backend) Append(ctx context.Context, id string, lines io.Reader) ([]int64, error) {
	if _, err := b.store.Metadata(id); err != nil {
		return nil, err
	}
	batch, err := b.batchOf(lines)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	return b.store.Append(ctx, id, batch)
}

// byteOrderMark is what PowerShell puts before what it pipes.
const byteOrderMark = "\uFEFF"

// batchOf reads a batch; blank lines separate nothing and count for line numbers only.
func (b *Backend) batchOf(lines io.Reader) ([]record.Draft, error) {
	batch := []record.Draft{}
	reader := bufio.NewReader(lines)
	if mark, err := reader.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, err := reader.Discard(len(byteOrderMark))
		if err != nil {
			return nil, fmt.Errorf("reading the records: %w", err)
		}
	}
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
