package library

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"palimpsest/backend/edge"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// ErrSmall says that to read a session takes hardly longer than to compare its files.
var ErrSmall = errors.New("its files are too small to be compared")

// compareFrom is how large files are, on average, for a comparison to be worth it.
const compareFrom = 256 << 10

// Edge is a checksum of what is in the files of a session, of all of it but for the largest: see package edge. With it, one whose files
// were moved, or of which something else than the text was changed, is known again.
func (l *Library) Edge(f *sources.Found) (uint32, error) {
	if !worthComparing(f) {
		return 0, ErrSmall
	}
	var all []byte
	for _, path := range f.Files {
		sum, err := edgeOf(path)
		if err != nil {
			return 0, fmt.Errorf("comparing %s with what it was: %w", path, err)
		}
		all = binary.BigEndian.AppendUint32(all, sum)
	}
	return crc32.ChecksumIEEE(all), nil
}

func worthComparing(f *sources.Found) bool {
	return !f.FromCopy && !f.Shares() && len(f.Files) > 0 && f.Bytes >= int64(len(f.Files))*compareFrom
}

// edge is [Library.Edge] of a session in one file, of which only what was appended is read; 0 if that can't be told.
func (t *Tail) edge(f *sources.Found) uint32 {
	if !worthComparing(f) {
		return 0
	}
	file, _, err := t.open()
	if err != nil {
		return 0
	}
	defer file.Close()
	sum, err := t.sum.On(file, file.Size)
	if err != nil {
		return 0
	}
	return crc32.ChecksumIEEE(binary.BigEndian.AppendUint32(nil, sum.Value()))
}

func edgeOf(path string) (uint32, error) {
	file, err := jsonl.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return edge.Of(file, file.Size)
}
