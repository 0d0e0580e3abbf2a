// Package config reads the user's settings: config.yaml in the agent's home directory, under
// environment variables, over defaults.
//
//	key                            default   environment
//	model                          none      PALIMPSEST_MODEL
//	base_url                       none      PALIMPSEST_BASE_URL
//	context_window                 0         PALIMPSEST_CONTEXT_WINDOW
//	durability                     turn      PALIMPSEST_DURABILITY
//	theme                          system    PALIMPSEST_THEME
//	compaction.enabled             true      PALIMPSEST_COMPACTION_ENABLED
//	compaction.reserve_tokens      16384     PALIMPSEST_COMPACTION_RESERVE_TOKENS
//	compaction.keep_recent_tokens  20000     PALIMPSEST_COMPACTION_KEEP_RECENT_TOKENS
//
// Keys are told apart without regard to case, in the file as in the merge, because viper lowers
// them. An environment variable that is set but empty counts as not set, and so does a key
// without a value.
//
// Nothing in the file can keep the program from starting. What is wrong is left out, what is
// right is kept, and every mistake becomes a [Problem] that says where it is; only a file that
// isn't YAML at all is left out as a whole. The file belongs to the user: this package never
// writes it. Secrets don't belong in it: a key that looks like one is reported, its value
// neither used nor repeated.
package config

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
	// Durability says how often a session's log is synced to disk.
	Durability Durability `mapstructure:"durability"`
	// Theme is the colour scheme of the window.
	Theme Theme `mapstructure:"theme"`
	// Compaction says when a session is compacted by itself, and how far.
	Compaction Compaction `mapstructure:"compaction"`
}

// Compaction holds the settings of automatic compaction.
type Compaction struct {
	// Enabled allows it. Compacting by hand is always allowed.
	Enabled bool `mapstructure:"enabled"`
	// ReserveTokens is kept free in the model's context window for the answer.
	ReserveTokens int `mapstructure:"reserve_tokens"`
	// KeepRecentTokens is how much of the newest conversation stays as it is.
	KeepRecentTokens int `mapstructure:"keep_recent_tokens"`
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
