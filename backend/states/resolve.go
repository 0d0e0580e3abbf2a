package states

import (
	"fmt"
	"io"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// ExactBytes is how much log a context may be made of for it to be resolved. The largest window of a model is a quarter of it; beyond,
// as in a log of years without a compaction, resolving would hold most of the log in memory, and an [Account] tells the states.
const ExactBytes = 16 << 20

// Resolve tells what became of the lines of an indexed log. Model is what the session's metadata says, for logs that name none.
func Resolve(log io.ReaderAt, x *session.Index, model string) (*Table, error) {
	return new(Account).Resolve(log, x, model)
}

// Resolve is [Resolve] for who asks again as the log grows: only what was appended is read, once that has been done.
func (a *Account) Resolve(log io.ReaderAt, x *session.Index, model string) (*Table, error) {
	o := OutlookOf(x)
	if o.Bytes() > ExactBytes {
		return a.resolve(log, &o)
	}
	if s, err := a.goOn(log, &o); s != nil || err != nil {
		return s, err
	}
	*a = Account{}
	resolved, err := overlay.Resolve(session.NewReverse(log, x.Size), overlay.Options{Model: model, Unmeasured: true, Light: true})
	if err != nil {
		return nil, err
	}
	s, err := Of(log, x, &resolved)
	if err == nil {
		a.told = toldOf(&o, s)
	}
	return s, err
}

func (a *Account) resolve(log io.ReaderAt, o *Outlook) (*Table, error) {
	if err := a.extend(log, o.index, o.kept); err != nil {
		*a = Account{}
		return nil, err
	}
	s := a.table(o)
	if len(s.spared) > 0 {
		rec, err := recordAt(log, o.index, o.InForce)
		if err != nil {
			return nil, err
		}
		if err := s.mute(log, o.index, rec.Compaction); err != nil {
			return nil, err
		}
	}
	s.Model = o.model()
	return s, nil
}

// extend takes the lines of an indexed log that were not taken yet, from one on. The last that was taken is taken again: it may have
// been half written.
func (a *Account) extend(log io.ReaderAt, x *session.Index, from int) error {
	at := a.leftOut.Len() - 1
	if !a.continues(x, from) {
		*a = Account{from: from, told: a.told}
		at = from
	}
	a.cut(at)
	start := x.Lines.At(at).Offset
	size := x.Size - start
	var rest session.Index
	err := rest.Follow(io.NewSectionReader(log, start, size), size, func(i int, _ session.Line, header record.Header, content []byte) {
		if content != nil {
			rec := record.DecodeScanned(header, content)
			a.Take(at+i, &rec)
		}
	})
	if err != nil {
		return fmt.Errorf("reading what the context is made of: %w", err)
	}
	a.pass(x.Lines.Len())
	a.last = x.Lines.At(x.Lines.Len() - 1).Offset
	return nil
}

// continues tells whether the lines that were taken are those with which the lines from one on begin.
func (a *Account) continues(x *session.Index, from int) bool {
	at := a.leftOut.Len() - 1
	return at >= a.from && from >= a.from && at < x.Lines.Len() && x.Lines.At(at).Offset == a.last
}
