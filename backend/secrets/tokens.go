package secrets

import (
	"regexp"
	"strings"
)

// webToken is a JSON Web Token, signed or encrypted: its first part is an object.
var webToken = regexp.MustCompile(`^eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+)*`)

// tokens finds what has one of the shapes.
func tokens(text string, from int) (start, end int) {
	for i := from; i < len(text); i++ {
		c := text[i]
		for _, s := range byFirst[c] {
			if length := s.lengthOf(text[i:]); length > 0 && begins(text, i) {
				end = i + length
				end += runOf(text[end:], s.also)
				return i, end - len(text[i:end]) + len(strings.TrimRight(text[i:end], ".")) // what ends a sentence is none of it
			}
		}
		if c == 'e' && strings.HasPrefix(text[i:], "eyJ") && begins(text, i) {
			run := runOf(text[i:], "-_.")
			if length := len(webToken.FindString(text[i : i+run])); length > 0 {
				return i, i + length
			}
			i += run - 1 // or a text of nothing else would be read again and again
		}
	}
	return 0, 0
}

// lengthOf is the length of the key that text begins with, 0 if it begins with none. Whether it is one, its first part tells: or a text of
// nothing but beginnings would be read again and again.
func (s *shape) lengthOf(text string) int {
	if !strings.HasPrefix(text, s.prefix) {
		return 0
	}
	behind := text[len(s.prefix):]
	first := strings.TrimRight(behind[:runOf(behind[:min(len(behind), judged)], s.also)], "-_.")
	if len(first) < s.least || strings.HasSuffix(s.prefix, "IA") && (len(first) != awsLength || strings.ToUpper(first) != first || strings.HasSuffix(first, "EXAMPLE")) {
		return 0
	}
	if monotonous(first) || hyphenated.MatchString(first) {
		return 0 // xxxx, or what-a-key-is
	}
	return len(s.prefix) + len(first)
}

// hyphenated are words.
var hyphenated = regexp.MustCompile(`^(?:(?:[a-z]+|[A-Z]+)[0-9]{0,2}[-_.])+(?:[a-z]+|[A-Z]+)[0-9]{0,2}$`)

// runOf is the length of the run of letters, digits and some other characters that text begins with.
func runOf(text, also string) int {
	i := 0
	for i < len(text) && (alnum(text[i]) || strings.IndexByte(also, text[i]) >= 0) {
		i++
	}
	return i
}

// monotonous is true of what somebody wrote in place of a secret: it hardly has different characters.
func monotonous(key string) bool {
	const few = 6
	var seen [256]bool
	different := 0
	for i := range len(key) {
		if !seen[key[i]] {
			seen[key[i]] = true
			different++
		}
	}
	return different < few
}

// begins is true where a word begins: also behind an escaped control character, a sequence that colours, and an escaped byte.
func begins(text string, i int) bool {
	if i == 0 || !alnum(text[i-1]) && text[i-1] != '_' {
		return true
	}
	before := text[max(0, i-12):i]
	return escapedBefore.MatchString(before)
}

var escapedBefore = regexp.MustCompile(`(?:\\[abfnrtv]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|\[[0-9;]*m)$`)
