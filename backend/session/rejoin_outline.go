package session

import (
	"io"
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/siphash"
)

// outline is what a log has: the sums of what its messages and notes say, and their seqs.
type outline struct {
	prints many.List[uint64]
	seqs   many.List[int64]
	last   int64
	// summary is the line of a compaction that the log begins with, nil for none; summarizes tells of any in it.
	summary []byte
	// leads tells that it begins with one, whatever follows, and summarizes that there is any in it.
	leads, summarizes bool
	// said is the summary of the last one, and kept what it keeps from: what is behind it where it keeps nothing, which open tells until that comes.
	said string
	kept int64
	open bool
	// other tells of a record that points at others, or of damage.
	other bool
}

// retold outlines an original. It has a summary only if that keeps nothing, and nothing but messages and notes follows.
func retold(lines io.Reader) (o outline, err error) {
	first := true
	err = eachLine(lines, func(line []byte) {
		if first && o.take(line) == record.TypeCompaction && o.kept == o.last {
			o.summary, o.leads = slices.Clone(line), true
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

// told outlines a copy.
func told(lines io.Reader) (o outline, err error) {
	err = eachLine(lines, func(line []byte) { o.take(line) })
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
		if o.open {
			o.kept, o.open = header.Seq, false
		}
	case header.Type == record.TypeCompaction:
		o.summarizes = true
		o.said, o.kept = rec.Get("summary").Str, rec.Get("firstKeptSeq").Int()
		o.open = o.kept == header.Seq
		o.other = o.other || rec.Get("replacement").Exists()
	default:
		o.other = true
	}
	o.last = header.Seq
	return header.Type
}

// beginsBefore tells whether another log begins in the middle of this one.
func (o *outline) beginsBefore(other *outline) bool {
	for i := 1; i < o.prints.Len() && other.prints.Len() > 0; i++ {
		if o.prints.At(i) == other.prints.At(0) && o.prints.At(0) != other.prints.At(0) {
			return true
		}
	}
	return false
}

// timed is the bit of a print that tells of a message with a time.
const timed = 1

// overlap is how many of the last messages are the first ones of another log; none in a log in which records point at others than the last ones.
// One alone is no other's only if it has a time: the same may be said twice.
func (o *outline) overlap(next *outline) int {
	if o.other {
		return 0
	}
	for n := min(o.prints.Len(), next.prints.Len()); n > 0; n-- {
		same := n > 1 || next.prints.At(0)&timed != 0
		for i := 0; i < n && same; i++ {
			same = next.prints.At(i) == o.prints.At(o.prints.Len()-n+i)
		}
		if same {
			return n
		}
	}
	return 0
}

// printOf tells messages apart by what was said, and when, if anybody knows that.
func printOf(rec gjson.Result) uint64 {
	at := rec.Get("timestamp").Str
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
	if at == "" {
		return h.Sum() &^ timed
	}
	return h.Sum() | timed
}
