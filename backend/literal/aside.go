package literal

import (
	"strings"
	"unicode/utf8"
)

// aside is where signs stand that mean themselves while those that mean something are left out: no text has these characters.
const aside = 0x10FF00

// setAside puts escaped signs aside, and all of those in code, whose backticks it leaves out: a run of them ends at the next one that
// is as long (https://spec.commonmark.org/0.31.2/#code-spans); a block of code ends as [fenceAt] has it.
func setAside(s string) string {
	if !strings.ContainsAny(s, "\\`") && !strings.Contains(s, "~~~") {
		return s
	}
	var out strings.Builder
	ends := endsOfRuns(s)
	for i := 0; i < len(s); i++ {
		if i == 0 || s[i-1] == '\n' {
			if f, ok := fenceAt(s, i); ok {
				writeAside(&out, s[f.begin:f.end])
				i = f.next - 1
				continue
			}
		}
		switch {
		case s[i] == '\\' && i+1 < len(s) && isSign(s[i+1]):
			i++
			out.WriteRune(aside + rune(s[i]))
		case s[i] != '`':
			out.WriteByte(s[i])
		default:
			n := runAt(s, i)
			end, ok := ends[i]
			if !ok {
				out.WriteString(s[i : i+n])
				i += n - 1
				continue
			}
			writeAside(&out, s[i+n:end])
			i = end + n - 1
		}
	}
	return out.String()
}

// writeAside writes a text with its signs put aside.
func writeAside(out *strings.Builder, code string) {
	for _, b := range []byte(code) {
		if isSign(b) {
			out.WriteRune(aside + rune(b))
		} else {
			out.WriteByte(b)
		}
	}
}

// endsOfRuns is where the next run of backticks stands that is as long as the one at a place. One pass from the end: a text may have as
// many as it has characters. A backslash before one takes its first away, but not where code ends.
func endsOfRuns(s string) map[int]int {
	ends, next := map[int]int{}, map[int]int{}
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != '`' {
			continue
		}
		end := i
		for i > 0 && s[i-1] == '`' {
			i--
		}
		n := end - i + 1
		for at, long := range map[int]int{i: n, i + 1: n - 1} { // whole, and with its first escaped
			if to, ok := next[long]; ok && long > 0 {
				ends[at] = to
			}
		}
		next[n] = i
	}
	return ends
}

// runAt is how long the run of backticks at a place is.
func runAt(s string, i int) int { return len(s[i:]) - len(strings.TrimLeft(s[i:], "`")) }

// takenBack puts what was set aside where it was.
func takenBack(s string) string {
	return strings.Map(func(r rune) rune {
		if aside < r && r < aside+utf8.RuneSelf {
			return r - aside
		}
		return r
	}, s)
}

// isSign is whether a byte is a punctuation character of ASCII, which a backslash escapes.
func isSign(b byte) bool {
	return '!' <= b && b <= '/' || ':' <= b && b <= '@' || '[' <= b && b <= '`' || '{' <= b && b <= '~'
}
