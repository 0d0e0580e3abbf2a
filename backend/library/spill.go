package library

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// spillMost is how much of a reading is held in memory, and blobs that are held are no longer than blobMost.
const (
	spillMost = 4 << 20
	blobMost  = 4 << 20
)

// spill is a log that is written to memory, and from some size on to a file; or nowhere, and what stands beside it is held, and perhaps its end.
type spill struct {
	temp  string
	dir   string
	size  int64
	text  *bytes.Buffer // nil if it is written nowhere
	end   *ending
	blobs map[string]string
	held  int64
	file  *os.File
}

// buffers are kept for the next session: they grow to what is held of one.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func (l *Library) newSpill(held bool) (*spill, error) {
	if err := os.MkdirAll(l.env.Temp, 0o700); err != nil {
		return nil, fmt.Errorf("making room to read it: %w", err)
	}
	return newSpill(l.env.Temp, held), nil
}

func newSpill(temp string, held bool) *spill {
	if !held {
		return &spill{temp: temp}
	}
	text, _ := buffers.Get().(*bytes.Buffer) // the pool makes nothing else
	text.Reset()
	return &spill{temp: temp, text: text}
}

func (s *spill) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	if s.text == nil {
		if s.end != nil {
			s.end.write(p)
		}
		return len(p), nil
	}
	if s.file == nil && s.size > spillMost {
		if err := s.begin(); err != nil {
			return 0, err
		}
	}
	if s.file == nil {
		return s.text.Write(p) //nolint:wrapcheck // it never fails
	}
	const buffer = 1 << 20
	if len(p) >= buffer { // it goes there without a copy
		if err := s.flush(); err != nil {
			return 0, err
		}
		return s.file.Write(p)
	}
	n, _ := s.text.Write(p)
	if s.text.Len() < buffer {
		return n, nil
	}
	return n, s.flush()
}

func (s *spill) flush() error {
	if _, err := s.text.WriteTo(s.file); err != nil {
		return fmt.Errorf("keeping the reading for a moment: %w", err)
	}
	return nil
}

func (s *spill) begin() error {
	if err := s.directory(); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(s.dir, "session.jsonl"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keeping the reading for a moment: %w", err)
	}
	s.file = file
	return s.flush()
}

func (s *spill) directory() error {
	if s.dir != "" {
		return nil
	}
	dir, err := os.MkdirTemp(s.temp, "pass-")
	if err != nil {
		return fmt.Errorf("keeping the reading for a moment: %w", err)
	}
	s.dir = dir
	return nil
}

// keep takes what does not belong on a line. Images are not looked at again.
func (s *spill) keep(data []byte) (string, error) {
	sum := sha256.Sum256(data)
	sha := hex.EncodeToString(sum[:])
	if len(data) > blobMost || s.blobs[sha] != "" {
		return sha, nil
	}
	if s.held += int64(len(data)); s.held <= spillMost {
		if s.blobs == nil {
			s.blobs = map[string]string{}
		}
		s.blobs[sha] = string(data)
		return sha, nil
	}
	if err := s.directory(); err != nil {
		return "", err
	}
	return keeper(s.dir)(data)
}

func (s *spill) blob(sha string, most int64) (string, bool) {
	if text, ok := s.blobs[sha]; ok {
		return text, int64(len(text)) <= most
	}
	if s.dir == "" {
		return "", false
	}
	return BlobsIn(s.dir)(sha, most)
}

func (s *spill) reader() (io.ReaderAt, error) {
	if s.file == nil {
		return bytes.NewReader(s.text.Bytes()), nil
	}
	return s.file, s.flush()
}

func (s *spill) remove() {
	if s.file != nil {
		_ = s.file.Close() // it goes
	}
	if s.text != nil {
		buffers.Put(s.text)
	}
	if s.dir != "" {
		_ = os.RemoveAll(s.dir) // what can't be removed is swept with the cache
	}
}
