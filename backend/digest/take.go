package digest

import (
	"hash/crc32"

	"palimpsest/backend/index"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Taker makes the digest of a log while that is written, from its records, so that nobody has to read what was just written.
type Taker struct {
	*reader
	size int64
	sum  uint32
}

// Take returns what takes the lines of a log of another agent's session, in order, and hands its texts to emit. It is what [Read] makes
// of that log.
func Take(opts Options, emit func(index.Text) error) *Taker {
	opts.Own = false
	return &Taker{reader: newReader(opts, emit)}
}

var newline = []byte{'\n'}

// Line takes the next line, without its newline. rec is its record, nil if nobody has read it yet; copied tells that the record says
// that another session counts it.
func (t *Taker) Line(line []byte, rec *record.Record, copied bool) error {
	at := t.size
	t.size += int64(len(line)) + 1
	t.sum = crc32.Update(crc32.Update(t.sum, castagnoli, line), castagnoli, newline)
	if rec == nil {
		var blank bool
		if rec, blank = scanned(line, at == 0); blank {
			return nil
		}
		copied = rec != nil && t.figures.copiedIn(rec)
	}
	i, place := t.index.Take(at, int64(len(line)), rec)
	if rec == nil {
		t.damaged(place)
		return t.texts.err
	}
	t.record(i, place, rec, copied)
	return t.texts.err
}

// scanned reads a line, as [session.Index] does; nil for one that is damaged.
func scanned(line []byte, first bool) (rec *record.Record, blank bool) {
	content, ok := session.Content(line, first)
	if !ok {
		return nil, true
	}
	header, err := record.Scan(content)
	if err != nil {
		return nil, false
	}
	read := record.DecodeScanned(header, content)
	return &read, false
}

// End is the digest of all that was taken.
func (t *Taker) End() (*Digest, error) {
	if t.texts.err != nil {
		return nil, t.texts.err
	}
	t.index.Size = t.size
	return t.end(t.size, t.sum, t.size > 0), nil
}
