package wellformed

import (
	"encoding/binary"
	"math/bits"
)

// depthMost is how deep values may be nested, as encoding/json has it.
const depthMost = 10000

// JSON says that data is one JSON value, with nothing but white space around it.
func JSON(data []byte) bool {
	_, ok := Depth(data)
	return ok
}

// Depth is how deep the values of a JSON text are nested, 0 for one that is no list and no object; not ok if it is not JSON.
func Depth(data []byte) (deepest int, ok bool) {
	var s stack
	if _, ok = s.read(data); !ok {
		return 0, false
	}
	return s.deepest, true
}

// Behind is where an object begins from which on all of data is objects, behind one whose writer did not get to its end; 0 if each is whole, and
// their writers did not get to the ends of their lines. It is not ok if there is none behind another. They are some for certain: each stands where
// the one before could not go on with an object.
func Behind(data []byte) (at int, ok bool) {
	var s stack
	for from := 0; from < len(data); {
		s.depth = 0 // what is above is written before it is read: to clear it would be most of the work where each byte is a torn record
		end, whole := s.read(data[from:])
		if whole {
			return at, from > 0
		}
		next := from + end
		switch {
		case next < len(data) && next > from && data[next] == '{':
		case next < len(data) && next > from+2 && string(data[next-2:next]) == `{"`: // its first quote ended a text
			next -= 2
		default:
			return 0, false
		}
		s.depth = 0
		if _, whole = s.read(data[from:next]); !whole {
			at = next
		}
		from = next
	}
	return 0, false
}

// read reads a text, and returns where it is not JSON any more.
func (s *stack) read(data []byte) (end int, ok bool) {
	i := blank(data, 0)
	for {
		if i, ok = s.value(data, i); !ok {
			return i, false
		}
		var more bool
		if i, more, ok = s.after(data, i); !ok || !more {
			return i, ok && i == len(data)
		}
	}
}

// stack are the lists and objects that are open: a bit says that it is an object.
type stack struct {
	depth, deepest int
	objects        [depthMost/64 + 1]uint64
}

func (s *stack) push(object bool) bool {
	if s.depth == depthMost {
		return false
	}
	bit := uint64(1) << (s.depth & 63)
	if object {
		s.objects[s.depth>>6] |= bit
	} else {
		s.objects[s.depth>>6] &^= bit
	}
	s.depth++
	s.deepest = max(s.deepest, s.depth)
	return true
}

func (s *stack) inObject() bool {
	at := s.depth - 1
	return s.objects[at>>6]&(1<<(at&63)) != 0
}

// value reads a value that is no list and no object, or as much of those as stands before the first such value, or before the end of
// one that is empty.
func (s *stack) value(data []byte, i int) (next int, ok bool) {
	for i < len(data) {
		switch c := data[i]; c {
		case '"':
			return text(data, i+1)
		case '{':
			if !s.push(true) {
				return i, false
			}
			if i = blank(data, i+1); i < len(data) && data[i] == '}' {
				return i, true // and after closes it
			}
			if i, ok = name(data, i); !ok {
				return i, false
			}
		case '[':
			if !s.push(false) {
				return i, false
			}
			if i = blank(data, i+1); i < len(data) && data[i] == ']' {
				return i, true
			}
		case 't':
			return word(data, i, "true")
		case 'f':
			return word(data, i, "false")
		case 'n':
			return word(data, i, "null")
		default:
			return number(data, i)
		}
	}
	return i, false
}

// after reads what stands behind a value; more says that another value is to follow.
func (s *stack) after(data []byte, i int) (next int, more, ok bool) {
	for {
		i = blank(data, i)
		if s.depth == 0 {
			return i, false, true
		}
		if i >= len(data) {
			return i, false, false
		}
		object := s.inObject()
		switch data[i] {
		case ',':
			i = blank(data, i+1)
			if object {
				if i, ok = name(data, i); !ok {
					return i, false, false
				}
			}
			return i, true, true
		case '}':
			if !object {
				return i, false, false
			}
		case ']':
			if object {
				return i, false, false
			}
		default:
			return i, false, false
		}
		s.depth--
		i++
	}
}

// name reads the name of a member, and the colon.
func name(data []byte, i int) (next int, ok bool) {
	if i >= len(data) || data[i] != '"' {
		return i, false
	}
	if i, ok = text(data, i+1); !ok {
		return i, false
	}
	if i = blank(data, i); i >= len(data) || data[i] != ':' {
		return i, false
	}
	return blank(data, i+1), true
}

func blank(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
		i++
	}
	return i
}

func word(data []byte, i int, is string) (next int, ok bool) {
	end := i + len(is)
	return end, end <= len(data) && string(data[i:end]) == is
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops has the high bit of each byte set that a string does not simply go on with: a quote, a backslash, what is below a space. The
// lowest one that is set is right; those above it may not be.
func stops(w uint64) uint64 {
	quote, slash := w^('"'*ones), w^('\\'*ones)
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-' '*ones)&^w) & highs
}

// text reads a string whose first quote was read.
func text(data []byte, i int) (next int, ok bool) {
	for {
		for i+8 <= len(data) {
			if stop := stops(binary.LittleEndian.Uint64(data[i:])); stop != 0 {
				i += bits.TrailingZeros64(stop) >> 3
				break
			}
			i += 8
		}
		if i >= len(data) {
			return i, false
		}
		switch c := data[i]; {
		case c == '"':
			return i + 1, true
		case c == '\\':
			if i, ok = escape(data, i+1); !ok {
				return i, false
			}
		case c < ' ':
			return i, false
		default:
			i++
		}
	}
}

func escape(data []byte, i int) (next int, ok bool) {
	if i >= len(data) {
		return i, false
	}
	switch data[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1, true
	case 'u':
		const digits = 4
		if i+digits >= len(data) {
			return i, false
		}
		for _, c := range data[i+1 : i+1+digits] {
			if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
				return i, false
			}
		}
		return i + 1 + digits, true
	}
	return i, false
}

func number(data []byte, i int) (next int, ok bool) {
	if i < len(data) && data[i] == '-' {
		i++
	}
	if i < len(data) && data[i] == '0' {
		i++
	} else if i, ok = digits(data, i); !ok {
		return i, false
	}
	if i < len(data) && data[i] == '.' {
		if i, ok = digits(data, i+1); !ok {
			return i, false
		}
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		return digits(data, i)
	}
	return i, true
}

func digits(data []byte, i int) (next int, ok bool) {
	start := i
	for i < len(data) && '0' <= data[i] && data[i] <= '9' {
		i++
	}
	return i, i > start
}
