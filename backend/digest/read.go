package digest

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"

	"palimpsest/backend/edge"
	"palimpsest/backend/index"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// Options of [Read] and [Continue].
type Options struct {
	About About
	// Location is the zone that days are told in; UTC if nil.
	Location *time.Location
	// Own tells that the log is one of ours: a record that names where it comes from is then a copy, and counted there.
	Own bool
	// CopiedTo is the seq up to which a fork's records are its parent's, and CopiedBefore the time before which what is said is
	// another session's, which was not there yet.
	CopiedTo     int64
	CopiedBefore time.Time
	// Anew tells that copies of the session have other times than it has.
	Anew bool
	// Same tells that what was said has a name that is the same in copies of it.
	Same bool
	// Begins tells that what is read on in begins with all that the digest before was made of, which then is not compared.
	Begins bool
	// Sum is what is known of a log of ours as far as the digest before is of it, and afterwards of all of it: then not all that stands there is
	// compared each time, but another part of it. May be nil.
	Sum *edge.Sum
	// Edge is a checksum of the files that the log was made of, 0 if it is not known.
	Edge uint32
	// Early has what does not change any more put away while a log is read from its start, see [Digest.Early].
	Early bool
	// Blob is a text that is kept beside the log; not ok if it is not there, or too large. May be nil.
	Blob func(sha string) (text string, ok bool)
}

// ErrAnew says that what was appended may have changed what became of earlier lines, so that the whole log is to be read.
var ErrAnew = errors.New("the whole log is to be read")

// Read reads a log of this size, hands its texts to emit, which may be nil, and returns its digest.
func Read(r io.ReaderAt, size int64, opts Options, emit func(index.Text) error) (*Digest, error) {
	d := newReader(opts, emit)
	if err := d.follow(r, size); err != nil {
		return nil, err
	}
	sum, ended, err := sumOf(r, size, opts.Own)
	if err != nil {
		return nil, err
	}
	return d.end(size, sum, ended), nil
}

// reader goes through a log once.
type reader struct {
	opts    Options
	out     *Digest
	index   session.Index
	figures *figures
	texts   texter
	account states.Account
	// from is the offset of the first line whose texts are wanted, and base the index of the first line there is.
	from int64
	base int
	// turn is where [Mark.Turn] will be.
	turn  mark
	open  unanswered
	tools waiting
	// orphan tells that a result was appended whose call is not known here.
	orphan bool
}

type mark struct {
	offset int64
	line   int
}

func newReader(opts Options, emit func(index.Text) error) *reader {
	d := &reader{opts: opts, figures: newFigures(opts)}
	if opts.Early {
		d.figures.putAwayEarly()
	}
	d.texts = texter{emit: emit, blob: opts.Blob}
	d.out = &Digest{Version: Version, About: opts.About, Edge: opts.Edge, Zone: Zone(opts.Location)}
	d.texts.text(index.Text{Seq: -1, Line: -1}, index.Name, opts.About.Title)
	return d
}

func (d *reader) follow(r io.ReaderAt, size int64) error {
	x := &d.index
	err := x.Follow(r, size, d.line)
	switch {
	case d.texts.err != nil:
		return d.texts.err
	case err != nil:
		return fmt.Errorf("reading the log: %w", err)
	}
	return nil
}

// line takes a line as it is indexed. Its place is known from what was indexed before.
func (d *reader) line(i int, place session.Line, header record.Header, content []byte) {
	if content == nil {
		d.damaged(place)
		return
	}
	rec := record.DecodeScanned(header, content)
	d.record(i, place, &rec, d.figures.copiedIn(&rec))
}

func (d *reader) damaged(place session.Line) {
	if place.Offset >= d.from {
		d.out.Damaged++
	}
}

