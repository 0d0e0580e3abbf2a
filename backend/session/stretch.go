package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"palimpsest/backend/record"
	"palimpsest/backend/waits"
)

// stretchBytes are those of a stretch: a large log is skimmed in such, which stay near the processor, several at a time; a smaller log is not
// worth it.
const stretchBytes = 1 << 20

// manyBytes is how long a large log is.
var manyBytes int64 = 32 * stretchBytes

// stretches gives the lines of a log in their order, found and looked at a stretch at a time by several at once.
type stretches struct {
	ahead chan chan stretch // in the order of the log
	stop  chan struct{}
	now   stretch
}

// stretch is what was found in a part of a log: the lines that begin there.
type stretch struct {
	lines []rawLine
	err   error // what kept it from finding more
	room  *room
}

// room is what the lines of a stretch are in. It is used again and again: a large log is many stretches.
type room struct {
	bytes []byte // one more than a stretch: the one before it is looked at, too
	lines []rawLine
}

var rooms = sync.Pool{New: func() any { return &room{bytes: make([]byte, stretchBytes+1)} }}

func newStretches(r io.ReaderAt, from, size, length int64) *stretches {
	s := &stretches{ahead: make(chan chan stretch, waits.Processors()), stop: make(chan struct{})}
	go s.send(r, from, size, length)
	return s
}

func (s *stretches) send(r io.ReaderAt, from, size, length int64) {
	defer close(s.ahead)
	for at := from; at < size; at += length {
		found := make(chan stretch, 1)
		select {
		case s.ahead <- found:
		case <-s.stop:
			return
		}
		go func() { found <- readStretch(io.NewSectionReader(r, 0, size), from, at, min(length, size-at)) }()
	}
}

// close ends the reading, and waits until nothing of the log is read any more.
func (s *stretches) close() {
	close(s.stop)
	for found := range s.ahead {
		<-found
	}
}

// next returns io.EOF behind the last line.
func (s *stretches) next() (rawLine, error) {
	for len(s.now.lines) == 0 {
		if s.now.err != nil {
			return rawLine{}, s.now.err
		}
		s.now.leave()
		found, more := <-s.ahead
		if !more {
			return rawLine{}, io.EOF
		}
		s.now = <-found
	}
	line := s.now.lines[0]
	s.now.lines = s.now.lines[1:]
	return line, nil
}

// leave gives the room to the next one.
func (s *stretch) leave() {
	if s.room == nil {
		return
	}
	clear(s.room.lines) // long ones have bytes of their own
	s.room.lines = s.room.lines[:0]
	rooms.Put(s.room)
	s.room = nil
}

// readStretch finds the lines that begin within length bytes from at, in a log whose lines begin at from.
func readStretch(log *io.SectionReader, from, at, length int64) stretch {
	start := at
	if at > from {
		start-- // a line begins at the first byte if the one before ends another
	}
	room, _ := rooms.Get().(*room) // the pool makes nothing else
	out := stretch{room: room}
	part, err := readPart(log, start, room.bytes[:at+length-start])
	if err != nil {
		out.err = err
		return out
	}
	if at > from {
		_, rest, _ := bytes.Cut(part, newline)
		start += int64(len(part) - len(rest))
		part = rest
	}
	for len(part) > 0 && out.err == nil {
		content, rest, terminated := bytes.Cut(part, newline)
		if !terminated {
			content, terminated, out.err = readOn(log, content, start+int64(len(content)))
		}
		if out.err == nil {
			line := rawLine{bytes: content, offset: start, end: start + int64(len(content)), terminated: terminated}
			if terminated {
				line.end++
			}
			line.peek()
			room.lines = append(room.lines, line)
			start = line.end
		}
		part = rest
	}
	out.lines = room.lines
	return out
}

// readOn reads a line to its end, which lies behind what was read of it already.
func readOn(log *io.SectionReader, line []byte, at int64) (whole []byte, terminated bool, err error) {
	const first = 16 << 10
	line = bytes.Clone(line)
	for step := first; ; step = min(2*step, stretchBytes) {
		behind := len(line)
		line = slices.Grow(line, step)
		part, err := readPart(log, at, line[behind:behind+step])
		if err != nil {
			return nil, false, err
		}
		rest, _, terminated := bytes.Cut(part, newline)
		line = line[:behind+len(rest)]
		if terminated || len(part) < step {
			return line, terminated, nil
		}
		at += int64(step)
	}
}

// readPart fills a part; where the log ends, it is less.
func readPart(log *io.SectionReader, at int64, part []byte) ([]byte, error) {
	n, err := log.ReadAt(part, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading the log at byte %d: %w", at+int64(n), err)
	}
	return part[:n], nil
}

// peek looks at the header beforehand.
func (l *rawLine) peek() {
	if content, ok := l.trim(); ok {
		l.header, l.peeked = record.Peek(content)
	}
}
