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

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/siphash"
)

// Some agents take out of their files what they have summarized. Then a copy from before has what the original has not any more: the summary, and
// what is behind the messages that both have, go to its end.

// Rejoined says what became of a copy whose original is something else now.
type Rejoined int

// What became of it.
const (
	// NotRejoined is one whose original does not begin with a summary.
	NotRejoined Rejoined = iota
	// Alone is one whose original has no more than a summary of what the copy has, and nothing that is in both.
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
	if err != nil || now.summary == nil {
		return NotRejoined, err
	}
	before, err := told(io.NewSectionReader(log, 0, m.ImportedFrom.Bytes))
	if err != nil {
		return NotRejoined, err
	}
	both := before.overlap(&now)
	if both == 0 {
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
	if err := more.rest(lines(), 1+both); err != nil {
		return NotRejoined, errors.Join(err, log.Truncate(m.ImportedFrom.Bytes)) // half of it would be taken for a person's
	}
	return Added, s.rejoined(dir, id, m, from, log)
}

// rejoined writes down that a log is a copy as it is now.
func (s *Store) rejoined(dir, id string, m Metadata, from Imported, log *os.File) error {
	if err := s.sync(log); err != nil {
		return err
	}
	info, err := log.Stat()
	if err != nil {
		return err
	}
	from.Bytes = info.Size()
	if from.SHA256, err = sumOf(log, from.Bytes); err != nil {
		return err
	}
	x, err := indexCounts(log, m)
	if err != nil {
		return err
	}
	m.ImportedFrom = &from
	m.follow(id, x)
	return writeMetadata(dir, m)
}

// outline is what a log has: the sums of what its messages and notes say, and their seqs.
type outline struct {
	prints many.List[uint64]
	seqs   many.List[int64]
	last   int64
	// summary is the line of a compaction that the log begins with, nil for none.
	summary []byte
	// said is the summary of the last one, and kept what it keeps from.
	said string
	kept int64
	// other tells of a record that points at others, or of damage.
	other bool
}

// retold outlines an original. It has a summary only if that keeps nothing, and nothing but messages and notes follows.
func retold(lines io.Reader) (o outline, err error) {
	first := true
	err = eachLine(lines, func(line []byte) {
		if first && o.take(line) == record.TypeCompaction && o.kept == o.last {
			o.summary = slices.Clone(line)
		} else if !first && o.take(line) == record.TypeCompaction {
			o.other = true
		}
		first = false
	})
	if o.other {
		o.summary = nil
	}
	return o, err
}

// told outlines a copy. In one in which records point at others than the last messages, nothing is the same as anywhere else.
func told(lines io.Reader) (o outline, err error) {
	err = eachLine(lines, func(line []byte) { o.take(line) })
	if o.other {
		o.prints.Cut(0)
	}
	return o, err
}

func (o *outline) take(line []byte) record.Type {
	header, err := record.Scan(line)
	rec := gjson.ParseBytes(line)
	switch {
	case err != nil:
		o.other = true
		return ""
	case header.Type == record.TypeMessage, header.Type == record.TypeNote:
		o.prints.Add(printOf(rec))
		o.seqs.Add(header.Seq)
	case header.Type == record.TypeCompaction && !rec.Get("replacement").Exists():
		o.said, o.kept = rec.Get("summary").Str, rec.Get("firstKeptSeq").Int()
	default:
		o.other = true
	}
	o.last = header.Seq
	return header.Type
}

// overlap is how many of the last messages are the first ones of another log.
func (o *outline) overlap(next *outline) int {
	for n := min(o.prints.Len(), next.prints.Len()); n > 0; n-- {
		same := true
		for i := 0; i < n && same; i++ {
			mark := next.prints.At(i)
			same = mark != 0 && mark == o.prints.At(o.prints.Len()-n+i)
		}
		if same {
			return n
		}
	}
	return 0
}

// printOf tells messages apart by what was said, and when; without a time nothing does, for the same may be said twice.
func printOf(rec gjson.Result) uint64 {
	at := rec.Get("timestamp").Str
	if at == "" {
		return 0
	}
	h := siphash.Ours().New()
	put := func(text string) {
		h.WriteString(text)
		h.Add(0)
	}
	put(at)
	for _, name := range []string{"recordType", "role", "toolCallId", "namespace"} {
		put(rec.Get(name).Str)
	}
	rec.Get("content").ForEach(func(_, block gjson.Result) bool {
		for _, name := range []string{"type", "text", "id", "name", "blob"} {
			put(block.Get(name).Str)
		}
		put(block.Get("arguments").Raw)
		return true
	})
	return max(h.Sum(), 1)
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
