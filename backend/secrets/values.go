package secrets

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"strings"
)

// judged is how much of a value is looked at, so that text of nothing but names does not take long.
const judged = 96

// schemes are the words that stand before the secret in a header, true where it has several parts.
var schemes = map[string]bool{"bearer": false, "basic": false, "token": false, "apikey": false, "bot": false, "digest": true, "negotiate": false, "aws4-hmac-sha256": true}

// credentials is what stands behind the scheme of a header; sure if it can't be anything else.
func credentials(value string) (from, to int, sure bool) {
	scheme, _, _ := strings.Cut(value[:min(len(value), judged)], " ")
	several, known := schemes[strings.ToLower(scheme)]
	if !known {
		return 0, len(strings.TrimRight(value, " \t")), false
	}
	behind := strings.TrimLeft(value[len(scheme):], " ")
	from, to = len(value)-len(behind), len(value)
	if several {
		return from, to, strings.Contains(behind[:min(len(behind), judged)], "=")
	}
	if i := strings.IndexAny(behind, " ,;"); i >= 0 {
		to = from + i
	}
	login, err := base64.StdEncoding.DecodeString(value[from:to])
	return from, to, strings.EqualFold(scheme, "basic") && err == nil && bytes.IndexByte(login, ':') >= 0
}

// judge says which part of a value is a secret, none if it is empty. Sure is true where the value is one by the way it is written, in
// quotes or as a line of the environment, and not perhaps code or prose.
func judge(name namedAs, value string, sure bool) (from, to int) {
	from, to = likely(name, value, sure)
	if from < to && saysName(name.name, value[from:min(to, from+judged)]) {
		return 0, 0
	}
	return from, to
}

// likely is judge by what the value looks like.
func likely(name namedAs, value string, sure bool) (from, to int) {
	from, to = 0, len(value)
	switch name.kind {
	case ordinary:
		return 0, 0
	case cookie:
		if !pair.MatchString(value[:min(to, judged)]) || plainCookies(value[:min(to, cookiesMost)]) {
			return 0, 0
		}
		return from, to
	case credential:
		from, to, sure = credentials(value)
	case password, token, key:
	}
	text := value[from:min(to, from+judged)]
	unfilled := standIn
	if name.kind == password && name.upper {
		unfilled = noPassword
	}
	switch {
	case unfilled(text), !sure && isCode(text), !sure && !name.upper && !name.asked && name.kind != password && name.kind != credential && identifier(text):
		return 0, 0
	case (name.kind == password || name.kind == credential) && sure:
		return from, to
	case name.kind == token && sure && name.upper:
		if isNumber(text) || location(text) || len(text) < shortest || settingOf.MatchString(text) {
			return 0, 0
		}
		return from, to
	case machineMade(text) && !isPath(name.kind, text):
		return from, to
	}
	return 0, 0
}

// shortest is how long what a machine made is at least.
const shortest = 6

// settingOf is where a program has its settings from: words with dots between them, perhaps with an index or in a call.
var settingOf = regexp.MustCompile(`^[a-z_]+(?:\.[A-Za-z_]+)+(?:\)|[(\[].*)?$`)

// pair is how cookies begin.
var pair = regexp.MustCompile(`^\s*[A-Za-z0-9_.$-]+=[^\s;$<{]`)

// number is true of digits that are a secret by the name before them: neither a place in a list, nor a size, nor a time.
func number(name namedAs, digits string) bool {
	const least, token8, seconds, milliseconds = 6, 8, 10, 13
	digits = strings.TrimPrefix(digits, "-")
	length := len(digits)
	if length == 0 || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	switch {
	case name.kind == password:
		return length >= least
	case name.kind == token && ends(strings.ToLower(name.name), "token") && length < token8:
		return false
	case name.kind == token:
		return length >= least && !(digits[0] == '1' && (length == seconds || length == milliseconds))
	}
	return false
}

func isNumber(value string) bool {
	const most = 10 // digits of sizes and times; more are an id at least
	return len(value) <= most && strings.Trim(value, "0123456789.") == ""
}

var places = regexp.MustCompile(`^(?:~|\.{1,2}|[A-Za-z]:|/(?:home|Users|root|etc|var|opt|tmp|usr|mnt|run|proc|srv|app|workspace|private|secrets?|data))[/\\]|^(?:file|https?):`)

// location is true of the path of a file, and of an address.
func location(value string) bool { return places.MatchString(value) }

// machineMade is true of what people don't write: letters with digits, or without any rule.
func machineMade(value string) bool {
	const short, long = 8, 24
	if len(value) < short || strings.ContainsAny(value, " \t(){}[]<>$`\"'|") || location(value) {
		return false
	}
	letters := strings.ContainsFunc(value, func(r rune) bool { return r < 0x80 && alnum(byte(r)) && !digit(byte(r)) })
	digits := strings.ContainsAny(value, "0123456789")
	turns := 0
	for i := 1; i < len(value); i++ {
		if large(value[i]) != large(value[i-1]) {
			turns++
		}
	}
	return letters && (digits || len(value) >= long && turns > len(value)/4)
}

var (
	paths = regexp.MustCompile(`^(?:(?:[a-z]+|[A-Z]+)[0-9]{0,2}|[0-9]{1,6})(?:[./](?:(?:[a-z]+|[A-Z]+)[0-9]{0,2}|[0-9]{1,6}))+$`)
	// ofMap are the keys of maps.
	ofMap = regexp.MustCompile(`^(?:(?:[a-z]+|[A-Z]+)[0-9]{0,2}|[0-9]{1,6})(?:[./:_-](?:(?:[a-z]+|[A-Z]+)[0-9]{0,2}|[0-9]{1,6}))+$`)
)

// isPath is true of words and numbers with dots or strokes between them, as of what a grammar or a theme calls its tokens; nobody's
// password is meant.
func isPath(k kind, value string) bool {
	return k == token && paths.MatchString(value) || k == key && ofMap.MatchString(value)
}
