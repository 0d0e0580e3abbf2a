package backend

import (
	"errors"
	"io"
	"os"
	"sync"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// lightLog is a log of which each record is read once, without its texts, however many contexts are resolved of it.
type lightLog struct {
	source io.ReaderAt
	reader *session.Reverse
	stands int64 // where the reader does, -1 if that is not known

	behind map[int64]*lightEntry // what comes before a place
	at     int64
	next   *lightEntry // what comes before at, nil if that was not looked up

	sizes, earlier map[int64]lightSize // by the end of a line: those asked for, now and the last time
}

// lightEntry is the record before a place, or the start of the log.
type lightEntry struct {
	overlay.Entry
	start  bool
	before *lightEntry // nil if that was not looked up
}

func newLightLog() *lightLog {
	return &lightLog{behind: map[int64]*lightEntry{}, sizes: map[int64]lightSize{}}
}

// reads has it read from another reader of the same log.
func (l *lightLog) reads(from io.ReaderAt, size int64) {
	l.source, l.reader, l.stands = from, session.NewReverse(from, size), size
	l.earlier, l.sizes = l.sizes, map[int64]lightSize{}
}

// sizeAt is the size of a context that was resolved before.
func (l *lightLog) sizeAt(end int64) (lightSize, bool) {
	size, ok := l.earlier[end]
	if ok {
		l.sizes[end] = size
	}
	return size, ok
}

// Jump is as [overlay.Log] has it, and so are the others.
func (l *lightLog) Jump(end int64) { l.at, l.next = end, nil }

// At reads a header only.
func (l *lightLog) At(end int64) (record.Header, bool) {
	if end > l.at {
		return record.Header{}, false
	}
	return session.NewReverse(l.source, end).At(end)
}

// Prev reads what it did not read yet.
func (l *lightLog) Prev() (overlay.Entry, error) {
	if l.next == nil {
		next, err := l.lookUp(l.at)
		if err != nil {
			return overlay.Entry{}, err
		}
		l.next = next
	}
	entry := l.next
	if entry.start {
		return overlay.Entry{}, io.EOF
	}
	if entry.before == nil {
		entry.before = l.behind[entry.Offset]
	}
	l.at, l.next = entry.Offset, entry.before
	return entry.Entry, nil
}

func (l *lightLog) lookUp(at int64) (*lightEntry, error) {
	if entry, ok := l.behind[at]; ok {
		return entry, nil
	}
	if len(l.behind) >= sizingMost {
		return nil, errSizesEnough
	}
	if l.stands != at {
		l.reader.Jump(at)
	}
	l.stands = -1
	entry, err := l.reader.Prev()
	switch {
	case errors.Is(err, io.EOF):
		l.behind[at], l.stands = &lightEntry{start: true}, 0
		return l.behind[at], nil
	case err != nil:
		return nil, err
	}
	rec := record.DecodeScanned(entry.Header, entry.Line)
	light := overlay.Light(&rec)
	entry.Line, entry.Record = nil, &light
	l.behind[at], l.stands = &lightEntry{Entry: entry}, entry.Offset
	return l.behind[at], nil
}

// sizing is what is kept of the log whose sizes were asked for last, so that whoever asks again need not wait as long again.
type sizing struct {
	mu   sync.Mutex
	file os.FileInfo
	log  *lightLog
}

// sizingMost is how many records are read and kept, of some 700 bytes each without their texts: a session may have millions.
var sizingMost = 50_000

// take takes out what is kept of a log, or begins anew. A log only grows.
func (s *sizing) take(file os.FileInfo) *lightLog {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	if log == nil || !os.SameFile(s.file, file) || file.Size() < s.file.Size() {
		return newLightLog()
	}
	s.file, s.log = nil, nil
	return log
}

// keep keeps it for the next one who asks.
func (s *sizing) keep(file os.FileInfo, log *lightLog) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(log.behind) >= sizingMost { // the sizes stay: who asks again gets further
		log.behind = map[int64]*lightEntry{}
	}
	log.source, log.reader, log.next, log.earlier = nil, nil, nil, nil
	s.file, s.log = file, log
}