// record takes the record of a line; copied tells that the line says that another session counts it.
func (d *reader) record(i int, place session.Line, rec *record.Record, copied bool) {
	d.account.Take(i, rec)
	if rec.Role == record.RoleUser {
		d.open.forget()
	}
	if rec.Role == record.RoleUser || rec.Role == record.RoleAssistant && d.open.none() {
		d.turn = mark{place.Offset, i}
	}
	tool := d.tool(rec)
	if place.Offset < d.from {
		return
	}
	d.orphan = d.orphan || tool == "" && rec.Message != nil && rec.Message.Role == record.RoleToolResult
	if rec.Time.After(d.out.Last) {
		d.out.Last = rec.Time
	}
	if (rec.Role == record.RoleUser || rec.Role == record.RoleAssistant) && rec.Time.After(d.out.Spoke) {
		d.out.Spoke = rec.Time
	}
	d.figures.count(rec, d.base+i, tool, copied)
	if d.texts.err == nil {
		d.texts.record(index.Text{Seq: rec.Seq, Line: d.base + i, Time: rec.Time, Tool: tool}, rec)
	}
}

// tool is the tool that a result is of. Calls wait for theirs.
func (d *reader) tool(rec *record.Record) (name string) {
	m := rec.Message
	if m == nil {
		return ""
	}
	if m.Role == record.RoleToolResult {
		d.open.answered(m.ToolCallID)
		return d.tools.answered(m.ToolCallID)
	}
	for i := range m.Content {
		if b := &m.Content[i]; b.Kind == record.BlockToolCall {
			d.tools.called(b.ID, b.Name)
			d.open.called(b.ID)
		}
	}
	return ""
}

// end is the digest of a log that was gone through.
func (d *reader) end(size int64, sum uint32, ended bool) *Digest {
	d.out.Bytes = size
	d.finish(d.account.Table(&d.index))
	if ended {
		d.out.Continue = d.markOf(size, sum)
	}
	return d.out
}

// finish puts together what only the end tells.
func (d *reader) finish(table *states.Table) {
	x, out := &d.index, d.out
	out.Lines = x.Lines.Len()
	out.Spans = spansOf(x.Lines.Len(), d.texts.apart.fates(x, 0, table))
	out.Thinker = d.texts.apart.thinker(table.Outlook(), 0)
	out.Apart = d.texts.apart.spans(x, 0, table, out.Thinker)
	out.Large = d.texts.large
	covered := table.Covered(x)
	for i := range d.figures.ledger {
		c := &d.figures.ledger[i]
		state, _ := table.Of(x, c.Line)
		c.State = string(state)
		if n, told := covered[c.Line]; told {
			c.Messages = &n
		}
	}
	d.figures.into(out)
}

func fateAt(x *session.Index, table *states.Table, i int) Fate {
	if x.Lines.At(i).Kind == session.LineDamaged {
		return ""
	}
	state, _ := table.Of(x, i)
	return FateOf(state)
}

// markOf is where to go on in a log whose last line is whole: else what follows may make it another one.
func (d *reader) markOf(size int64, sum uint32) *Mark {
	return &Mark{
		Size: size, Sum: sum, Turn: d.turn.offset, Line: d.base + d.turn.line, Day: d.figures.day, Behind: d.figures.behind, At: d.figures.at,
		Apart: d.texts.apart.before + d.texts.apart.all.Len(),
	}
}

// sumOf is the checksum of a log, and whether it ends with a newline. One that only grows may be large: of that it is an edge.
func sumOf(r io.ReaderAt, size int64, grows bool) (sum uint32, ended bool, err error) {
	if !grows {
		return sumOn(r, 0, 0, size)
	}
	if _, ended, err = sumOn(r, 0, max(size-1, 0), size); err != nil {
		return 0, false, err
	}
	if sum, err = edge.Of(r, size); err != nil {
		return 0, false, fmt.Errorf("reading the log again: %w", err)
	}
	return sum, ended, nil
}

// sumOn is the checksum of a log of which it was sum up to a place, and whether what is behind that ends with a newline.
func sumOn(r io.ReaderAt, sum uint32, from, size int64) (now uint32, ended bool, err error) {
	on := summing{sum: sum}
	if _, err := io.Copy(&on, io.NewSectionReader(r, from, size-from)); err != nil {
		return 0, false, fmt.Errorf("reading the log again: %w", err)
	}
	return on.sum, on.last == '\n', nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// summing is the checksum and the last byte of what was written.
type summing struct {
	sum  uint32
	last byte
}

func (s *summing) Write(p []byte) (int, error) {
	if len(p) > 0 {
		s.sum, s.last = crc32.Update(s.sum, castagnoli, p), p[len(p)-1]
	}
	return len(p), nil
}
