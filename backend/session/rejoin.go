package session

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

// Some agents take out of their files what they have summarized. Then a copy from before has what the original has not any more: the summary, and
// what is behind the messages that both have, go to its end.

// Rejoined says what became of a copy whose original is something else now.
type Rejoined int

// What became of it.
const (
	// NotRejoined is one whose original has summarized nothing, or still has what it has summarized.
	NotRejoined Rejoined = iota
	// Alone is one that has what its original has no more than a summary of, and to which it can't be told what is to be added.
	Alone
	// Complete is one that has all of its original, and Added one to which the rest was added.
	Complete
	Added
)

// Rejoin adds to a copy that nobody continued what its original has more, if that begins with a summary in the place of messages of the copy.
func (s *Store) Rejoin(ctx context.Context, id string, from Imported, original io.ReaderAt, blobs string) (Rejoined, error) {
	release, err := s.Lock(ctx, id)
	if err != nil {
		return NotRejoined, err
	}
	defer release()
	did, err := s.rejoin(id, from, original, blobs)
	if err != nil {
		err = fmt.Errorf("session %s: adding what is new: %w", id, err)
	}
	return did, err
}

func (s *Store) rejoin(id string, from Imported, original io.ReaderAt, blobs string) (Rejoined, error) {
	dir := s.dir(id)
	m, err := s.readForWriting(id)
	if err != nil {
		return NotRejoined, err
	}
	log, err := openLog(dir)
	if err != nil {
		return NotRejoined, err
	}
	defer func() { _ = log.Close() }() // every byte was synced or reported before
	if standing, err := standingOf(log, m.ImportedFrom, original, from.Bytes); err != nil || standing != Untouched {
		return NotRejoined, err
	}
	lines := func() io.Reader { return io.NewSectionReader(original, 0, from.Bytes) }
	now, err := retold(lines())
	if err != nil || !now.summarizes {
		return NotRejoined, err
	}
	before, err := told(io.NewSectionReader(log, 0, m.ImportedFrom.Bytes))
	if err != nil {
		return NotRejoined, err
	}
	both := before.overlap(&now)
	switch {
	case now.summary == nil && !now.leads && !before.beginsBefore(&now):
		return NotRejoined, nil
	case now.summary == nil || both == 0:
		return Alone, nil
	}
	kept := before.seqs.At(before.seqs.Len() - both)
	known := before.kept == kept && before.said == gjson.GetBytes(now.summary, "summary").Str
	if known && both == now.prints.Len() {
		return Complete, nil
	}
	if err := bringBlobs(lines(), blobs, dir); err != nil {
		return NotRejoined, err
	}
	more := joint{out: bufio.NewWriter(log), seq: before.last}
	if !known {
		more.compaction(now.summary, kept)
	}
	if err = more.rest(lines(), 1+both); err == nil {
		err = s.rejoined(dir, id, m, from, log)
	}
	if err != nil { // half of it would be taken for a person's; by a handle of its own, since one that appends can't cut off on Windows
		return NotRejoined, errors.Join(err, os.Truncate(s.LogPath(id), m.ImportedFrom.Bytes))
	}
	return Added, nil
}

// rejoined writes down that a log is a copy as it is now.
func (s *Store) rejoined(dir, id string, m Metadata, from Imported, log *os.File) error {
	info, err := log.Stat()
	if err != nil {
		return err
	}
	from.Bytes = info.Size()
	return s.isCopy(dir, id, m, from, log)
}

// joint writes lines with numbers that go on from those of a log.
type joint struct {
	out *bufio.Writer
	seq int64
}

func (j *joint) compaction(line []byte, kept int64) {
	j.line(numbered(line, "firstKeptSeq", kept))
}

// rest writes the lines behind the first ones.
func (j *joint) rest(lines io.Reader, skip int) error {
	err := eachLine(lines, func(line []byte) {
		if skip--; skip < 0 {
			j.line(line)
		}
	})
	return errors.Join(err, j.out.Flush())
}

func (j *joint) line(line []byte) {
	j.seq++
	_, _ = j.out.Write(append(numbered(line, "seq", j.seq), '\n')) // told by its Flush
}

// numbered is a line with another number.
func numbered(line []byte, name string, n int64) []byte {
	value := gjson.GetBytes(line, name)
	out := slices.Grow(bytes.Clone(line[:value.Index]), len(line))
	out = strconv.AppendInt(out, n, 10)
	return append(out, line[value.Index+len(value.Raw):]...)
}
