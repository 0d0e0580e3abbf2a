package states

import (
	"io"
	"slices"

	"palimpsest/backend/session"
)

// told is what only a context tells of lines: why they were dropped. As long as the context begins where it began, and only goes on, that
// stays.
type told struct {
	inForce int
	path    []span
	reasons map[int64]string // by offset
}

func toldOf(o *Outlook, s *Table) *told {
	return &told{o.InForce, s.path, s.reasons}
}

// holds tells whether the context begins where it began.
func (t *told) holds(o *Outlook) bool {
	n := len(o.table.path)
	return t != nil && o.kept < o.index.Lines.Len() && t.inForce == o.InForce && len(t.path) == n &&
		t.path[n-1].from == o.table.path[n-1].from && slices.Equal(t.path[:n-1], o.table.path[:n-1])
}

// why is the reason for which line i was dropped, empty if it is not known.
func (t *told) why(x *session.Index, i int) string { return t.reasons[x.Lines.At(i).Offset] }

// goOn is [Account.Resolve] of a log that has grown since a context of it was resolved, without another one; nil if that has to be.
func (a *Account) goOn(log io.ReaderAt, o *Outlook) (*Table, error) {
	told := a.told
	if !told.holds(o) {
		return nil, nil //nolint:nilnil // it says so
	}
	s, err := a.resolve(log, o)
	if err != nil {
		return nil, err
	}
	for i := range o.dropped.All() {
		if told.why(o.index, i) == "" {
			return nil, nil //nolint:nilnil // it was dropped since
		}
	}
	s.told = told
	return s, nil
}

// Unread is how much [Account.Resolve] reads of the log that an outlook is of.
func (a *Account) Unread(o *Outlook) int64 {
	if !a.continues(o.index, o.kept) || o.Bytes() <= ExactBytes && !a.told.holds(o) {
		return o.Bytes()
	}
	return o.index.Size - a.last
}
