package secrets

import (
	"regexp"
	"strings"
)

var (
	// inWords is a name of a program: words, perhaps with a few digits behind them.
	inWords = regexp.MustCompile(`^[$_]*(?:(?:[a-z]{2,}|[A-Z][a-z]+|[A-Z]{2,})_?[0-9]{0,4}_?)+$`)
	// constant is one in large letters.
	constant = regexp.MustCompile(`^[A-Z]{2,}(?:_[A-Z0-9]+)+$`)
)

// identifier is true of what programs call things, where no quote says that it is a text.
func identifier(text string) bool {
	const few = 4
	digits := len(text)
	for _, c := range []byte("0123456789") {
		digits -= strings.Count(text, string(c))
	}
	return constant.MatchString(text) || len(text)-digits <= few && inWords.MatchString(text)
}

// cookiesMost is how long plain cookies are at most, taken together.
const cookiesMost = 512

var (
	// setting is a cookie that keeps what somebody chose from a few words.
	setting = regexp.MustCompile(`^[A-Za-z0-9_.$-]+=(?:[A-Za-z]{1,10}(?:-[A-Za-z]{1,10}){0,2})?$`)
	// ofCookie is what is told of one when it is set.
	ofCookie = regexp.MustCompile(`(?i)^(?:(?:path|max-age|expires|domain|samesite|priority)=.*|httponly|secure|partitioned)$`)
	// whose are the parts of names of cookies that tell who somebody is.
	whose = regexp.MustCompile(`(?i)sess|sid|auth|token|secret|key|pass|user|login|csrf|xsrf|jwt|id$`)
)

// plainCookies is true of cookies that say nothing but what somebody likes.
func plainCookies(value string) bool {
	if len(value) == cookiesMost {
		return false
	}
	for one := range strings.SplitSeq(value, ";") {
		one = strings.TrimRight(strings.TrimSpace(one), ",")
		name, _, _ := strings.Cut(one, "=")
		if one != "" && !ofCookie.MatchString(one) && (!setting.MatchString(one) || whose.MatchString(name)) {
			return false
		}
	}
	return true
}
