package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// Standing says how a session that was copied from elsewhere stands to what it would be copied from now.
type Standing int

// The standings.
const (
	// Same is a log that holds all of the original; it may have gone on.
	Same Standing = iota
	// Behind is a log with which the original begins: the rest can be added.
	Behind
	// Untouched is the copy as it was made, of what is something else now, and Shorter of what is only its beginning.
	Untouched
	Shorter
	// Continued is something else than what was copied, and than the original.
	Continued
)

// Compare tells how the log of a copy stands to its original.
func (s *Store) Compare(id string, original io.ReaderAt, size int64) (Standing, error) {
	m, err := s.Metadata(id)
	if err != nil {
		return 0, err
	}
	log, err := s.OpenLog(id)
	if err != nil {
		return 0, err
	}
	defer func() { _ = log.Close() }() // opened for reading
	return standingOf(log, m.ImportedFrom, original, size)
}

func standingOf(log *os.File, from *Imported, original io.ReaderAt, size int64) (Standing, error) {
	info, err := log.Stat()
	if err != nil {
		return 0, err
	}
	ours, theirs, err := headers(log, info.Size(), original, size)
	if err != nil {
		return 0, err
	}
	has, all := info.Size()-ours, size-theirs
	same, err := equal(io.NewSectionReader(log, ours, has), io.NewSectionReader(original, theirs, all), min(has, all))
	switch {
	case err != nil:
		return 0, err
	case same && has == all:
		return Same, nil
	case same && has < all:
		return Behind, nil
	}
	untouched := from != nil && info.Size() == from.Bytes
	if untouched {
		sum, err := sumOf(log, from.Bytes)
		if err != nil {
			return 0, err
		}
		untouched = sum == from.SHA256
	}
	switch {
	case untouched && same:
		return Shorter, nil
	case untouched:
		return Untouched, nil
	case same:
		return Same, nil
	}
	return Continued, nil
}

// sumOf is the SHA-256 of the beginning of a file.
func sumOf(file io.ReaderAt, size int64) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, size)); err != nil {
		return "", fmt.Errorf("reading: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// equal tells whether two files begin with the same bytes.
func equal(a, b io.ReaderAt, size int64) (bool, error) {
	const piece = 256 << 10
	one, other := make([]byte, piece), make([]byte, piece)
	for at := int64(0); at < size; at += piece {
		n := min(piece, size-at)
		_, err := a.ReadAt(one[:n], at)
		_, otherErr := b.ReadAt(other[:n], at)
		for _, err := range []error{err, otherErr} {
			if err != nil && !errors.Is(err, io.EOF) {
				return false, fmt.Errorf("comparing: %w", err)
			}
		}
		if !bytes.Equal(one[:n], other[:n]) {
			return false, nil
		}
	}
	return true, nil
}

// headers are how long the first lines of two logs are, if both say how the file of one session stands: what an agent writes there anew, such as
// when something was said last, is no part of the conversation. They are 0 for any others.
func headers(a io.ReaderAt, sizeA int64, b io.ReaderAt, sizeB int64) (inA, inB int64, err error) {
	inA, ofA, err := headerIn(a, sizeA)
	if err != nil {
		return 0, 0, err
	}
	inB, ofB, err := headerIn(b, sizeB)
	if err != nil || ofA == "" || ofA != ofB {
		return 0, 0, err
	}
	return inA, inB, nil
}

// headerIn is how long the first line of a log is, and whose note it is; empty for one that a person or a model is shown something of.
func headerIn(log io.ReaderAt, size int64) (length int64, of string, err error) {
	lines := newForwardLines(io.NewSectionReader(log, 0, size), 0)
	defer lines.close()
	line, err := lines.next()
	if errors.Is(err, io.EOF) {
		return 0, "", nil
	}
	if err != nil {
		return 0, "", err
	}
	note, err := record.Decode(line.bytes)
	if err != nil || note.Note == nil || note.Note.Display || len(note.Note.Content) > 0 {
		return 0, "", nil // what is no record is no header
	}
	return line.end, note.Note.Namespace + " " + gjson.GetBytes(line.bytes, "origin.entry").Str, nil
}
