package digest

import (
	"encoding/binary"
	"hash/fnv"
	"io"

	"palimpsest/backend/record"
)

// Said names what was said once, so that it is known again in a copy, whatever that calls it: by when it was written, who wrote it and
// what it says. Where copies have other times, or there are none, what was said before stands for the time.
type Said uint64

// saidBytes is how much of a name is kept: two of one family hardly ever have the same.
const saidBytes = 6

// Names are the names of several records.
type Names []byte

// with is the list with one more.
func (n Names) with(name Said) Names {
	var all [8]byte
	binary.BigEndian.PutUint64(all[:], uint64(name))
	return append(n, all[8-saidBytes:]...)
}

// Each goes through the names in order.
func (n Names) Each(yield func(Said) bool) {
	for ; len(n) >= saidBytes; n = n[saidBytes:] {
		var all [8]byte
		copy(all[8-saidBytes:], n)
		if !yield(Said(binary.BigEndian.Uint64(all[:]))) {
			return
		}
	}
}

func (n Names) last() Said {
	for name := range n[max(0, len(n)-saidBytes):].Each {
		return name
	}
	return 0
}

// Copy is what is counted of one record that was copied from another session.
type Copy struct {
	Said Said `json:"k"`
	Day
}

// saidAfter names a record that stands behind another. Copies of its session have other times if anew.
func saidAfter(before Said, rec *record.Record, anew bool) Said {
	hash := fnv.New64a()
	at := uint64(before)
	if !anew && !rec.Time.IsZero() {
		at = uint64(rec.Time.UnixMilli()) //nolint:gosec // any number does
	}
	_ = binary.Write(hash, binary.BigEndian, at) // it never fails
	if c := rec.Compaction; c != nil {
		add(hash, "compaction ")
		add(hash, c.Summary)
	}
	if m := rec.Message; m != nil {
		add(hash, string(m.Role))
		for _, b := range m.Content {
			if b.Kind == record.BlockText {
				add(hash, b.Text)
			}
		}
	}
	return Said(hash.Sum64() >> (64 - 8*saidBytes))
}

// add hashes a text by pieces: it may be of many megabytes, and would be copied whole.
func add(hash io.Writer, text string) {
	var piece [4096]byte
	for len(text) > 0 {
		n := copy(piece[:], text)
		_, _ = hash.Write(piece[:n]) // it never fails
		text = text[n:]
	}
}
