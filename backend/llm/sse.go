package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxPiece bounds one line of an answer, and an answer that comes in one piece.
const maxPiece = 64 << 20

var (
	errPage  = errors.New("answered with a page, not with JSON: is the address right?")
	errPiece = errors.New("sent a piece of an answer that is over 64 MiB")
)

// eventStream hands on what go-openai reads well of a stream of server-sent events: whole data lines, each with its
// newline. Left to itself go-openai drops a last line without newline, loses an error that comes behind a comment or
// in a shape that is not OpenAI's, and holds one back until the next line comes. So:
//
//   - comments, blank lines and other fields go;
//   - an error is spelled so that it comes through as a data line like any other, for chunk.go to find;
//   - an answer that is one JSON object, from a server that does not stream, becomes one data line.
type eventStream struct {
	body io.Closer
	in   *bufio.Reader
	out  []byte // what is left of the line in hand
	err  error  // what comes behind it

	begun bool
	done  bool // the stream's own end marker was seen
}

func newEventStream(body io.ReadCloser) *eventStream {
	return &eventStream{body: body, in: bufio.NewReaderSize(body, 32<<10)}
}

func (s *eventStream) Close() error { return s.body.Close() } //nolint:wrapcheck // for net/http, which wraps it

func (s *eventStream) Read(p []byte) (int, error) {
	for len(s.out) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.next()
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// next fills out, or err, or neither if there was nothing in the line.
func (s *eventStream) next() {
	if !s.begun {
		s.begun = true
		if s.begin() {
			return
		}
	}
	line, err := s.line()
	s.err = err
	if err != nil && !errors.Is(err, io.EOF) {
		return // half a line is none
	}
	line = bytes.TrimSpace(line)
	if failure, ok := bytes.CutPrefix(line, []byte("error:")); ok { // llama.cpp
		s.emit(append(append([]byte(`{ "error":`), failure...), '}'))
		return
	}
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	data = bytes.TrimSpace(data)
	if !ok || len(data) == 0 {
		return
	}
	s.done = s.done || string(data) == "[DONE]"
	s.emit(data)
}

// begin deals with what is no stream of events, and says whether there was such.
func (s *eventStream) begin() bool {
	var first byte
	for {
		b, err := s.in.ReadByte()
		if err != nil {
			s.err = err
			return true
		}
		if b > ' ' && b < 0x80 { // behind white space and a byte order mark
			first = b
			break
		}
	}
	s.err = s.in.UnreadByte() // it was just read
	switch first {
	case '<':
		s.err = errPage
	case '{', '[':
		whole, err := io.ReadAll(io.LimitReader(s.in, maxPiece+1))
		switch {
		case err != nil:
			s.err = err
		case len(whole) > maxPiece:
			s.err = errPiece
		default:
			var flat bytes.Buffer
			if json.Compact(&flat, whole) != nil {
				flat.Reset()
				flat.WriteString("not JSON") // for chunk.go to refuse
			}
			s.err = io.EOF
			s.emit(flat.Bytes())
		}
	default:
		return false
	}
	return true
}

// line is the next one, with its newline if it has one.
func (s *eventStream) line() ([]byte, error) {
	var long []byte
	for {
		part, err := s.in.ReadSlice('\n')
		if len(long)+len(part) > maxPiece {
			return nil, errPiece
		}
		if long == nil && !errors.Is(err, bufio.ErrBufferFull) {
			return part, err //nolint:wrapcheck // for go-openai, which hands it back as it is
		}
		long = append(long, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return long, err //nolint:wrapcheck // for go-openai, which hands it back as it is
		}
	}
}

// emit makes a data line. go-openai knows an error by its first bytes, to the letter; a blank between them hides it.
func (s *eventStream) emit(data []byte) {
	out := make([]byte, 0, len(data)+8)
	out = append(out, "data: "...)
	if rest, ok := bytes.CutPrefix(data, []byte(`{"error"`)); ok {
		out = append(out, `{ "error"`...)
		data = rest
	}
	out = append(out, data...)
	s.out = append(out, '\n')
}
