package session

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"palimpsest/backend/record"
)

// Line is one line of the log that is not blank, as the index knows it.
type Line struct {
	Offset int64
	Length int64 // without the newline
	Seq    int64 // 0 for a damaged line
	Number int32 // from 1, blank lines included
	Kind   LineKind
}

// LineKind says what a line is.
type LineKind uint8

// The kinds of lines.
const (
	LineDamaged LineKind = iota
	LineNewer
	LineUser
	LineAssistant
	LineToolResult
	LineOverlay // any other record
	LineNote    // a note that the model gets something of
	LineAside   // what a person alone was shown
)

// Index knows where each line of a log is. It is built by one streaming pass and extended by what was appended since;
// it holds the lines, see [Lines], and of some records what they do, see [Indexed].
type Index struct {
	Lines    Lines
	Overlays []Indexed
	Damage   []Damage
	// Size is how much of the file is indexed.
	Size int64
	// Counts is what lists show.
	Counts
	// Skimmed says that messages were not read beyond their headers: one that is damaged behind them counts as whole, of those that a
	// person alone was shown only the user's are told apart, and of the counts only the numbers of records are there.
	Skimmed bool

	kept keptState
	// countsOnly keeps neither lines nor overlays: a list needs only the numbers.
	countsOnly bool
	// visit is shown each line as it is indexed, and then counts for itself; nil for none.
	visit func(i int, line Line, header record.Header, content []byte)
}

// keptState is the index without an unterminated last line, which the next append may turn into something else.
type keptState struct {
	size    int64
	lines   int // physical lines
	records int // Lines
	overlay int // Overlays
	damage  int // Damage
	seq     int64
	bad     []badLine
	counts  Counts
}

// Extend indexes what r holds up to size and was not indexed yet. A log that shrank is not the same log any more and
// is indexed anew. On an error the index is as it was.
func (x *Index) Extend(r io.ReaderAt, size int64) error {
	if size < x.Size {
		*x = Index{countsOnly: x.countsOnly, visit: x.visit}
	}
	return x.extend(r, size)
}

// Skim is [Index.Extend] many times as fast, for a first look at a large log: see Skimmed. Positions are those that
// Extend finds.
func (x *Index) Skim(r io.ReaderAt, size int64) error {
	if size < x.Size {
		*x = Index{}
	}
	x.Skimmed = true
	return x.extend(r, size)
}

// Follow is [Index.Extend] for who reads the records, too: each is shown once it is indexed, with its index and without what
// stands around it on the line; its bytes are valid until the visit returns. A damaged line has none. Of the counts only the numbers
// of records are kept.
func (x *Index) Follow(r io.ReaderAt, size int64, visit func(i int, line Line, header record.Header, content []byte)) error {
	x.visit = visit
	err := x.Extend(r, size)
	x.visit = nil
	return err
}

func (x *Index) extend(r io.ReaderAt, size int64) error {
	b := x.resume()
	lines := x.linesOf(r, b.kept.size, size)
	defer lines.close()
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if !line.terminated {
			b.markKept()
		}
		b.add(line)
		if line.terminated {
			b.state.size = line.end
		}
	}
	b.finish(size)
	*x = b.Index
	return nil
}

// lineReader gives the lines of a log one after the other, and io.EOF behind the last.
type lineReader interface {
	next() (rawLine, error)
	close()
}

// linesOf reads the lines of a log between two places; where there is much to skim, with all the machine has.
func (x *Index) linesOf(r io.ReaderAt, from, to int64) lineReader {
	if x.Skimmed && to-from > manyBytes {
		return newStretches(r, from, to, stretchBytes)
	}
	return newForwardLines(io.NewSectionReader(r, from, to-from), from)
}

// builder extends a copy of an index.
type builder struct {
	Index
	state  keptState
	marked bool
}

// resume takes the index back to its last terminated line.
func (x *Index) resume() builder {
	k := x.kept
	b := builder{Index: *x, state: k}
	// Cut and clipped, so that what readers of the old index hold is never written to.
	b.Lines = x.Lines.UpTo(k.records)
	b.Overlays = slices.Clip(x.Overlays[:k.overlay])
	b.Damage = slices.Clip(x.Damage[:k.damage])
	b.Counts, b.state.bad = k.counts, slices.Clone(k.bad)
	return b
}

func (b *builder) add(line rawLine) {
	b.state.lines++
	content, ok := line.trim()
	if !ok {
		return
	}
	entry := Line{Offset: line.offset, Length: int64(len(line.bytes)), Number: int32(b.state.lines)}
	header, err := b.header(line, content)
	if err != nil {
		b.state.bad = append(b.state.bad, line.bad(err, b.state.lines, b.Lines.Len()))
		b.addLine(entry)
		b.show(record.Header{}, nil)
		return
	}
	at := place{line.offset, b.state.lines, b.Lines.Len()}
	b.Damage = append(b.Damage, judge(b.state.seq, b.state.bad, header.Seq, at)...)
	b.state.seq, b.state.bad = header.Seq, nil
	entry.Seq, entry.Kind = header.Seq, b.count(header, content)
	b.addLine(entry)
	b.show(header, content)
}

func (b *builder) show(header record.Header, content []byte) {
	if b.visit != nil {
		b.visit(b.Lines.Len()-1, b.Lines.At(b.Lines.Len()-1), header, content)
	}
}

func (b *builder) header(line rawLine, content []byte) (record.Header, error) {
	if line.peeked {
		return line.header, nil
	}
	if b.Skimmed {
		if header, ok := record.Peek(content); ok {
			return header, nil
		}
	}
	return record.Scan(content)
}

func (b *builder) addLine(line Line) {
	if !b.countsOnly {
		b.Lines.add(line)
	}
}

func kindOf(h record.Header) LineKind {
	switch {
	case h.Newer:
		return LineNewer
	case h.Role == record.RoleUser:
		return LineUser
	case h.Role == record.RoleAssistant:
		return LineAssistant
	case h.Role == record.RoleToolResult:
		return LineToolResult
	}
	return LineOverlay
}

// markKept remembers the index as it is before an unterminated line.
func (b *builder) markKept() {
	b.kept, b.marked = b.snapshot(), true
}

func (b *builder) snapshot() keptState {
	k := b.state
	k.bad = slices.Clone(b.state.bad)
	k.records, k.overlay, k.damage, k.counts = b.Lines.Len(), len(b.Overlays), len(b.Damage), b.Counts
	return k
}

// finish closes the index at the end of the file. Damage that the end settles is not kept: a record that follows later
// may settle it otherwise.
func (b *builder) finish(size int64) {
	if !b.marked {
		b.kept = b.snapshot()
	}
	b.Damage = append(b.Damage, judge(b.state.seq, b.state.bad, 0, place{})...)
	b.Size = size
}

// Find returns the index of the last line that has this seq.
func (x *Index) Find(seq int64) (int, error) {
	for i, line := range x.Lines.Backward() {
		if line.Seq == seq && seq > 0 {
			return i, nil
		}
	}
	return 0, fmt.Errorf("record %d: %w", seq, ErrNoRecord)
}
