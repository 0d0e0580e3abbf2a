package jsonl

import (
	"strings"

	"github.com/tidwall/gjson"
)

// members finds where the members of an object stand, without reading what their values hold. It is for what is JSON as far as its
// outermost members go; not ok for anything else, of which [gjson.Result.ForEach] says what there is.
//
// Nearly all of a conversation stands in strings, and their ends are found with what processors have for that: several times as fast as
// gjson, which looks at each byte.
func (f *Fields) members(text string) (ok bool) {
	rest, ok := eachMember(text, func(name, value string) bool {
		f.list = append(f.list, field{name: nameIn(name), text: value})
		return true
	})
	return ok && gap(text, rest) == len(text)
}

// First is the first member of an object that has this name, without a look at what stands behind it. It is valid as long as the line.
// Whether the rest is JSON is not asked.
func First(line []byte, wanted string) (found gjson.Result) {
	_, _ = eachMember(View(line).Raw, func(name, value string) bool {
		if nameIn(name) != wanted {
			return true
		}
		found = valueOf(value)
		return false
	})
	return found
}

// eachMember visits names and values as they stand, until visit says that it is enough, and says where the object ends.
func eachMember(text string, visit func(name, value string) bool) (end int, ok bool) {
	i := gap(text, 0)
	if i == len(text) || text[i] != '{' {
		return i, false
	}
	if i = gap(text, i+1); i < len(text) && text[i] == '}' {
		return i + 1, true
	}
	for i < len(text) && text[i] == '"' {
		end := quoted(text, i)
		name := text[i:end]
		if i = gap(text, end); i == len(text) || text[i] != ':' {
			return i, false
		}
		i = gap(text, i+1)
		if end = valueEnd(text, i); end == i || !visit(name, text[i:end]) {
			return i, false
		}
		if i = gap(text, end); i == len(text) {
			return i, false
		}
		if text[i] == '}' {
			return i + 1, true
		}
		if text[i] != ',' {
			return i, false
		}
		i = gap(text, i+1)
	}
	return i, false
}

// gap is behind what is white space, as gjson has it.
func gap(text string, i int) int {
	for i < len(text) && text[i] <= ' ' {
		i++
	}
	return i
}

func nameIn(quoted string) string {
	if strings.IndexByte(quoted, '\\') >= 0 {
		return gjson.Parse(quoted).Str
	}
	return quoted[1:max(len(quoted)-1, 1)]
}

// quoted is behind a string that begins at i; the end of the text if it has no end.
func quoted(text string, i int) int {
	for at := i + 1; ; at++ {
		next := strings.IndexByte(text[at:], '"')
		if next < 0 {
			return len(text)
		}
		at += next
		escapes := at
		for text[escapes-1] == '\\' {
			escapes--
		}
		if (at-escapes)%2 == 0 {
			return at + 1
		}
	}
}

// valueEnd is behind a value that begins at i; i if it has no end, or is none.
func valueEnd(text string, i int) int {
	if i == len(text) {
		return i
	}
	switch c := text[i]; {
	case c == '"':
		if end := quoted(text, i); end < len(text) {
			return end
		}
	case c == '{' || c == '[':
		return nestedEnd(text, i)
	case c == 't' || c == 'f' || c == 'n' && strings.HasPrefix(text[i:], "nu"):
		end := i + 1
		for end < len(text) && 'a' <= text[end] && text[end] <= 'z' {
			end++
		}
		return end
	case c == '-' || '0' <= c && c <= '9':
		end := i + 1
		for end < len(text) && text[end] > ' ' && text[end] != ',' && text[end] != ']' && text[end] != '}' {
			end++
		}
		return end
	}
	return i
}

// nestedEnd is behind an object or a list that begins at from; from if it has no end.
func nestedEnd(text string, from int) int {
	depth := 0
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = quoted(text, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '(', ')': // which gjson takes for brackets, too
			return from
		}
	}
	return from
}
