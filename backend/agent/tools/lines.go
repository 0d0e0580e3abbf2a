package tools

import (
	"bytes"
)

// lines are a text with the offsets of its lines, which take less memory than the lines themselves.
type lines struct {
	data   []byte
	starts []int32
}

func linesOf(data []byte) lines {
	l := lines{data: bytes.TrimSuffix(data, []byte("\n")), starts: []int32{0}}
	for i, c := range l.data {
		if c == '\n' {
			l.starts = append(l.starts, int32(i+1))
		}
	}
	return l
}

func (l lines) count() int { return len(l.starts) }

// at is a line without its end.
func (l lines) at(i int) []byte {
	line := l.data[l.starts[i]:]
	if i+1 < len(l.starts) {
		line = l.data[l.starts[i] : l.starts[i+1]-1]
	}
	return bytes.TrimSuffix(line, []byte("\r"))
}
