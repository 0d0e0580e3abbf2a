package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/agent/permission"
)

func TestRulesAndTools(t *testing.T) {
	got, problems := Load(homeWith(t, `
tools: {enabled: false, timeout: 5m, output_budget: 1000}
permissions:
  allow:
    - bash(git status *)
    - "read(a, b/**)"
    - |
      bash(echo a
      echo b)
  ask: write
  deny: [bash(rm *)]
`))
	if len(problems) != 0 || got.Tools != (Tools{false, 5 * time.Minute, 1000}) {
		t.Errorf("%+v %v", got, problems)
	}
	var rules []string
	for _, r := range got.Permissions.Rules() {
		rules = append(rules, fmt.Sprintf("%s %s", r.Effect, r))
	}
	want := []string{"allow bash(git status *)", "allow read(a, b/**)", "allow bash(echo a\necho b)", "ask write", "deny bash(rm *)"}
	if diff := cmp.Diff(want, rules); diff != "" {
		t.Error(diff)
	}
}

func TestRulesThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"permissions: {deny: [bash(ls:*), write]}":  `for any arguments write "bash(ls *)"`,
		"permissions: {allow: [{bash: ls}, write]}": "must be a list of rules, not of a mapping",
		"permissions: {allow: {bash: ls}}":          "must be a list of rules, not a mapping",
		"permissions: [write]":                      "permissions must hold settings of its own",
	} {
		got, problems := Load(homeWith(t, text))
		if len(problems) != 1 || !strings.Contains(problems[0].Message, want) || !RulesLost(problems) {
			t.Errorf("%s: %v", text, problems)
		}
		if kept := len(got.Permissions.Rules()); kept != strings.Count(text, "write]") && !strings.HasPrefix(text, "permissions: [") {
			t.Errorf("%s: %d rules are kept", text, kept)
		}
	}
	for _, text := range []string{"tools: {timeout: 0}", "tools: {output_budget: 5}", "tools: {enabled: perhaps}", "notifications: perhaps"} {
		if got, problems := Load(homeWith(t, text)); len(problems) != 1 || got != defaults() || RulesLost(problems) {
			t.Errorf("%s: %v", text, problems)
		}
	}
	if _, problems := Load(homeWith(t, "a: b: c")); !RulesLost(problems) {
		t.Error("a file that is no YAML may hold rules")
	}
}

func TestWithAllowed(t *testing.T) {
	const rule, line = `bash(git commit -m "x")`, `- "bash(git commit -m \"x\")"`
	whole := "permissions:\n  allow:\n    " + line + "\n"
	for name, c := range map[string]struct{ before, after string }{
		"no file":     {"", whole},
		"no section":  {"theme: dark # at night", "theme: dark # at night\n" + whole},
		"null":        {"# mine\n", "# mine\n" + whole},
		"empty":       {"permissions: # mine\ntheme: dark\n", "permissions: # mine\n  allow:\n    " + line + "\ntheme: dark\n"},
		"at the end":  {"permissions:", "permissions:\n  allow:\n    " + line + "\n"},
		"other lists": {"permissions:\n    # walls\n    deny: [write]\n", "permissions:\n    # walls\n    allow:\n      " + line + "\n    deny: [write]\n"},
		"empty list":  {"permissions:\n  allow:\n  deny: [write]\n", "permissions:\n  allow:\n    " + line + "\n  deny: [write]\n"},
		"a list": {
			"permissions:\n  allow:\n    # looks\n    - bash(ls) # here\n    - |\n      bash(a\n      b)\ntheme: dark\n",
			"permissions:\n  allow:\n    # looks\n    " + line + "\n    - bash(ls) # here\n    - |\n      bash(a\n      b)\ntheme: dark\n",
		},
		"not indented": {"permissions:\n  allow:\n  - ls\n", "permissions:\n  allow:\n  " + line + "\n  - ls\n"},
		"CRLF":         {"permissions:\r\n  allow:\r\n    - ls\r\n", "permissions:\r\n  allow:\r\n    " + line + "\r\n    - ls\r\n"},
		"there":        {"permissions: {allow: ['bash(git commit -m \"x\")']}\n", "permissions: {allow: ['bash(git commit -m \"x\")']}\n"},
	} {
		got, err := WithAllowed([]byte(c.before), rule)
		if diff := cmp.Diff(c.after, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	for _, before := range []string{
		"{permissions: {}}", "permissions: {allow: [ls]}\n", "permissions:\n  allow: [ls]\n", "permissions: ~\n", "permissions:\n  allow: ls\n",
		"permissions.allow: [ls]\n", "a: b: c\n", "permissions: &p\n  allow:\n    - ls\nother: *p\npermissions: *p\n", "- x\n", "x\ry: 1\n", "\xff",
		"permissions:\n  allow:\n    - ls\npermissions:\n  allow: []\n", "a: 1\n---\nb: 2\n",
	} {
		got, err := WithAllowed([]byte(before), rule)
		if !errors.Is(err, ErrByHand) || !strings.Contains(err.Error(), rule) {
			t.Errorf("%q: %v\n%s", before, err, got)
		}
	}
	if _, err := WithAllowed(nil, "bash("); err == nil || errors.Is(err, ErrByHand) {
		t.Error(err)
	}
}

// TestWithAllowedKeepsAll: whatever rules are added one after the other, they are all in force, and so is what was there.
func TestWithAllowedKeepsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(rapid.SampledFrom([]string{
			"", "theme: dark\n", "permissions:\n", "permissions:\n  deny:\n    - write\n", "permissions:\n    allow:\n    - ls\n", "# x\r\ntheme: dark",
		}).Draw(t, "file"))
		before, _ := parse(FileName, data)
		had := rulesIn(before)
		delete(before, keyAllow)
		for _, words := range rapid.SliceOfN(rapid.StringMatching(`[a-z #:'"\\{}*&!|>%@-]{1,12}`), 1, 4).Draw(t, "commands") {
			rule := "bash(" + words + ")"
			if _, err := permission.Parse(rule, permission.Allow, permission.Config); err != nil {
				continue
			}
			edited, err := WithAllowed(data, rule)
			if err != nil {
				t.Fatalf("%q into %q: %v", rule, data, err)
			}
			data = edited
			if !slices.Contains(had, rule) {
				had = append(had, rule)
			}
		}
		after, problems := parse(FileName, data)
		now := rulesIn(after)
		slices.Sort(now)
		slices.Sort(had)
		delete(after, keyAllow)
		if !slices.Equal(now, had) || len(problems) != 0 || fmt.Sprint(before) != fmt.Sprint(after) {
			t.Fatalf("%q gives %q, want %q\n%v", data, now, had, problems)
		}
	})
}
