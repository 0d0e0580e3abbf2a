package secrets

import (
	"regexp"
	"strings"
)

// What keys are written in: lines of base64, behind which a header may stand, and before each a margin, as of a quote or of line numbers.
// Line ends may be escaped, or blanks where a variable holds the key.
const (
	lineEnd = `(?:\s|\\+[nr])+(?:[0-9]+[→:|\t])?[ \t]*(?:[>|+][ \t]*)*-?`
	header  = `(?:Proc-Type|DEK-Info|Version|Comment|Subject): [^\n\\"]*`
	base64s = `[A-Za-z0-9+/]{40,}`
	rest    = `[A-Za-z0-9+/]*={0,2}`
	marker  = `PRIVATE KEY(?: BLOCK)?-----`
)

var (
	whole = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*` + marker + lineEnd + `((?:` + header + lineEnd + `)*` + base64s + rest + `(?:` + lineEnd + `[A-Za-z0-9+/=]+)*)`)
	// tail is the end of a key whose beginning was cut away.
	tail = regexp.MustCompile(`((?:` + base64s + rest + lineEnd + `)+(?:[A-Za-z0-9+/=]+` + lineEnd + `)?)-----END [A-Z0-9 ]*` + marker)
	// beside is what may be the secret that belongs to an id of AWS.
	beside = regexp.MustCompile(`(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9](?s:.{0,80}?[^A-Za-z0-9/+=])?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`)
)

// blocks takes out private keys, and secrets beside ids of AWS.
func blocks(text string) (string, int) {
	keys, tails, besides := 0, 0, 0
	if strings.Contains(text, "PRIVATE KEY") {
		text, keys = strip(text, inGroup(whole, func(string) bool { return true }))
		text, tails = strip(text, inGroup(tail, func(string) bool { return true }))
	}
	if strings.Contains(text, "AKIA") || strings.Contains(text, "ASIA") {
		text, besides = strip(text, inGroup(beside, mixed))
	}
	return text, keys + tails + besides
}

// inGroup finds what is in the group of a shape, without the white space around it.
func inGroup(shape *regexp.Regexp, fits func(string) bool) finder {
	return func(text string, from int) (start, end int) {
		for from < len(text) {
			at := shape.FindStringSubmatchIndex(text[from:])
			if at == nil {
				return 0, 0
			}
			found := text[from+at[2] : from+at[3]]
			start = from + at[2] + len(found) - len(strings.TrimLeft(found, white))
			end = from + at[2] + len(strings.TrimRight(found, white))
			if fits(text[start:end]) {
				return start, end
			}
			from += at[1]
		}
		return 0, 0
	}
}

// white is the white space of lines.
const white = " \t\r\n"

// mixed is true of text with letters of both cases and digits, which no hash has.
func mixed(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.ToLower(text) != text && strings.ToUpper(text) != text && !strings.HasSuffix(text, "EXAMPLEKEY")
}
