// Package config reads the user's settings: config.yaml in the agent's home directory, under
// environment variables, over defaults.
//
//	key                                            default  environment
//	model                                          none     PALIMPSEST_MODEL
//	base_url                                       none     PALIMPSEST_BASE_URL
//	context_window                                 0        PALIMPSEST_CONTEXT_WINDOW
//	provider                                       none     PALIMPSEST_PROVIDER
//	providers.NAME.base_url                        none
//	providers.NAME.model                           none
//	providers.NAME.context_window                  0
//	models.NAME.context_window                     0
//	models.NAME.max_output_tokens                  0
//	models.NAME.images                             true or false: whether it takes images
//	models.NAME.input, output                      none
//	models.NAME.cache_read, cache_write            input
//	idle_timeout                                   5m       PALIMPSEST_IDLE_TIMEOUT
//	system_prompt                                  none     PALIMPSEST_SYSTEM_PROMPT
//	memory.recall_tokens                           4000     PALIMPSEST_MEMORY_RECALL_TOKENS
//	auto_name                                      model    PALIMPSEST_AUTO_NAME
//	session.reset_hour                             4        PALIMPSEST_SESSION_RESET_HOUR
//	session.idle_minutes                           0        PALIMPSEST_SESSION_IDLE_MINUTES
//	durability                                     turn     PALIMPSEST_DURABILITY
//	theme                                          system   PALIMPSEST_THEME
//	notifications                                  true     PALIMPSEST_NOTIFICATIONS
//	tools.enabled                                  true     PALIMPSEST_TOOLS_ENABLED
//	tools.timeout                                  2m       PALIMPSEST_TOOLS_TIMEOUT
//	tools.output_budget                            30000    PALIMPSEST_TOOLS_OUTPUT_BUDGET
//	permissions.allow                              none
//	permissions.ask                                none
//	permissions.deny                               none
//	compaction.enabled                             true     PALIMPSEST_COMPACTION_ENABLED
//	compaction.reserve_tokens                      16384    PALIMPSEST_COMPACTION_RESERVE_TOKENS
//	compaction.reserve_tokens_floor                0        PALIMPSEST_COMPACTION_RESERVE_TOKENS_FLOOR
//	compaction.keep_recent_tokens                  20000    PALIMPSEST_COMPACTION_KEEP_RECENT_TOKENS
//	compaction.keep_recent_messages                0        PALIMPSEST_COMPACTION_KEEP_RECENT_MESSAGES
//	compaction.max_tokens                          0        PALIMPSEST_COMPACTION_MAX_TOKENS
//	compaction.max_messages                        0        PALIMPSEST_COMPACTION_MAX_MESSAGES
//	compaction.threshold_ratio                     0        PALIMPSEST_COMPACTION_THRESHOLD_RATIO
//	compaction.model                               none     PALIMPSEST_COMPACTION_MODEL
//	compaction.prune                               true     PALIMPSEST_COMPACTION_PRUNE
//	compaction.protected_tools                     [skill]  PALIMPSEST_COMPACTION_PROTECTED_TOOLS
//	compaction.hook                                none     PALIMPSEST_COMPACTION_HOOK
//	compaction.hook_timeout                        30s      PALIMPSEST_COMPACTION_HOOK_TIMEOUT
//	compaction.memory_flush.enabled                false    PALIMPSEST_COMPACTION_MEMORY_FLUSH_ENABLED
//	compaction.memory_flush.soft_threshold_tokens  4000     PALIMPSEST_COMPACTION_MEMORY_FLUSH_SOFT_THRESHOLD_TOKENS
//	compaction.memory_flush.prompt                 none     PALIMPSEST_COMPACTION_MEMORY_FLUSH_PROMPT
//	compaction.memory_flush.system_prompt          none     PALIMPSEST_COMPACTION_MEMORY_FLUSH_SYSTEM_PROMPT
//
// provider names one of providers, whose address takes the place of base_url, and whose model and context_window, if it has
// them, those of the others; PALIMPSEST_BASE_URL stands against a provider that only the file names. models say of a model,
// whoever serves it, how large its window is and what it costs, in dollars per million tokens. Both are in the file only.
//
// compaction.reserve_tokens_floor is 20000 where the memory flush is on and the floor is not set. A list is written as one
// in the file, and with commas in the environment. session.reset_hour is an hour of the local day, or off. Rules for tools (see package permission) are in the file only; each that
// is wrong is left out and reported.
//
// Keys are told apart without regard to case, in the file as in the merge, because viper lowers
// them. An environment variable that is set but empty counts as not set, and so does a key
// without a value.
//
// Nothing in the file can keep the program from starting. What is wrong is left out, what is
// right is kept, and every mistake becomes a [Problem] that says where it is; only a file that
// isn't YAML at all is left out as a whole. The file belongs to the user: this package never
// writes it, and changes its text (edit.go) only where every other line stays as it is. Secrets don't belong in it: a key that looks like one is reported, its value
// neither used nor repeated.
package config

