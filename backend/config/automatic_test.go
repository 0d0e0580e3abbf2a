package config

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const everyAutomatic = `idle_timeout: 90s
system_prompt: |
  You are terse.
  Very.
memory: {recall_tokens: 7}
compaction:
  reserve_tokens_floor: 1
  keep_recent_messages: 4
  max_tokens: 90000
  max_messages: 20
  threshold_ratio: 0.75
  model: cheap
  prune: false
  protected_tools: [skill, read]
  hook: ~/bin/hook --plan
  hook_timeout: 2s
  memory_flush:
    enabled: true
    soft_threshold_tokens: 5
    prompt: "Write: now"
    system_prompt: hush
`

func automatic(c *Config) {
	c.IdleTimeout, c.SystemPrompt, c.Memory.RecallTokens = 90*time.Second, "You are terse.\nVery.\n", 7
	c.Compaction = Compaction{
		Enabled: true, ReserveTokens: 16384, ReserveTokensFloor: 1, KeepRecentTokens: 20000, KeepRecentMessages: 4,
		MaxTokens: 90000, MaxMessages: 20, ThresholdRatio: 0.75, Model: "cheap", Prune: false, ProtectedTools: "skill,read",
		Hook: "~/bin/hook --plan", HookTimeout: 2 * time.Second,
		MemoryFlush: MemoryFlush{Enabled: true, SoftThresholdTokens: 5, Prompt: "Write: now", SystemPrompt: "hush"},
	}
}

func TestSettingsOfWhatHappensByItself(t *testing.T) {
	got, problems := Load(homeWith(t, everyAutomatic))
	if diff := cmp.Diff(with(automatic), got); diff != "" || len(problems) != 0 {
		t.Errorf("%s%v", diff, problems)
	}
	if names := got.Compaction.ProtectedTools.List(); !slices.Equal(names, []string{"skill", "read"}) {
		t.Errorf("%q", names)
	}
	for name, value := range map[string]string{
		"IDLE_TIMEOUT": "0", "SYSTEM_PROMPT": "env", "MEMORY_RECALL_TOKENS": "8", "COMPACTION_RESERVE_TOKENS_FLOOR": "9",
		"COMPACTION_KEEP_RECENT_MESSAGES": "10", "COMPACTION_MAX_TOKENS": "11", "COMPACTION_MAX_MESSAGES": "12",
		"COMPACTION_THRESHOLD_RATIO": "0.5", "COMPACTION_MODEL": "other", "COMPACTION_PRUNE": "true",
		"COMPACTION_PROTECTED_TOOLS": "a, b", "COMPACTION_HOOK": "h", "COMPACTION_HOOK_TIMEOUT": "1m",
		"COMPACTION_MEMORY_FLUSH_ENABLED": "true", "COMPACTION_MEMORY_FLUSH_SOFT_THRESHOLD_TOKENS": "13",
		"COMPACTION_MEMORY_FLUSH_PROMPT": "p", "COMPACTION_MEMORY_FLUSH_SYSTEM_PROMPT": "s",
	} {
		t.Setenv("PALIMPSEST_"+name, value)
	}
	want := with(func(c *Config) {
		c.SystemPrompt, c.Memory.RecallTokens, c.IdleTimeout = "env", 8, 0
		c.Compaction = Compaction{
			Enabled: true, ReserveTokens: 16384, ReserveTokensFloor: 9, KeepRecentTokens: 20000, KeepRecentMessages: 10,
			MaxTokens: 11, MaxMessages: 12, ThresholdRatio: 0.5, Model: "other", Prune: true, ProtectedTools: "a, b",
			Hook: "h", HookTimeout: time.Minute,
			MemoryFlush: MemoryFlush{Enabled: true, SoftThresholdTokens: 13, Prompt: "p", SystemPrompt: "s"},
		}
	})
	got, problems = Load(homeWith(t, everyAutomatic))
	if diff := cmp.Diff(want, got); diff != "" || len(problems) != 0 {
		t.Errorf("%s%v", diff, problems)
	}
	if names := got.Compaction.ProtectedTools.List(); !slices.Equal(names, []string{"a", "b"}) {
		t.Errorf("%q", names)
	}
}

// TestTheFloorWhileTheFlushIsOn: 20000, unless somebody set it, be it to 0.
func TestTheFloorWhileTheFlushIsOn(t *testing.T) {
	const on = "compaction: {memory_flush: {enabled: true}}\n"
	for _, c := range []struct {
		file, env string
		want      int
	}{
		{"", "", 0},
		{on, "", 20000},
		{on + "compaction.reserve_tokens_floor: 0\n", "", 0},
		{on + "compaction.reserve_tokens_floor: 5\n", "", 5},
		{on, "0", 0},
		{on, "-1", 20000}, // which is none, and reported
	} {
		t.Setenv("PALIMPSEST_COMPACTION_RESERVE_TOKENS_FLOOR", c.env)
		got, _ := Load(homeWith(t, c.file))
		if got.Compaction.ReserveTokensFloor != c.want {
			t.Errorf("%q, %q: %d, want %d", c.file, c.env, got.Compaction.ReserveTokensFloor, c.want)
		}
	}
}

func TestProblemsOfWhatHappensByItself(t *testing.T) {
	for text, want := range map[string]string{
		"idle_timeout: 90":                                       `idle_timeout must be a time such as 90s or 5m, or 0, not "90"; the default is 5m`,
		"idle_timeout: -1s":                                      `not "-1s"`,
		"system_prompt: 5":                                       `system_prompt must be text, not "5"`,
		"compaction: {threshold_ratio: 1}":                       `must be a number from 0 to less than 1, such as 0.8, not "1"; the default is 0`,
		"compaction: {threshold_ratio: .nan}":                    `not ".nan"`,
		"compaction: {max_messages: -3}":                         `a whole number of messages, 0 or more, such as 40, not "-3"`,
		"compaction: {protected_tools: [[a]]}":                   `must be a list of names, each without comma and blank; the default is skill`,
		"compaction: {protected_tools: {a: b}}":                  `must be a single value, not a mapping`,
		"compaction: {memory_flush: true}":                       `compaction.memory_flush must hold settings of its own`,
		"compaction: {memory_flush: {enbled: 1}}":                `did you mean compaction.memory_flush.enabled?`,
		"compaction: {memoryFlush: {enabled: 1}}":                `did you mean compaction.memory_flush?`,
		"session: {reset_hour: 24}":                              `session.reset_hour must be an hour of the day from 0 to 23, such as 4, or off, not "24"; the default is 4`,
		"session: {reset_hour: 4.5}":                             `not "4.5"`,
		"session: {reset_hour: never}":                           `not "never"`,
		"session: {idle_minutes: -1}":                            `session.idle_minutes must be a whole number of minutes, 0 or more, such as 90, not "-1"; the default is 0`,
		"auto_name: true":                                        `auto_name must be model, words or off, not "true"; the default is model`,
		"memory: {recall: 1}":                                    `there is no setting "memory.recall"`,
		"compaction: {keep_recent_messages: 9, max_messages: 9}": `compaction.keep_recent_messages (9) must be less than compaction.max_messages (9); 4 are kept`,
	} {
		_, problems := Load(homeWith(t, text+"\n"))
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), want) {
			t.Errorf("%s: %v, want %s", text, problems, want)
		}
	}
	hook, problems := Load(homeWith(t, "compaction: {hook: \"a\\0hunter2\"}\n"))
	if hook.Compaction.Hook != "" || len(problems) != 1 || strings.Contains(problems[0].Error(), "hunter2") {
		t.Errorf("%+v %v", hook.Compaction, problems)
	}
}
