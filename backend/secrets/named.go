package secrets

import "strings"

// named finds what stands behind a name and = or :, as in lines of an environment, headers, JSON, YAML and code.
func named() finder {
	// Where values end is kept, so that one that holds many names is gone through once.
	var runs [3]int
	return func(text string, from int) (start, end int) {
		for i := from; i < len(text); i++ {
			if text[i] != '=' && text[i] != ':' {
				continue
			}
			first, last := nameBefore(text, i)
			name := kindOf(text[first:last])
			if name.kind == ordinary {
				continue
			}
			name.asked = first > 0 && strings.IndexByte("?&", text[first-1]) >= 0
			v := valueBehind(text, i)
			if v.separator == "::" || v.separator == "==" && !v.quoted {
				continue
			}
			near := v.separator == "=" && v.start == i+1
			tight := name.upper && near
			sure := v.quoted || tight || name.kind == password && (name.upper || near && strings.HasPrefix(name.name, "--"))
			if !v.quoted {
				ending := &runs[0]
				measure := unquoted
				switch {
				case name.kind == credential || name.kind == cookie:
					ending, measure = &runs[1], lineOf
				case tight && lineBegins(text, first):
					ending, measure = &runs[2], spaceless
				}
				if *ending < v.start {
					*ending = v.start + measure(text[v.start:])
				}
				v.end = *ending
			}
			if strings.HasPrefix(text[v.start-1:], Removed) || strings.Contains(text[v.start:min(v.end, v.start+judged)], takenOut) {
				continue
			}
			if !v.quoted && inQuotes(text, last) && number(name, text[v.start:v.end]) {
				return v.start, v.end
			}
			if from, to := judge(name, text[v.start:v.end], sure); from < to {
				return v.start + from, v.start + to
			}
			if v.separator == ":" && !v.quoted && (name.kind == password || name.kind == token) && v.end-v.start < judged && inYAML(text, v.start, v.end) {
				return v.start, v.end
			}
		}
		return 0, 0
	}
}

// takenOut is how a value looks that was taken out: the bracket that closes it may end the value.
var takenOut = strings.TrimSuffix(Removed, "]")

// nameBefore is the name before a separator, in quotes or not.
func nameBefore(text string, separator int) (first, last int) {
	const most = 100
	last = separator
	for last > 0 && strings.IndexByte(" \t", text[last-1]) >= 0 && separator-last < 3 {
		last--
	}
	for last > 0 && strings.IndexByte("\"'`\\", text[last-1]) >= 0 && separator-last < 12 {
		last--
	}
	quoted := inQuotes(text, last)
	first = last
	for first > 0 && last-first < most && (alnum(text[first-1]) || strings.IndexByte("_-.", text[first-1]) >= 0) {
		first--
	}
	if quoted && first > 0 && text[first-1] == ' ' {
		return last, last // the last word of several is no name
	}
	// The letter of an escaped line end is none of the name's.
	if first > 0 && first < last && text[first-1] == '\\' && strings.IndexByte("nrt", text[first]) >= 0 {
		first++
	}
	return first, last
}

// inQuotes is true of a name that ends where a quote does.
func inQuotes(text string, last int) bool { return strings.IndexByte("\"'`\\", text[last]) >= 0 }

type value struct {
	separator  string
	start, end int
	quoted     bool
}

// valueBehind is the value behind a separator; its end only if it is in quotes.
func valueBehind(text string, separator int) value {
	v := value{start: separator}
	for v.start < len(text) && v.start-separator < 2 && strings.IndexByte("=:>", text[v.start]) >= 0 {
		v.start++
	}
	v.separator = text[separator:v.start]
	const blanks = 8
	for most := v.start + blanks; v.start < min(len(text), most) && strings.IndexByte(" \t[", text[v.start]) >= 0; {
		v.start++
	}
	escapes := 0
	for v.start+escapes < len(text) && text[v.start+escapes] == '\\' && escapes < 16 {
		escapes++
	}
	if at := v.start + escapes; at < len(text) && strings.IndexByte("\"'`", text[at]) >= 0 {
		if length := quotedLength(text[at+1:], text[at], escapes); length >= 0 {
			return value{v.separator, at + 1, at + 1 + length, true}
		}
		v.start = at + 1
	}
	return v
}

// quotedLength is how long the text before the quote that closes it is, -1 if none does on its line. One with other escapes before it is
// within.
func quotedLength(text string, quote byte, escapes int) int {
	const most = 16 << 10
	run := 0
	for i := range min(len(text), most) {
		switch c := text[i]; {
		case c == quote && run == escapes:
			return i - escapes
		case c == '\n' || c == '\r':
			return -1
		case c == '\\':
			run++
		default:
			run = 0
		}
	}
	return -1
}

// lineOf is the length of a value that goes on to the end of its line, or to the quote that the whole header stands in.
func lineOf(text string) int { return until(text, "\n\r\"'`]") }

// unquoted is the length of a value without quotes.
func unquoted(text string) int { return until(text, " \t\n\r\"'`&,;)]}<>|") }

// spaceless is the length of a value in a line of an environment, where all characters but white space are its own.
func spaceless(text string) int { return until(text, " \t\n\r") }

// until is where one of some characters stands, or one is escaped that ends a line or a quote.
func until(text, ends string) int {
	for i := range len(text) {
		if strings.IndexByte(ends, text[i]) >= 0 || text[i] == '\\' && i+1 < len(text) && strings.IndexByte("nrt\"'", text[i+1]) >= 0 {
			return i
		}
	}
	return len(text)
}

// lineBegins is true of a name that its line begins with, but for export and the like.
func lineBegins(text string, at int) bool {
	before := strings.TrimRight(text[max(0, at-24):at], " \t")
	for _, word := range []string{"export", "set", "ENV", "Environment=", "declare -x", "+", "-"} {
		if rest, ok := strings.CutSuffix(before, word); ok {
			before = strings.TrimRight(rest, " \t")
			break
		}
	}
	return before == "" && at < 24 || strings.HasSuffix(before, "\n")
}
