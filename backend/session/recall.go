package session

import (
	"fmt"
	"io"

	"palimpsest/backend/record"
)

// Recall reads records of a log anew, by where their lines begin. It holds one line; those that stand one behind the other are read in
// one pass.
type Recall struct {
	log   io.ReaderAt
	end   int64
	lines *forwardLines
}

// NewRecall reads lines before byte end.
func NewRecall(log io.ReaderAt, end int64) *Recall { return &Recall{log: log, end: end} }

// recallNear is how far on it is cheaper to read than to begin anew.
var recallNear int64 = 256 << 10

// At is the record whose line begins there.
func (r *Recall) At(offset int64) (record.Record, error) {
	if r.lines == nil || offset < r.lines.offset || offset > r.lines.offset+recallNear {
		r.Close()
		r.lines = newForwardLines(io.NewSectionReader(r.log, offset, r.end-offset), offset)
	}
	for {
		line, err := r.lines.next()
		if err != nil {
			return record.Record{}, fmt.Errorf("reading the record at byte %d again: %w", offset, err)
		}
		if line.offset < offset {
			continue
		}
		content, _ := line.trim()
		rec, err := record.Decode(content)
		if err != nil {
			return rec, fmt.Errorf("the record at byte %d changed while it was read: %w", offset, err)
		}
		return rec, nil
	}
}

// Close ends the reading.
func (r *Recall) Close() {
	if r.lines != nil {
		r.lines.close()
		r.lines = nil
	}
}
