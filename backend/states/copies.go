package states

import (
	"fmt"
	"io"
	"slices"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// muteReason is why a line is dropped that a compaction has replaced by the same words.
const muteReason = "what the compaction put in its place is left out"

// mute finds the lines that a compaction took over by the same words of which the model is sent nothing all the same: an answer that failed,
// or a result without its call, has no place in what it put there either. The log is only asked where something has none.
func (s *Table) mute(log io.ReaderAt, x *session.Index, c *record.Compaction) error {
	if len(s.spared) == 0 {
		return nil
	}
	unheard := overlay.Unheard(c.Replacement)
	if !slices.Contains(unheard, true) {
		return nil
	}
	copies := map[uint64][]bool{}
	for i := range c.Replacement {
		words := Words(c.Replacement[i].Content)
		copies[words] = append(copies[words], unheard[i])
	}
	lines := map[uint64][]int{}
	for i, state := range s.spared {
		if state != Kept {
			continue
		}
		rec, err := recordAt(log, x, i)
		if err != nil {
			return err
		}
		if words := Words(Said(rec)); words != 0 && slices.Contains(copies[words], true) {
			lines[words] = append(lines[words], i)
		}
	}
	for words, same := range lines {
		slices.Sort(same)
		for n, mute := range Muted(len(same), copies[words]) {
			if mute {
				s.spared[same[n]] = Dropped
			}
		}
	}
	return nil
}

// Muted tells which of so many records that say the same the model is sent nothing of: their copies are theirs in order, and if there are
// more of them, then those that it is sent. Of those for which none is left it is sent what another copy says, if it is sent any.
func Muted(records int, unheard []bool) []bool {
	out := make([]bool, records)
	silent := len(unheard) > 0 && !slices.Contains(unheard, false)
	for n := range out {
		for len(unheard) > records-n && unheard[0] {
			unheard = unheard[1:]
		}
		if out[n] = silent; len(unheard) > 0 {
			out[n], unheard = unheard[0], unheard[1:]
		}
	}
	return out
}

// recordAt reads the record of a line.
func recordAt(log io.ReaderAt, x *session.Index, i int) (*record.Record, error) {
	line := x.Lines.At(i)
	text := make([]byte, line.Length)
	if _, err := io.ReadFull(io.NewSectionReader(log, line.Offset, line.Length), text); err != nil {
		return nil, fmt.Errorf("reading what a compaction took over: %w", err)
	}
	content, _ := session.Content(text, line.Offset == 0)
	header, err := record.Scan(content)
	if err != nil {
		return nil, fmt.Errorf("reading what a compaction took over: %w", err)
	}
	rec := record.DecodeScanned(header, content)
	return &rec, nil
}
