package record

import "bytes"

// Shorten returns a line with every string in it cut to about longest bytes of JSON, and whether any was: one pass that
// neither validates nor decodes, so that a line of many megabytes costs little more than reading it. What is no JSON stays none, or
// may become some; a line is judged whole, by [Scan].
func Shorten(line []byte, longest int) ([]byte, bool) {
	out := make([]byte, 0, min(len(line), 4*longest))
	cut := false
	for len(line) > 0 {
		open := bytes.IndexByte(line, '"')
		if open < 0 {
			break
		}
		out = append(out, line[:open+1]...)
		line = line[open+1:]
		end := stringEnd(line)
		if end <= longest {
			out = append(out, line[:end]...)
		} else {
			out = append(append(out, line[:wholeRunes(line, longest)]...), "…"...)
			cut = true
		}
		line = line[end:]
		if len(line) > 0 {
			out, line = append(out, '"'), line[1:]
		}
	}
	return append(out, line...), cut
}

// stringEnd is where the quote stands that ends the string which text begins in, or the end of text.
func stringEnd(text []byte) int {
	for at := 0; ; {
		quote := bytes.IndexByte(text[at:], '"')
		if quote < 0 {
			return len(text)
		}
		at += quote
		slashes := 0
		for at-slashes > 0 && text[at-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
		at++
	}
}

// wholeRunes is where a string may be cut, at or before length: not within a character or an escape, nor between the two
// escapes of one character.
func wholeRunes(text []byte, length int) int {
	for length > 0 && text[length]&0xC0 == 0x80 {
		length--
	}
	length = outsideEscape(text, length)
	const unicode = len(`\u0000`)
	if length >= unicode && isHighSurrogate(text[length-unicode:length]) {
		return outsideEscape(text, length-unicode)
	}
	return length
}

// outsideEscape is length, or the start of the escape that reaches over it.
func outsideEscape(text []byte, length int) int {
	for back := 1; back < len(`\u0000`) && back <= length; back++ {
		if text[length-back] != '\\' {
			continue
		}
		slashes := 0
		for length-back-slashes > 0 && text[length-back-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 1 {
			continue
		}
		if back == 1 || text[length-back+1] == 'u' {
			return length - back
		}
	}
	return length
}

func isHighSurrogate(escape []byte) bool {
	return escape[0] == '\\' && escape[1] == 'u' && escape[2]|0x20 == 'd' && bytes.IndexByte([]byte("89abAB"), escape[3]) >= 0
}
