package secrets

import (
	"bytes"
	"encoding/json"

	"palimpsest/backend/wellformed"
)

// JSON is Strip for the strings of a JSON text, which stays as it is otherwise; what a name tells of its value, or of those of a list, is
// heeded. Of anything else it is Strip.
func JSON(text []byte) ([]byte, int) {
	if !wellformed.JSON(text) {
		plain, count := Strip(string(text))
		if count == 0 {
			return text, 0
		}
		return []byte(plain), count
	}
	var out []byte
	name, count, at := "", 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] == '}' {
			name = "" // what stands behind it in a list is not its own
		}
		if length := numberLength(text[i:]); length > 0 {
			if number(kindOf(name), string(text[i:i+length])) {
				out = append(append(out, text[at:i]...), escaped(Removed)...)
				count, at = count+1, i+length
			}
			i += length - 1
			continue
		}
		if text[i] != '"' {
			continue
		}
		end := i + 1 + stringLength(text[i+1:])
		inner := unescaped(text[i : end+1])
		if isName(text[end+1:]) {
			name = inner
		} else if stripped, n := Value(name, inner); n > 0 {
			out = append(append(out, text[at:i]...), escaped(stripped)...)
			count, at = count+n, end+1
		}
		i = end
	}
	if count == 0 {
		return text, 0
	}
	return append(out, text[at:]...), count
}

// numberLength is how long the number is that text begins with, 0 if it begins with none.
func numberLength(text []byte) int {
	if text[0] != '-' && !digit(text[0]) {
		return 0
	}
	for i, c := range text {
		if !digit(c) && bytes.IndexByte([]byte("+-.eE"), c) < 0 {
			return i
		}
	}
	return len(text)
}

// stringLength is how long a string is whose first quote was read.
func stringLength(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i
		case '\\':
			i++
		}
	}
	return len(text)
}

// isName is true where a colon follows.
func isName(behind []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(behind, " \t\r\n"), []byte(":"))
}

func unescaped(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var text string
	_ = json.Unmarshal(quoted, &text) // it is valid: that was seen to
	return text
}

func escaped(text string) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string always can be
	return bytes.TrimRight(out.Bytes(), "\n")
}
