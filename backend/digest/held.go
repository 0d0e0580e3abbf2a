package digest

import (
	"io"
	"sort"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// held is a log whose records were read, on the way back.
type held struct {
	entries []overlay.Entry
	at      int
}

var _ overlay.Log = (*held)(nil)

func (h *held) add(line session.Line, rec *record.Record) {
	h.entries = append(h.entries, overlay.Entry{Header: rec.Header, Offset: line.Offset, End: line.Offset + line.Length + 1, Record: rec})
}

// Prev is as [overlay.Log] has it.
func (h *held) Prev() (overlay.Entry, error) {
	if h.at == 0 {
		return overlay.Entry{}, io.EOF
	}
	h.at--
	return h.entries[h.at], nil
}

// behind is the number of records whose lines end at byte end or before.
func (h *held) behind(end int64) int {
	return sort.Search(len(h.entries), func(i int) bool { return h.entries[i].End > end })
}

// At is as [overlay.Log] has it.
func (h *held) At(end int64) (record.Header, bool) {
	n := h.behind(end)
	if n == 0 || n > h.at || h.entries[n-1].End != end {
		return record.Header{}, false
	}
	return h.entries[n-1].Header, true
}

// Jump is as [overlay.Log] has it.
func (h *held) Jump(end int64) { h.at = h.behind(end) }
