package session

import (
	"encoding/json"
	"time"
)

// Sources of sessions.
const (
	SourceInteractive = "interactive"
	SourceCron        = "cron"
)

// Metadata is metadata.json: what lists need, and what the log can't tell. Members that this version does not know are
// kept as they are.
type Metadata struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	// NamedBy is who gave, or cleared, the name last, where that is known.
	NamedBy              NamedBy   `json:"namedBy,omitempty"`
	CreatedAt            time.Time `json:"createdAt"`
	LastMessageAt        time.Time `json:"lastMessageAt"`
	Model                string    `json:"model"`
	MessageCount         int       `json:"messageCount"`
	Source               string    `json:"source"`
	CronJobID            string    `json:"cronJobId,omitempty"`
	SystemPromptOverride string    `json:"systemPromptOverride,omitempty"`
	// Metrics is what the session took: [Metadata.Spent].
	Metrics         json.RawMessage `json:"metrics,omitempty"`
	ParentSessionID string          `json:"parentSessionId,omitempty"`
	ForkedAtSeq     int64           `json:"forkedAtSeq,omitempty"`
	Cwd             string          `json:"cwd,omitempty"`
	Key             string          `json:"key,omitempty"`
	Agent           string          `json:"agent,omitempty"`
	CreatedBy       string          `json:"createdBy,omitempty"`
	ArchivedAt      *time.Time      `json:"archivedAt,omitempty"`
	// ActiveSeconds is the time spent in turns, nil if none was measured.
	ActiveSeconds *float64 `json:"activeSeconds,omitempty"`
	// ImportedFrom says what it is a copy of, nil if it is none.
	ImportedFrom *Imported `json:"importedFrom,omitempty"`
	// ForeignBytes is how much of a fork's log its parent had copied from elsewhere.
	ForeignBytes int64 `json:"foreignBytes,omitempty"`
	// Permissions are the rules for tools that hold for this session: [Metadata.Granted].
	Permissions json.RawMessage `json:"permissions,omitempty"`
	// Compaction are settings that hold for this session, whatever they are worth: they are kept as they stand.
	Compaction json.RawMessage `json:"compaction,omitempty"`
	// MemoryFlushAt is when the last memory flush was, and MemoryFlushCompactionCount how many compactions there were then.
	MemoryFlushAt              *time.Time `json:"memoryFlushAt,omitempty"`
	MemoryFlushCompactionCount *int       `json:"memoryFlushCompactionCount,omitempty"`
	// Edits is what tools did to files, nil if they did nothing.
	Edits *Edits `json:"summary,omitempty"`
	// Log is what is known of the log up to a size, so that lists need not read it.
	Log *LogCounts `json:"log,omitempty"`

	// source is the file as it was read, for the members that this version does not know.
	source []byte
}

// MetadataState is what a check finds metadata.json to be.
type MetadataState string

// The states of metadata: as the log has it, not there, unreadable in whole or part, or not what the log says.
const (
	MetadataOK      MetadataState = "ok"
	MetadataMissing MetadataState = "missing"
	MetadataTorn    MetadataState = "torn"
	MetadataStale   MetadataState = "stale"
)

// Lost names what metadata holds that no log can tell, for the report of a rebuild.
const Lost = "name, source, cron job, key, agent, folder, instructions, permissions, settings, parent, archive date and time in turns, if they were set"