import (
	"strconv"
	"strings"
	"time"
)

// FileName is the name of the settings file within the home directory.
const FileName = "config.yaml"

// Config holds the settings in force. It is comparable: two are equal if every setting is.
type Config struct {
	// Model is the model to talk to, empty if none is chosen.
	Model string `mapstructure:"model"`
	// BaseURL is the address of the model's API, empty for the provider's own.
	BaseURL string `mapstructure:"base_url"`
	// ContextWindow is the size of the model's context in tokens; 0 takes what its server says or, where that says
	// nothing, a cautious guess.
	ContextWindow int `mapstructure:"context_window"`
	// Provider is the one of Providers in use, whose address, model and window the three above are then; empty for none.
	Provider  string    `mapstructure:"provider"`
	Providers Providers `mapstructure:"providers"`
	// Unnamed is what the three say at the top of the file while a provider is in use.
	Unnamed Provider `mapstructure:"-"`
	// Models are what the user says of models, before anybody else.
	Models Overrides `mapstructure:"models"`
	// IdleTimeout ends an answer of the model that has begun and of which nothing more comes for so long; 0 waits for ever.
	IdleTimeout time.Duration `mapstructure:"idle_timeout"`
	// SystemPrompt replaces the program's own, unless a session has one that replaces both; empty for the program's own.
	SystemPrompt string `mapstructure:"system_prompt"`
	// Memory says what is recalled of notes that earlier sessions left.
	Memory Memory `mapstructure:"memory"`
	// Tools says whether models may call tools, and how those run.
	Tools Tools `mapstructure:"tools"`
	// Permissions are the rules by which they may.
	Permissions Permissions `mapstructure:"permissions"`
	// AutoName says who names a session after its first exchange.
	AutoName AutoName `mapstructure:"auto_name"`
	// Session says when the session of a key is over.
	Session Session `mapstructure:"session"`
	// Durability says how often a session's log is synced to disk.
	Durability Durability `mapstructure:"durability"`
	// Theme is the colour scheme of the window.
	Theme Theme `mapstructure:"theme"`
	// Notifications has the desktop say that a turn has ended, or asks, while the window is not in front.
	Notifications bool `mapstructure:"notifications"`
	// Compaction says when a session is compacted by itself, and how far.
	Compaction Compaction `mapstructure:"compaction"`
}

// Session holds the settings of sessions that have a key. The next message begins a new one when either limit is passed.
type Session struct {
	// ResetHour is the hour of the local day at which they are over; see [Hour.Value].
	ResetHour Hour `mapstructure:"reset_hour"`
	// IdleMinutes is how long after the last message they are; 0 for never.
	IdleMinutes int `mapstructure:"idle_minutes"`
}

// Hour is an hour of the day, as it is written: 0 to 23, or -1 or off for none.
type Hour string

// Value is the hour, -1 for none.
func (h Hour) Value() int {
	n, err := strconv.Atoi(string(h))
	if err != nil {
		return -1
	}
	return n
}

