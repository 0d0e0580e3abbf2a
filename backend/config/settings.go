package config

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// setting is one key of the file.
type setting struct {
	key     string
	initial any
	// check says what a value, as text, would have to be, or "" if it is fine. The same check
	// serves the file and the environment, and lets through only what viper can then convert.
	check func(text string) string
	// private values are not repeated in messages.
	private bool
}

// env is the variable that overrides the setting.
func (s setting) env() string {
	return "PALIMPSEST_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

// complaint says what is wrong with a value, given the name under which it was set.
func (s setting) complaint(name, text string) (message, hint string) {
	want := s.check(text)
	if want == "" {
		return "", ""
	}
	message = name + " must be " + want
	if !s.private {
		message += ", not " + quote(text)
	}
	return message, s.hint()
}

func (s setting) hint() string {
	switch v := s.initial.(type) {
	case bool:
		return "the default is " + strconv.FormatBool(v)
	case int:
		return "the default is " + strconv.Itoa(v)
	case string:
		if v != "" {
			return "the default is " + v
		}
	}
	return "by default there is none"
}

var settings = []setting{
	{key: "model", initial: "", check: isName},
	{key: "base_url", initial: "", check: isAddress, private: true}, // may hold a password
	{key: "context_window", initial: 0, check: isCount},
	{key: "durability", initial: string(DurabilityTurn), check: isOneOf(string(DurabilityFull), string(DurabilityTurn))},
	{key: "theme", initial: string(ThemeSystem), check: isOneOf(string(ThemeLight), string(ThemeDark), string(ThemeSystem))},
	{key: "compaction.enabled", initial: true, check: isBool},
	{key: "compaction.reserve_tokens", initial: 16384, check: isCount},
	{key: "compaction.keep_recent_tokens", initial: 20000, check: isCount},
}

func settingOf(key string) (setting, bool) {
	for _, s := range settings {
		if s.key == key {
			return s, true
		}
	}
	return setting{}, false
}

// isSection reports that the key holds settings of its own.
func isSection(key string) bool {
	for _, s := range settings {
		if strings.HasPrefix(s.key, key+".") {
			return true
		}
	}
	return false
}

func isName(text string) string {
	const limit = 256
	if len(text) > limit || strings.ContainsFunc(text, unicode.IsControl) {
		return "a name on one line, of at most 256 bytes"
	}
	return ""
}

func isAddress(text string) string {
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "an address that begins with http:// or https://"
	}
	if u.User != nil {
		return "an address without user name and password"
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
		return "a whole number of tokens, 0 or more"
	}
	return ""
}
