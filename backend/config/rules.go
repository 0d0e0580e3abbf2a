package config

import (
	"slices"
	"strings"

	"palimpsest/backend/agent/permission"
)

// Permissions are the rules for tools that hold in every session.
type Permissions struct {
	Allow Rules `mapstructure:"allow"`
	Ask   Rules `mapstructure:"ask"`
	Deny  Rules `mapstructure:"deny"`
}

// Rules is a list of rules, so that settings can be compared. What is between them stands in no rule.
type Rules string

const betweenRules = "\x00"

// List are the rules as they are written.
func (r Rules) List() []string {
	if r == "" {
		return nil
	}
	return strings.Split(string(r), betweenRules)
}

// Rules are those of the settings, as package permission judges by them.
func (p Permissions) Rules() []permission.Rule {
	var rules []permission.Rule
	for _, list := range []struct {
		rules  Rules
		effect permission.Effect
	}{{p.Allow, permission.Allow}, {p.Ask, permission.Ask}, {p.Deny, permission.Deny}} {
		for _, text := range list.rules.List() {
			if rule, err := permission.Parse(text, list.effect, permission.Config); err == nil { // checked when they were read
				rules = append(rules, rule)
			}
		}
	}
	return rules
}

// keyAllow is the list that grows by what a user always allows.
const keyAllow = "permissions.allow"

// isRules lets through what package permission can read.
func isRules(text string) string {
	for _, rule := range Rules(text).List() {
		if strings.ContainsRune(rule, 0) {
			return "rules without NUL"
		}
		if _, err := permission.Parse(rule, permission.Ask, permission.Config); err != nil {
			return "rules such as bash(git status) or read(src/**)"
		}
	}
	return ""
}

// RulesLost tells whether there may be rules that can't be read: one of them may be a wall, so nothing is to be taken for
// allowed then.
func RulesLost(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool {
		key := strings.ToLower(p.Key)
		// Without a key it is the whole file; a key that is nearly the right one may have been meant to be it.
		return key == "" || strings.HasPrefix(key, "permission")
	})
}
