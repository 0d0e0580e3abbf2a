package secrets

import (
	"slices"
	"strings"
)

var (
	// wordsFor are what is written where a secret would be, or as its type.
	wordsFor = []string{
		"none", "null", "nil", "undefined", "true", "false", "yes", "no", "on", "off", "string", "str", "bytes", "text", "number", "any", "unknown", "void",
		"optional", "required", "password", "passwd", "passphrase", "pass", "secret", "token", "key", "apikey", "credential", "credentials", "user", "username",
		"hidden", "unset", "empty", "missing", "set", "changeme",
	}
	// markers are parts of such writing.
	markers = []string{"...", "…", "***", "[secret", "xxxx", "redacted", "placeholder", "example", "change-me", "change_me", "changeme"}
	// firstWords and lastWords are what it begins and ends with, as in your-api-key and key_goes_here.
	firstWords = []string{"your", "my", "the", "some", "insert", "enter", "fake", "dummy", "sample", "replace"}
	lastWords  = []string{"here", "goes"}
)

// standIn is true of what stands where a secret would: an expression, a word for it, or nothing.
func standIn(value string) bool {
	value = strings.TrimSpace(value)
	if value == "" || strings.IndexByte("$<{[%`(", value[0]) >= 0 || strings.Trim(value, value[:1]) == "" {
		return true
	}
	if strings.IndexByte("*&!|,;#@", value[0]) >= 0 && !machineMade(value[1:]) {
		return true
	}
	lower := strings.ToLower(value)
	if slices.Contains(wordsFor, strings.TrimRight(lower, ",;:")) || slices.ContainsFunc(markers, func(m string) bool { return strings.Contains(lower, m) }) {
		return true
	}
	parts := strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune("-_ .", r) })
	if len(parts) < 2 {
		return strings.HasPrefix(lower, "your")
	}
	return slices.Contains(firstWords, parts[0]) || slices.Contains(lastWords, parts[len(parts)-1])
}

// noPassword is [standIn] where a password stands: the word secret is one that people have.
func noPassword(value string) bool {
	return standIn(value) && !strings.EqualFold(value, "secret")
}

// isCode is true of what calls something or names a part of it: f(x), a.b, A::b.
func isCode(text string) bool {
	rest, deep := text, false
	for {
		length := runOf(rest, "_")
		if length == 0 || digit(rest[0]) {
			return false
		}
		switch rest = rest[length:]; {
		case rest == "":
			return deep
		case strings.IndexByte("([{<", rest[0]) >= 0:
			return true
		case rest[0] == '.':
			rest = rest[1:]
		case strings.HasPrefix(rest, "::"), strings.HasPrefix(rest, "->"):
			rest = rest[2:]
		default:
			return false
		}
		deep = true
	}
}

// saysName is true of a value that is its name once more, or a sentence about what it names, as in the texts of a program.
func saysName(name, value string) bool {
	letters := func(text string) string {
		return strings.Map(func(r rune) rune {
			if r >= 0x80 || alnum(byte(r)) {
				return r
			}
			return -1
		}, strings.ToLower(text))
	}
	if said := letters(value); said != "" && said == letters(name) {
		return true
	}
	about := false
	words := strings.Fields(value)
	for _, word := range words {
		word = strings.ToLower(strings.Trim(word, ".,:;!?()\"'’"))
		about = about || slices.Contains([]string{"password", "passwords", "passphrase", "token", "tokens", "credentials"}, word)
		if digits := strings.ContainsAny(word, "0123456789"); digits && strings.Trim(word, "0123456789") != "" || digits && len(word) > 3 {
			return false
		}
	}
	const sentence = 3
	return about && len(words) >= sentence
}
