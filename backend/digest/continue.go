package digest

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"palimpsest/backend/edge"
	"palimpsest/backend/index"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// Continue reads what was appended to a log since the digest was made of it, hands only its texts to emit, and returns the digest of
// all of it; the one before stays as it is. It reads back no further than to [Mark.Turn]. [ErrAnew] says that this
// does not do: something reaches further back, or the log is another one.
func Continue(before *Digest, r io.ReaderAt, size int64, opts Options, emit func(index.Text) error) (*Digest, error) {
	at := before.Continue
	if at == nil || size < at.Size || !before.goesOn(&opts) {
		return nil, ErrAnew
	}
	compared := sumTheirs
	if opts.Own {
		compared = sumOwn
	}
	sum, ended, err := compared(at, r, size, &opts)
	if err != nil {
		return nil, err
	}
	tail := io.NewSectionReader(r, at.Turn, size-at.Turn)
	return goOn(before, tail, sum, ended, opts, emit)
}

// sumTheirs is [sumOf] of a log of another agent's session, which has to begin with what the mark is of.
func sumTheirs(at *Mark, r io.ReaderAt, size int64, opts *Options) (sum uint32, ended bool, err error) {
	if !opts.Begins {
		sum, ended, err = sumOf(r, at.Size, false)
		if err == nil && (!ended || sum != at.Sum) {
			err = ErrAnew
		}
	}
	if err != nil || size == at.Size { // which is whole lines
		return at.Sum, true, err
	}
	return sumOn(r, at.Sum, at.Size, size)
}

// sumOwn is that of a log of ours.
func sumOwn(at *Mark, r io.ReaderAt, size int64, opts *Options) (sum uint32, ended bool, err error) {
	known, same := opts.Sum, false
	if known != nil && known.Is(at.Size, at.Sum) {
		same, err = known.Some(r)
	} else {
		known = &edge.Sum{}
		*known, err = known.On(r, at.Size)
		same = known.Value() == at.Sum
	}
	if err == nil && !same {
		return 0, false, ErrAnew
	}
	if err == nil {
		*known, err = known.On(r, size)
	}
	if err != nil {
		return 0, false, fmt.Errorf("reading the log again: %w", err)
	}
	if opts.Sum != nil {
		*opts.Sum = *known
	}
	_, ended, err = sumOn(r, 0, max(size-1, 0), size)
	return known.Value(), ended, err
}

// More is [Continue] for who has only the end of the log of another agent's session: since are its lines from where
// [Mark.Turn] says up to where it ended, and appended are the lines behind that.
func More(before *Digest, since, appended []byte, opts Options, emit func(index.Text) error) (*Digest, error) {
	at := before.Continue
	opts.Own = false
	if at == nil || int64(len(since)) != at.Size-at.Turn || !before.goesOn(&opts) {
		return nil, ErrAnew
	}
	ended := len(appended) == 0 || appended[len(appended)-1] == '\n'
	tail := bytes.NewReader(slices.Concat(since, appended))
	return goOn(before, io.NewSectionReader(tail, 0, tail.Size()), crc32.Update(at.Sum, castagnoli, appended), ended, opts, emit)
}

// Leads tells whether a log that goes on behind the mark with what r has, which is as long, gets to another mark.
func (m *Mark) Leads(to *Mark, r io.ReaderAt, size int64) (bool, error) {
	if to.Size < m.Size || to.Turn < m.Turn || to.Size-m.Size > size {
		return false, nil
	}
	sum, _, err := sumOn(r, m.Sum, 0, to.Size-m.Size)
	return sum == to.Sum, err
}

// Begins tells whether the log of another agent's session begins with all that the mark is behind.
func (m *Mark) Begins(r io.ReaderAt, size int64) (bool, error) {
	if size < m.Size {
		return false, nil
	}
	sum, _, err := sumOn(r, 0, 0, m.Size)
	return sum == m.Sum, err
}

// goesOn tells whether what was counted counts as before: not so in another time zone, nor where a session is known by now to be a fork, or
// to be none, so that something else in it is another session's.
func (d *Digest) goesOn(opts *Options) bool {
	return d.Skip == "" && d.Zone == Zone(opts.Location) && (opts.Own || d.About.Created.Equal(opts.About.Created))
}

