package config

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Each says what a value, as text, would have to be, or "" if it is fine.

func isName(text string) string {
	const limit = 256
	if len(text) > limit || strings.ContainsFunc(text, unicode.IsControl) {
		return "a name on one line, such as gpt-5.4, of at most 256 bytes"
	}
	return ""
}

func isAddress(text string) string {
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "written like http://localhost:11434/v1 or https://example.com/v1"
	}
	if u.User != nil {
		return "without user name and password, like https://example.com/v1"
	}
	if u.RawQuery != "" { // where keys are put, too
		return "without a question mark and what follows it, like https://example.com/v1"
	}
	return ""
}

func isOneOf(values ...string) func(string) string {
	last := len(values) - 1
	want := strings.Join(values[:last], ", ") + " or " + values[last]
	return func(text string) string {
		if slices.Contains(values, text) {
			return ""
		}
		return want
	}
}

func isBool(text string) string {
	if _, err := strconv.ParseBool(text); err != nil {
		return "true or false"
	}
	return ""
}

func isCount(text string) string {
	if n, err := strconv.ParseInt(text, 0, strconv.IntSize); err != nil || n < 0 {
		return "a whole number of tokens, 0 or more, such as 20000"
	}
	return ""
}

// isPrice takes dollars for a million tokens.
func isPrice(text string) string {
	const most = 1e6
	if price, err := strconv.ParseFloat(text, 64); err != nil || !(price >= 0 && price <= most) {
		return "a price in dollars per million tokens, such as 2.50"
	}
	return ""
}

func isMessages(text string) string {
	if n, err := strconv.ParseInt(text, 0, strconv.IntSize); err != nil || n < 0 {
		return "a whole number of messages, 0 or more, such as 40"
	}
	return ""
}

// isRatio leaves out 1, which would let a context fill the window with no room for an answer.
func isRatio(text string) string {
	if ratio, err := strconv.ParseFloat(text, 64); err != nil || !(ratio >= 0 && ratio < 1) {
		return "a number from 0 to less than 1, such as 0.8"
	}
	return ""
}

func isHour(text string) string {
	if text == "off" {
		return ""
	}
	if n, err := strconv.Atoi(text); err != nil || n < -1 || n > 23 {
		return "an hour of the day from 0 to 23, such as 4, or off"
	}
	return ""
}

// isMinutes lets through what a duration can hold.
func isMinutes(text string) string {
	const most = 60 * 24 * 365 * 100
	if n, err := strconv.ParseInt(text, 0, strconv.IntSize); err != nil || n < 0 || n > most {
		return "a whole number of minutes, 0 or more, such as 90"
	}
	return ""
}

func isDuration(text string) string {
	if d, err := time.ParseDuration(text); err != nil || d < 0 {
		return "a time such as 90s or 5m, or 0"
	}
	return ""
}

func isTimeout(text string) string {
	if d, err := time.ParseDuration(text); err != nil || d < time.Second {
		return "a time of at least 1s, such as 90s or 5m"
	}
	return ""
}

// isBudget leaves room for the note about what was left out.
func isBudget(text string) string {
	const least, most = 512, 10 << 20
	if n, err := strconv.ParseInt(text, 0, strconv.IntSize); err != nil || n < least || n > most {
		return "a whole number of bytes from 512 to 10485760, such as 30000"
	}
	return ""
}

// isProse takes a text of several lines.
func isProse(text string) string {
	const limit = 64 << 10
	if len(text) > limit || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return "text of at most 64 KiB"
	}
	return ""
}

func isNames(text string) string {
	if len(text) > 4096 || strings.ContainsFunc(text, unicode.IsControl) {
		return "names with commas between them, such as skill, read"
	}
	return ""
}
