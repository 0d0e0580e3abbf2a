// Package literal finds text in text as a person typed it: no operators, no words, no index. It minds case only if asked to.
//
// A log is many times as long as what is found in it, so a line of JSON is first asked whether it could hold the text at
// all, before it is decoded: see [Needle.MayBeIn].
package literal

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Needle is what is looked for.
type Needle struct {
	text string
	// fold is the text in lower case, where ASCII alone decides about case; else there is an expression, or case matters.
	fold string
	expr *regexp.Regexp
	// sign is a part of the text that JSON writes as it is, and anchor the place in it of its rarest byte.
	sign   string
	anchor int
	// plain says that sign has no case and may be written as escapes, or as its parts: apart.
	plain bool
	apart string
}

// New returns a needle for text, which must not be empty. Bytes that are not UTF-8 are looked for as U+FFFD, as which they are
// shown. Letters with accents are whole, as in what is shown.
func New(text string, matchCase bool) *Needle {
	text = norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD"))
	n := &Needle{text: text}
	if !matchCase {
		if isASCII(text) || !hasCase(text) {
			n.fold = lower(text)
		} else {
			n.expr = regexp.MustCompile("(?i)" + regexp.QuoteMeta(text))
		}
	}
	if n.sign = longest(text, isAlphanumeric); n.sign == "" {
		// A run of other signs may be written with backslashes in it.
		n.sign = longest(text, writtenAsIs)
		n.sign = n.sign[:min(1, len(n.sign))]
	}
	if n.sign == "" && !hasCase(text) {
		n.sign, n.plain = longest(text, func(r rune) bool { return r >= utf8.RuneSelf }), true
		n.apart = norm.NFD.String(n.sign)
		return n
	}
	n.sign = lower(n.sign)
	n.anchor = rarest(n.sign)
	return n
}

// Index returns where the text is found first in s from a byte on, and where it ends; -1 if it is not.
func (n *Needle) Index(s string, from int) (start, end int) {
	if n.expr != nil {
		// An expression that begins anew within s takes the beginning for a border, which a literal has none of.
		if at := n.expr.FindStringIndex(s[from:]); at != nil {
			return from + at[0], from + at[1]
		}
		return -1, -1
	}
	var at int
	switch n.fold {
	case "":
		at = strings.Index(s[from:], n.text)
	default:
		at = indexFold(s[from:], n.fold, rarest(n.fold))
	}
	if at < 0 {
		return -1, -1
	}
	return from + at, from + at + len(n.text)
}

// MayBeIn tells whether a line of JSON could hold the text in one of its strings: false is certain, unless somebody wrote
// letters and digits of ASCII as escapes, which no JSON writer does.
func (n *Needle) MayBeIn(line []byte) bool {
	switch {
	case n.sign == "":
		return true
	case n.plain:
		return bytes.Contains(line, []byte(n.sign)) || bytes.Contains(line, []byte(`\u`)) || isSplitIn(line, n.sign) ||
			n.apart != n.sign && bytes.Contains(line, []byte(n.apart))
	}
	return indexFold(line, n.sign, n.anchor) >= 0 || bytes.Contains(line, escape) || bytes.Contains(line, upperEscape) ||
		isSplitIn(line, n.sign) || strings.Contains(n.sign, "k") && holdsKelvin(line)
}

func isAlphanumeric(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// What a terminal takes for a colour may stand within a word.
var (
	escape      = []byte(`\u001b`)
	upperEscape = []byte(`\u001B`)
)

// writtenAsIs is whether every JSON writer writes this character as itself (some escape what means something in HTML), and
// [Shown] keeps it.
func writtenAsIs(r rune) bool {
	return r > ' ' && r < 0x7F && !strings.ContainsRune("\"\\/<>&'*`;~[]()", r)
}

// longest is the longest run of characters that have a property.
func longest(s string, has func(rune) bool) string {
	best, start := "", -1
	for i, r := range s + "\x00" {
		switch {
		case has(r) && start < 0:
			start = i
		case !has(r) && start >= 0:
			if i-start > len(best) {
				best = s[start:i]
			}
			start = -1
		}
	}
	return best
}

// common are characters as often as they occur in logs, the rarest first; those that are not in it are rarer still.
const common = "zqxjkvbpygfwmucldrhsnioate0123456789_.-,: "

// rarest is the index of the byte that is likely to be found least often.
func rarest(s string) int {
	at, least := 0, len(common)+1
	for i := range len(s) {
		if rank := strings.IndexByte(common, s[i]); rank < least {
			at, least = i, rank
		}
	}
	return at
}

// indexFold finds fold, which is in lower case, in s, minding no case of ASCII letters. It looks for one byte of it, which in most
// places is not there, and compares only around that.
func indexFold[T string | []byte](s T, fold string, anchor int) int {
	low := fold[anchor]
	high := low
	if 'a' <= low && low <= 'z' {
		high = low - 'a' + 'A'
	}
	nextLow, nextHigh := nextByte(s, low, anchor), len(s)
	if high != low {
		nextHigh = nextByte(s, high, anchor)
	}
	for nextLow < len(s) || nextHigh < len(s) {
		at := min(nextLow, nextHigh)
		if start := at - anchor; len(s)-start >= len(fold) && equalFold(s[start:start+len(fold)], fold) {
			return start
		}
		if at == nextLow {
			nextLow = nextByte(s, low, at+1)
		} else {
			nextHigh = nextByte(s, high, at+1)
		}
	}
	return -1
}

// nextByte is the place of a byte from a place on, or the length of s.
func nextByte[T string | []byte](s T, b byte, from int) int {
	if from >= len(s) {
		return len(s)
	}
	at := -1
	switch s := any(s[from:]).(type) {
	case string:
		at = strings.IndexByte(s, b)
	case []byte:
		at = bytes.IndexByte(s, b)
	}
	if at < 0 {
		return len(s)
	}
	return from + at
}

func equalFold[T string | []byte](s T, fold string) bool {
	for i := range len(fold) {
		if lowerByte(s[i]) != fold[i] {
			return false
		}
	}
	return true
}

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b - 'A' + 'a'
	}
	return b
}

// lower changes ASCII only, so that lengths stay.
func lower(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lowerByte(b[i])
	}
	return string(b)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// hasCase is whether a character outside ASCII has another case.
func hasCase(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf && unicode.SimpleFold(r) != r }) >= 0
}
