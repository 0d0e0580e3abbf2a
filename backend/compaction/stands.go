package compaction

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isNamePart is true of what goes on a name.
func isNamePart(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// isFilePart is true of what goes on the name of a file, of an option, or an address.
func isFilePart(r rune) bool { return r == '-' || isNamePart(r) }

// isWide is true of letters of languages that put no space between words: a name ends where they begin.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// joins tells whether two that stand beside each other are parts of one name.
func joins(one, other rune, goesOn func(rune) bool) bool {
	return goesOn(one) && goesOn(other) && isWide(one) == isWide(other)
}

// stands tells whether a text holds what is wanted by itself: before and behind it nothing stands that would go on it.
func stands(text, want string, goesOn func(rune) bool) bool {
	if want == "" {
		return false
	}
	first, size := utf8.DecodeRuneInString(want)
	for from := 0; ; {
		i := strings.Index(text[from:], want)
		if i < 0 {
			return false
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if !joins(first, before, goesOn) && endsAt(text, at+len(want), goesOn) {
			return true
		}
		from = at + size
	}
}

// endsAt tells whether a name ends there: nor is a point its end with something behind that, as in a.go.bak and example.org.net.
func endsAt(text string, at int, goesOn func(rune) bool) bool {
	last, _ := utf8.DecodeLastRuneInString(text[:at])
	behind, size := utf8.DecodeRuneInString(text[at:])
	if joins(last, behind, goesOn) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[at+size:])
	return behind != '.' || !joins(last, next, goesOn)
}

// standsPath tells how much of a path a text holds by itself: all of it, or its end, of two names at least unless one will do. What
// stands before that end is nothing, or what is left out of paths: ./, ../, ~/, …/.
func standsPath(text, want string, oneWillDo bool) bool {
	base := want[strings.LastIndexByte(want, '/')+1:]
	if base == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], base)
		if i < 0 {
			return false
		}
		end := from + i + len(base)
		from = end
		if !endsAt(text, end, isFilePart) {
			continue
		}
		held := sharedEnd(text[:end], want)
		if held == len(want) && beginsAt(text, end-held, true) {
			return true
		}
		if held < len(want) && want[len(want)-held-1] != '/' || held == len(want) {
			slash := strings.IndexByte(want[len(want)-held:], '/')
			held -= slash + 1
			if slash < 0 {
				continue
			}
		}
		if (oneWillDo || held > len(base)) && beginsAt(text, end-held, false) {
			return true
		}
	}
}

// sharedEnd is how much of their ends two texts have in common.
func sharedEnd(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// beginsAt tells whether a path begins there, whole or with its first names left out; whole it may stand behind others.
func beginsAt(text string, at int, whole bool) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	first, _ := utf8.DecodeRuneInString(text[at:])
	if before != '/' || whole {
		return !joins(first, before, isFilePart) && (before != '.' || first == '.' || first == '/')
	}
	cut, _ := utf8.DecodeLastRuneInString(text[:at-1])
	return cut == '~' || cut == '.' || cut == '…'
}
