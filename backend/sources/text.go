package sources

import (
	"math/bits"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// kept says which bytes stand in a string as they are; those of characters beyond ASCII have to be looked at.
var kept = func() (kept [256]bool) {
	for c := range utf8.RuneSelf {
		kept[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return kept
}()

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// zero has the high bit of each byte set that is 0, if no byte has its own high bit set. The lowest one that is set is right.
func zero(w uint64) uint64 { return w - ones }

// stops has bits set from the first byte on that does not stand in a string as it is, or is not of ASCII.
func stops(w uint64) uint64 {
	return (w | (w - ' '*ones) | zero(w^('"'*ones)) | zero(w^('\\'*ones))) & highs
}

// appendText writes a string. What a page would take for tags stands as it is: a log is no page, and the model saw no escapes.
func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		for i+8 <= len(s) {
			if stop := stops(eight(s[i:])); stop != 0 {
				i += bits.TrailingZeros64(stop) >> 3
				break
			}
			i += 8
		}
		if i == len(s) {
			break
		}
		c := s[i]
		if kept[c] {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = append(append(dst, s[start:i]...), '\\')
			dst = appendEscape(dst, c)
			i++
			start = i
			continue
		}
		if chinese(s[i:]) {
			i += 3
			for chinese(s[i:]) {
				i += 3
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[start:i]...), `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[start:i]...), '\\', 'u', '2', '0', '2', hex[r&0xF])
			start = i + size
		}
		i += size
	}
	return append(append(dst, s[start:]...), '"')
}

// chinese says that a text begins with a character of three bytes that stands for itself: most of those from U+3000 on.
func chinese(s string) bool {
	return len(s) >= 3 && 0xE3 <= s[0] && s[0] <= 0xEC && s[1]&0xC0 == 0x80 && s[2]&0xC0 == 0x80
}

// appendEscape writes what stands behind the backslash.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '\\', '"':
		return append(dst, c)
	case '\b':
		return append(dst, 'b')
	case '\f':
		return append(dst, 'f')
	case '\n':
		return append(dst, 'n')
	case '\r':
		return append(dst, 'r')
	case '\t':
		return append(dst, 't')
	}
	return append(dst, 'u', '0', '0', hex[c>>4], hex[c&0xF])
}

// appendCompact writes JSON, which must be well-formed, without white space.
func appendCompact(dst, src []byte) []byte {
	start, quoted := 0, false
	for i := 0; i < len(src); i++ {
		c := src[i]
		if kept[c] && (quoted || c != ' ') {
			continue
		}
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\\':
			i++ // whatever stands there is not the end of the string
		case !quoted && c <= ' ':
			dst = append(dst, src[start:i]...)
			start = i + 1
		}
	}
	return append(dst, src[start:]...)
}
