package keep

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"runtime"

	"github.com/klauspost/compress/zstd"
)

// ErrOther says that something is of another version, damaged, or nothing that was kept.
var ErrOther = errors.New("what was kept is of no use")

// Keeper is what has a way of its own to be kept.
type Keeper interface {
	Keep(s *State)
}

// State is what is written, or read.
type State struct {
	out *bufio.Writer // nil if it is read
	in  *bufio.Reader
	sum hash.Hash
	err error
}

const (
	// window is how far back what is written is looked for, for the memory's sake, and buffer how much is read or written at once.
	window = 512 << 10
	buffer = 32 << 10
	// most is how long all of it may be.
	most = 1 << 30
)

// Write writes values, which are pointers, for who reads the same with the same version.
func Write(w io.Writer, version string, values ...any) error {
	packed, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(window))
	if err != nil {
		return fmt.Errorf("keeping: %w", err)
	}
	s := &State{out: bufio.NewWriterSize(packed, buffer), sum: sha256.New()}
	s.version(version)
	s.Values(values...)
	if s.err == nil {
		_, s.err = s.out.Write(s.sum.Sum(nil))
	}
	if err := errors.Join(s.err, s.out.Flush(), packed.Close()); err != nil {
		return fmt.Errorf("keeping: %w", err)
	}
	return nil
}

// Read reads what was written into values. After an error they are of no use.
func Read(r io.Reader, version string, values ...any) (err error) {
	unpacked, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOther, err)
	}
	defer unpacked.Close()
	s := &State{in: bufio.NewReaderSize(io.LimitReader(unpacked, most), buffer), sum: sha256.New()}
	s.version(version)
	s.Values(values...)
	want := s.sum.Sum(nil)
	got := make([]byte, len(want))
	if s.err == nil {
		_, s.err = io.ReadFull(s.in, got)
	}
	if s.err == nil && !bytes.Equal(got, want) {
		s.err = errors.New("its sum is another")
	}
	if s.err != nil {
		return fmt.Errorf("%w: %w", ErrOther, s.err)
	}
	return nil
}

func (s *State) version(version string) {
	version += " " + runtime.GOARCH
	got := version
	if s.Values(&got); s.err == nil && got != version {
		s.err = errors.New("it is of another version")
	}
}

// Reads tells that it is read, and not written.
func (s *State) Reads() bool { return s.out == nil }

// Err is what went wrong first. After that nothing is read or written any more.
func (s *State) Err() error { return s.err }

// Fail says that what is read can't be so.
func (s *State) Fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Bytes writes bytes, or fills them.
func (s *State) Bytes(p []byte) {
	if s.err != nil {
		return
	}
	if s.Reads() {
		_, s.err = io.ReadFull(s.in, p)
	} else {
		_, s.err = s.out.Write(p)
	}
	_, _ = s.sum.Write(p) // it never fails
}

// Len writes how many there are of something, or reads it.
func (s *State) Len(n int) int {
	u := uint64(n)
	if s.unsigned(&u); u > most {
		s.Fail(errors.New("there is too much of it"))
	}
	if s.err != nil {
		return 0
	}
	return int(u)
}
