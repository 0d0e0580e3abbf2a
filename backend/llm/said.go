package llm

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"
)

// said is what a server says about a failure, in whatever shape.
type said struct {
	message string
	// kinds are its codes and types, lower case, blanks between.
	kinds string
	// status is what it calls the failure's HTTP status, 0 if it doesn't.
	status int
	// page is set for HTML.
	page bool
}

const (
	maxWords  = 500     // of a server's words that are shown
	maxJudged = 8 << 10 // bytes of them that are judged: some servers repeat the request
)

// judged is what patterns are matched against.
func (s said) judged() string {
	return strings.ToLower(s.message[:min(len(s.message), maxJudged)]) + s.kinds[:min(len(s.kinds), maxJudged)]
}

// saidIn reads the body of a failure: JSON in one of the shapes in use, a page, or plain text.
func saidIn(body []byte) said {
	trimmed := strings.TrimSpace(strings.ToValidUTF8(string(body), "\uFFFD"))
	switch {
	case strings.HasPrefix(trimmed, "<"):
		return said{page: true}
	case !json.Valid([]byte(trimmed)):
		return said{message: trimmed}
	}
	value := gjson.Parse(trimmed)
	if value.IsArray() { // Google wraps its errors so
		value = value.Get("0")
	}
	if inner := value.Get("error"); inner.IsObject() || inner.Type == gjson.String && inner.Str != "" {
		return saidBy(inner)
	}
	return saidBy(value)
}

// saidBy reads an error itself, as it also stands in the middle of a stream.
func saidBy(value gjson.Result) said {
	if value.Type == gjson.String {
		return said{message: value.Str}
	}
	s := said{message: firstText(value, "message", "error_description", "detail", "detail.0.msg", "detail.message", "msg")}
	for _, name := range []string{"code", "type", "status"} {
		field := value.Get(name)
		s.kinds += " " + strings.ToLower(field.String())
		if code := field.Int(); s.status == 0 && code >= 400 && code <= 599 {
			s.status = int(code)
		}
	}
	// OpenRouter says here what the provider behind it said.
	if raw := value.Get("metadata.raw"); raw.Type == gjson.String {
		s.message = strings.TrimSpace(s.message + ": " + raw.Str)
	}
	if s.message == "" {
		s.message = value.Raw
	}
	return s
}

func firstText(value gjson.Result, paths ...string) string {
	for _, path := range paths {
		if field := value.Get(path); field.Type == gjson.String && field.Str != "" {
			return field.Str
		}
	}
	return ""
}

const secretLength = 16

// IsSecret tells a key from the words that local servers are given for one, such as "lm-studio": taking those out of a text
// would garble it, and the commands in it. A key is 16 characters or longer, and has both letters and digits.
func IsSecret(key string) bool {
	letter := strings.ContainsFunc(key, unicode.IsLetter)
	return len(key) >= secretLength && letter && strings.ContainsFunc(key, unicode.IsDigit)
}

// harmless makes a server's words one line that can be shown: without control and direction characters, without the key,
// which some servers repeat, be it spelt as JSON has it or with such characters within, and not too long.
func harmless(words, key string) string {
	words = hide(visible(words), key)
	if spelt := visible(unescaped(words)); IsSecret(key) && strings.Contains(spelt, key) {
		words = hide(spelt, key)
	}
	if runes := []rune(words); len(runes) >= maxWords {
		return string(runes[:maxWords-1]) + "…"
	}
	return words
}

// visible is a text on one line, without characters that don't show.
func visible(words string) string {
	var b strings.Builder
	gap := false
	for _, r := range words {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			gap = b.Len() > 0
			continue
		}
		if r == unicode.ReplacementChar || unicode.Is(unicode.Cf, r) {
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

var escapes = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\/`)

// unescaped is a text without the escapes that JSON allows for characters of a key.
func unescaped(words string) string {
	return escapes.ReplaceAllStringFunc(words, func(escape string) string {
		code, err := strconv.ParseUint(escape[2:], 16, 16)
		if err != nil {
			return escape[1:]
		}
		return string(rune(code))
	})
}