// AutoName is who names a session after its first exchange.
type AutoName string

// Who names it: the model or, without an answer of it, the first words; the first words; nobody.
const (
	AutoNameModel AutoName = "model"
	AutoNameWords AutoName = "words"
	AutoNameOff   AutoName = "off"
)

// Memory holds the settings of memory recall.
type Memory struct {
	// RecallTokens is how much of the newest memory files is shown to the model; 0 shows none.
	RecallTokens int `mapstructure:"recall_tokens"`
}

// Tools holds the settings of what models may call.
type Tools struct {
	// Enabled offers them, in sessions that have a folder.
	Enabled bool `mapstructure:"enabled"`
	// Timeout ends commands that name no time of their own.
	Timeout time.Duration `mapstructure:"timeout"`
	// OutputBudget is how many bytes of one result the model is shown.
	OutputBudget int `mapstructure:"output_budget"`
}

// Compaction holds the settings of compaction, most of them of the automatic one.
type Compaction struct {
	// Enabled allows it without being asked. Compacting by hand is always allowed.
	Enabled bool `mapstructure:"enabled"`
	// ReserveTokens is kept free in the model's context window for the answer, at least ReserveTokensFloor.
	ReserveTokens      int `mapstructure:"reserve_tokens"`
	ReserveTokensFloor int `mapstructure:"reserve_tokens_floor"`
	// KeepRecentTokens is how much of the newest conversation stays as it is. KeepRecentMessages, if not 0, says so in
	// messages instead.
	KeepRecentTokens   int `mapstructure:"keep_recent_tokens"`
	KeepRecentMessages int `mapstructure:"keep_recent_messages"`
	// MaxTokens, MaxMessages and ThresholdRatio, a part of the window, each make it happen earlier; 0 for none.
	MaxTokens      int     `mapstructure:"max_tokens"`
	MaxMessages    int     `mapstructure:"max_messages"`
	ThresholdRatio float64 `mapstructure:"threshold_ratio"`
	// Model writes the summaries, empty for the one that answers.
	Model string `mapstructure:"model"`
	// Prune clears old tool results first, but for those of ProtectedTools.
	Prune          bool  `mapstructure:"prune"`
	ProtectedTools Names `mapstructure:"protected_tools"`
	// Hook is a command that is shown each plan, and given HookTimeout to answer; empty for none.
	Hook        string        `mapstructure:"hook"`
	HookTimeout time.Duration `mapstructure:"hook_timeout"`
	// MemoryFlush has what is worth keeping written down before a compaction.
	MemoryFlush MemoryFlush `mapstructure:"memory_flush"`
}

// MemoryFlush holds the settings of the silent turn before a compaction.
type MemoryFlush struct {
	Enabled bool `mapstructure:"enabled"`
	// SoftThresholdTokens is how far below the trigger of the compaction it happens.
	SoftThresholdTokens int `mapstructure:"soft_threshold_tokens"`
	// Prompt asks for it, and SystemPrompt is added to the session's own; empty for the program's.
	Prompt       string `mapstructure:"prompt"`
	SystemPrompt string `mapstructure:"system_prompt"`
}

// Names is a list of names, with commas between them: so that settings can be compared.
type Names string

// List are the names.
func (n Names) List() []string {
	return strings.FieldsFunc(string(n), func(r rune) bool { return r == ',' || r == ' ' })
}

// Durability is when a session's log is synced to disk.
type Durability string

const (
	// DurabilityFull syncs every record.
	DurabilityFull Durability = "full"
	// DurabilityTurn syncs at the end of each turn, and whatever is acknowledged to the user.
	DurabilityTurn Durability = "turn"
)

// Theme is the colour scheme of the window.
type Theme string

// The themes. ThemeSystem follows the desktop.
const (
	ThemeLight  Theme = "light"
	ThemeDark   Theme = "dark"
	ThemeSystem Theme = "system"
)
