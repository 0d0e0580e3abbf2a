package literal

import (
	"bytes"
	"strings"
)

// holdsKelvin is whether a line holds the sign of the kelvin, the one sign that is shown as a letter of ASCII.
func holdsKelvin(line []byte) bool {
	return bytes.Contains(line, []byte("\u212a")) || bytes.Contains(line, []byte(`\u212a`)) || bytes.Contains(line, []byte(`\u212A`))
}

// isSplitIn is whether a line holds the sign with signs of markdown within it, as those that [Shown] leaves out: "notes" in
// "**Note**s" and in "[note](https://x.example)s".
func isSplitIn(line []byte, sign string) bool {
	for at, b := range line {
		if !splits(b) || at == 0 {
			continue
		}
		// What stands before the first of them is a beginning of it.
		last := lowerByte(line[at-1])
		for n := strings.IndexByte(sign, last) + 1; 0 < n && n < min(len(sign), at+1); n++ {
			if last == sign[n-1] && beginsSplit(line[at-n:], sign) {
				return true
			}
		}
	}
	return false
}

func beginsSplit(line []byte, sign string) bool {
	n := 0
	for at := 0; at < len(line); at++ {
		switch b := line[at]; {
		case lowerByte(b) == sign[n]:
			if n++; n == len(sign) {
				return true
			}
		case n == 0 || !splits(b):
			return false
		case b == ']':
			end := bytes.IndexByte(line[at:min(len(line), at+longestAddress)], ')')
			if end < 0 {
				return false
			}
			at += end
		}
	}
	return false
}

// longestAddress is how far the end of a link is looked for.
const longestAddress = 4096

func splits(b byte) bool { return b == '*' || b == '`' || b == '~' || b == '[' || b == ']' }
