package literal

import "strings"

// fence is a block of code in a text: what stands in it with what is said of it behind the signs that begin it, and where the text goes on.
type fence struct{ begin, end, next int }

// fenceAt is the block of code that the line at a place begins; not ok if it begins none. Three or more backticks or tildes begin one,
// and as many or more on a line of their own end it, or else the text does
// (https://spec.commonmark.org/0.31.2/#fenced-code-blocks). How far it is set in does not matter: it may be part of an item.
func fenceAt(s string, at int) (f fence, ok bool) {
	line, next := lineAt(s, at)
	opened := strings.TrimLeft(line, " \t")
	sign, n := signsOf(opened)
	if n < 3 || sign == "`" && strings.Contains(opened[n:], sign) {
		return fence{}, false
	}
	f = fence{begin: at + len(line) - len(opened) + n, end: len(s), next: len(s)}
	for next < len(s) {
		begin := next
		line, next = lineAt(s, begin)
		if closing := strings.TrimSpace(line); len(closing) >= n && strings.Trim(closing, sign) == "" {
			f.end, f.next = begin, begin+len(line)
			break
		}
	}
	return f, true
}

// lineAt is the line that begins at a place, without its end, and where the next one begins.
func lineAt(s string, at int) (line string, next int) {
	line, _, _ = strings.Cut(s[at:], "\n")
	return line, at + len(line) + 1
}

// signsOf is the sign that may begin a block of code, and how often it stands at the beginning of a line.
func signsOf(line string) (sign string, n int) {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return "", 0
	}
	sign = line[:1]
	return sign, len(line) - len(strings.TrimLeft(line, sign))
}