// goOn reads the log from [Mark.Turn] on; sum is the checksum of all of it, and ended tells that its last line is whole.
func goOn(before *Digest, tail *io.SectionReader, sum uint32, ended bool, opts Options, emit func(index.Text) error) (*Digest, error) {
	at := before.Continue
	size := at.Turn + tail.Size()
	d := &reader{opts: opts, figures: newFigures(opts), from: at.Size - at.Turn, base: at.Line}
	d.figures.model, d.figures.day, d.figures.behind, d.figures.at, d.figures.last = before.Model, at.Day, at.Behind, at.At, before.Said.last()
	if len(before.Copies) > 0 && len(before.Said) == 0 {
		d.figures.last = before.Copies.last()
	}
	d.figures.each, d.figures.parts = copierOn(before.Copies), copierOn(before.Parts)
	out := *before
	out.About, out.Edge, out.Bytes, out.Large, out.Ledger = opts.About, opts.Edge, size, 0, nil
	d.out = &out
	kept := keeper{emit: emit}
	d.texts = texter{emit: kept.take, blob: opts.Blob, apart: apart{before: at.Apart}}
	d.texts.err = kept.take(named(opts.About.Title))
	if err := d.follow(tail, tail.Size()); err != nil {
		return nil, err
	}
	table := d.account.Table(&d.index)
	if d.orphan || !d.settled(table) || !d.thinksOn(before, table) {
		return nil, ErrAnew
	}
	d.extend(before, table)
	if before.Away > 0 && (settles(before.Copies, out.Copies) || settles(before.Parts, out.Parts)) {
		return nil, ErrAnew
	}
	if out.Continue = nil; ended {
		out.Continue = d.markOf(size, sum)
		out.Continue.Turn += at.Turn
	}
	return &out, kept.done()
}

// named is what a session is called; that it is not called anything takes the place of a name too.
func named(title string) index.Text {
	return index.Text{Seq: -1, Line: -1, Scope: index.Name, Text: strings.TrimSpace(title)}
}

// settles tells whether the first answer has come, whose model is also that of what stands before it: some of that was put away.
func settles(before, now Copies) bool { return len(before) > 0 && !before.answered() && now.answered() }

// settled tells whether what was appended leaves everything before it as it was.
func (d *reader) settled(table *states.Table) bool {
	x := &d.index
	for _, indexed := range x.Overlays {
		rec := &indexed.Record
		old := x.Lines.At(indexed.Index).Offset < d.from
		if !old || rec.Branch != nil { // a branch reaches back behind the tail
			return false
		}
	}
	for i, line := range x.Lines.All() {
		if line.Offset < d.from || line.Kind != session.LineToolResult {
			continue
		}
		if state, _ := table.Of(x, i); state == states.Dropped {
			return false // the call that it is a result of may stand before the tail
		}
	}
	return true
}

// thinksOn tells whether thinking still goes where it went: what was appended may name another model, or the last answer be another's.
func (d *reader) thinksOn(before *Digest, table *states.Table) bool {
	p, to := &d.texts.apart, before.Thinker
	switch named := p.active(table.Outlook(), d.base); {
	case named == "" && p.models.Len() > 0:
		return false // then the last answer tells, which may stand before the tail
	case named != "" || p.answers.Len() > 0 && !to.Named:
		to = p.thinker(table.Outlook(), d.base)
	}
	d.out.Thinker = to
	return to.Provider == before.Thinker.Provider || before.Apart == ""
}

// extend adds the figures and the fates of the new lines to those that are known.
func (d *reader) extend(before *Digest, table *states.Table) {
	x, out := &d.index, d.out
	first := 0
	for first < x.Lines.Len() && x.Lines.At(first).Offset < d.from {
		first++
	}
	fates := d.texts.apart.fates(x, d.base, table)
	fresh := spansOf(x.Lines.Len()-first, func(i int) Fate { return fates(first + i) })
	out.Lines = d.base + x.Lines.Len()
	out.Spans = joined(before.Spans, fresh)
	out.Apart = joined(before.Apart, d.texts.apart.spans(x, d.base, table, out.Thinker))
	out.Large = before.Large + d.texts.large
	d.figures.into(out)
	out.Ledger, out.Compactions = before.Ledger, before.Compactions // nothing that settles adds to them
}

// joined writes two spans as one.
func joined(a, b Spans) Spans {
	ra, rb := a.Runs(), b.Runs()
	n := ra.Len()
	if rb.Len() == 0 {
		return a
	}
	last := strings.LastIndexAny(string(a), letterSet)
	first := strings.IndexAny(string(b[1:]), letterSet) + 1
	if first == 0 {
		first = len(b)
	}
	if n == 0 || a[last] != b[0] {
		return a + b
	}
	run := n
	if len(ra.ends) > 1 {
		run -= int(ra.ends[len(ra.ends)-2])
	}
	return a[:last] + Spans(fmt.Sprintf("%c%d", b[0], run+int(rb.ends[0]))) + b[first:]
}
