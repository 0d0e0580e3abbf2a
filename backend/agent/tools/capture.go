package tools

import (
	"fmt"
	"sync"
	"unicode/utf8"
)

// How much of a command's output is held, and how much it may print.
const (
	captureHalf = 4 << 20  // bytes of the beginning, and as many of the end
	floodMost   = 64 << 20 // bytes after which it is ended: nobody reads that
	pieceMost   = 8 << 10  // bytes of a piece that is streamed
)

// capture is a command's output: its beginning and its end.
type capture struct {
	stream  func(string)
	flooded func()

	mu    sync.Mutex
	head  []byte
	tail  []byte // of twice its size at most, so that it is seldom moved
	total int64
	// begun is a character that is not whole yet.
	begun []byte
}

// Write never fails, so that a command can always go on.
func (c *capture) Write(data []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	room := min(captureHalf-len(c.head), len(data))
	c.head = append(c.head, data[:room]...)
	if rest := data[room:]; len(rest) > 0 {
		c.tail = append(c.tail, rest...)
		if len(c.tail) > 2*captureHalf {
			c.tail = append(c.tail[:0], c.tail[len(c.tail)-captureHalf:]...)
		}
	}
	before := c.total
	c.total += int64(len(data))
	if c.stream != nil && before < 2*captureHalf {
		c.tell(data)
	}
	if before <= floodMost && c.total > floodMost {
		c.flooded()
	}
	return len(data), nil
}

// tell streams what is whole. What is more than is held is not streamed.
func (c *capture) tell(data []byte) {
	data = append(c.begun, data...)
	whole := len(data)
	for back := 1; back < utf8.UTFMax && back <= len(data); back++ {
		if last := data[len(data)-back:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				whole -= back
			}
			break
		}
	}
	c.begun = append([]byte(nil), data[whole:]...)
	for text := valid(string(data[:whole])); text != ""; {
		piece := headOf(text, pieceMost)
		c.stream(piece)
		text = text[len(piece):]
	}
}

// text is all that is held, with a note of what is not.
func (c *capture) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	tail := c.tail[max(0, len(c.tail)-captureHalf):]
	gone := c.total - int64(len(c.head)) - int64(len(tail))
	if gone <= 0 {
		return string(c.head) + string(tail)
	}
	return fmt.Sprintf("%s\n[… %d bytes were not held …]\n%s", c.head, gone, tail)
}
