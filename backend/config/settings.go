package config

import (
	"strconv"
	"strings"
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
	// text must be text in the file, too: YAML makes numbers and truths of some words.
	text bool
	// list may be one in the file.
	list bool
	// rules is a list of rules, in the file only: one variable can't hold what may hold any character.
	rules bool
	// table holds rows of the user's own, in the file only.
	table *table
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
	case float64:
		return "the default is " + strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		if v != "" {
			return "the default is " + v
		}
	}
	return "by default there is none"
}

const keyProviders = "providers"

var settings = []setting{
	{key: "model", initial: "", check: isName, text: true},
	{key: "base_url", initial: "", check: isAddress, private: true}, // may hold a password
	{key: "context_window", initial: 0, check: isCount},
	{key: "provider", initial: "", check: isProvider, text: true},
	{key: keyProviders, initial: "", table: providersTable},
	{key: "models", initial: "", table: modelsTable},
	{key: "idle_timeout", initial: "5m", check: isDuration},
	{key: "system_prompt", initial: "", check: isProse, text: true},
	{key: "memory.recall_tokens", initial: 4000, check: isCount},
	{key: "tools.enabled", initial: true, check: isBool},
	{key: "tools.timeout", initial: "2m", check: isTimeout},
	{key: "tools.output_budget", initial: 30000, check: isBudget},
	{key: keyAllow, initial: "", check: isRules, rules: true},
	{key: "permissions.ask", initial: "", check: isRules, rules: true},
	{key: "permissions.deny", initial: "", check: isRules, rules: true},
	{key: "auto_name", initial: string(AutoNameModel), check: isOneOf(string(AutoNameModel), string(AutoNameWords), string(AutoNameOff))},
	{key: "session.reset_hour", initial: "4", check: isHour},
	{key: "session.idle_minutes", initial: 0, check: isMinutes},
	{key: "durability", initial: string(DurabilityTurn), check: isOneOf(string(DurabilityFull), string(DurabilityTurn))},
	{key: "theme", initial: string(ThemeSystem), check: isOneOf(string(ThemeLight), string(ThemeDark), string(ThemeSystem))},
	{key: "notifications", initial: true, check: isBool},
	{key: "compaction.enabled", initial: true, check: isBool},
	{key: "compaction.reserve_tokens", initial: 16384, check: isCount},
	{key: reserveFloor, initial: 0, check: isCount},
	{key: "compaction.keep_recent_tokens", initial: 20000, check: isCount},
	{key: "compaction.keep_recent_messages", initial: 0, check: isMessages},
	{key: "compaction.max_tokens", initial: 0, check: isCount},
	{key: "compaction.max_messages", initial: 0, check: isMessages},
	{key: "compaction.threshold_ratio", initial: 0.0, check: isRatio},
	{key: "compaction.model", initial: "", check: isName, text: true},
	{key: "compaction.prune", initial: true, check: isBool},
	{key: "compaction.protected_tools", initial: "skill", check: isNames, list: true},
	{key: "compaction.hook", initial: "", check: isProse, text: true, private: true}, // may hold anything
	{key: "compaction.hook_timeout", initial: "30s", check: isDuration},
	{key: "compaction.memory_flush.enabled", initial: false, check: isBool},
	{key: "compaction.memory_flush.soft_threshold_tokens", initial: 4000, check: isCount},
	{key: "compaction.memory_flush.prompt", initial: "", check: isProse, text: true},
	{key: "compaction.memory_flush.system_prompt", initial: "", check: isProse, text: true},
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
