package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/borrow"
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

// LogCounts says what a log holds up to its byte Size.
type LogCounts struct {
	Size int64 `json:"size"`
	// Seq of the last record before Size, by which a log is known to be the one that was counted.
	Seq          int64  `json:"seq"`
	Compactions  int    `json:"compactions"`
	FirstMessage string `json:"firstMessage,omitempty"`
	// CostUnknown tells that something was used of which nobody says what it cost.
	CostUnknown bool `json:"costUnknown,omitempty"`
	// Files are those that tools changed, so that none is counted twice.
	Files []string `json:"files,omitempty"`
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

// knownMembers are the JSON names of Metadata's fields.
var knownMembers = []string{
	"id", "name", "namedBy", "createdAt", "lastMessageAt", "model", "messageCount", "source", "cronJobId",
	"systemPromptOverride", "metrics", "parentSessionId", "forkedAtSeq", "cwd", "key", "agent", "createdBy",
	"archivedAt", "activeSeconds", "importedFrom", "permissions", "compaction", "memoryFlushAt", "memoryFlushCompactionCount", "summary", "log",
}

// decodeMetadata takes what can be read of a metadata file. Members of the wrong type are left out, and the state says
// so.
func decodeMetadata(data []byte) (Metadata, MetadataState) {
	data = bytes.TrimPrefix(data, bom)
	m := Metadata{source: data}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && json.Unmarshal(data, &m) == nil {
		return m, MetadataOK
	}
	m = Metadata{}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil || members == nil {
		return m, MetadataTorn
	}
	m.source = data
	for name, value := range members {
		one, err := json.Marshal(map[string]json.RawMessage{name: value})
		probe := m
		if err == nil && json.Unmarshal(one, &probe) == nil {
			m = probe
		}
	}
	return m, MetadataTorn
}

// others are the members of the file that this version does not know.
func (m *Metadata) others() map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(m.source, &members) != nil {
		return nil
	}
	// The decoder matches names whatever their case, so what it took must not be written a second time.
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		return slices.ContainsFunc(knownMembers, func(known string) bool { return strings.EqualFold(known, name) })
	})
	return members
}

func (m Metadata) encode() ([]byte, error) {
	m.CreatedAt, m.LastMessageAt = m.CreatedAt.UTC(), m.LastMessageAt.UTC()
	known, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encoding: %w", err)
	}
	if others := m.others(); len(others) > 0 {
		more, err := json.Marshal(others)
		if err != nil {
			return nil, fmt.Errorf("encoding what this version does not know: %w", err)
		}
		known = append(append(known[:len(known)-1], ','), more[1:]...)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, known, "", "  "); err != nil {
		return nil, fmt.Errorf("laying out: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// readMetadata reads what there is. A file that is missing or torn is a state, not an error.
func readMetadata(dir string) (Metadata, MetadataState, error) {
	data, err := borrow.ReadFile(filepath.Join(dir, "metadata.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return Metadata{}, MetadataMissing, nil
	}
	if err != nil {
		return Metadata{}, MetadataTorn, fmt.Errorf("reading metadata: %w", err)
	}
	m, state := decodeMetadata(data)
	if state != MetadataOK {
		m.Log = nil // what was counted may belong to a count that was lost
	}
	return m, state, nil
}

// writeMetadata replaces a session's metadata. The caller holds the session's lock, so that temporary files that are
// there are what a killed process left.
func writeMetadata(dir string, m Metadata) error {
	left, err := fs.Glob(os.DirFS(dir), "metadata.json*.tmp-*") // the directory is no part of the pattern
	for _, name := range left {
		_ = os.Remove(filepath.Join(dir, name)) // the next one to write tries again
	}
	data, encodeErr := m.encode()
	if err == nil {
		err = encodeErr
	}
	if err == nil {
		err = ReplaceFile(filepath.Join(dir, "metadata.json"), data)
	}
	if err != nil {
		return fmt.Errorf("writing metadata: %w", err)
	}
	return nil
}

// follow brings everything that the log can tell in line with it.
func (m *Metadata) follow(id string, x *Index) {
	m.ID = id
	if m.CreatedAt.IsZero() {
		m.CreatedAt = createdAt(id)
	}
	if m.Source == "" {
		m.Source = SourceInteractive
	}
	m.MessageCount = x.Messages
	m.Edits = x.files.edits()
	m.setMetrics(x.spent.metrics(x.Compactions))
	m.LastMessageAt = x.LastMessageAt
	if m.LastMessageAt.IsZero() {
		m.LastMessageAt = m.CreatedAt
	}
	if x.Model != "" { // the last one that the log names; else the one it was made with
		m.Model = x.Model
	}
	m.Log = nil
	// Counting can go on from here only if the log ends with a whole line.
	if x.kept.size == x.Size {
		m.Log = &LogCounts{Size: x.Size, Seq: x.kept.seq, Compactions: x.Compactions, FirstMessage: x.FirstMessage, CostUnknown: x.spent.costUnknown, Files: x.files.paths()}
	}
}

// covers tells whether what was counted still is the beginning of the log.
func (c *LogCounts) covers(file *os.File, size int64) bool {
	if c == nil || c.Size > size {
		return false
	}
	if c.Size == size {
		return true
	}
	header, ok := NewReverse(file, size).At(c.Size)
	return c.Size == 0 || ok && header.Seq == c.Seq
}

// indexCounts counts what the log holds, reading only what was appended since metadata last followed it. The index has
// counts and no lines.
func indexCounts(file *os.File, m Metadata) (*Index, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	x := &Index{countsOnly: true}
	// What an earlier version counted has no metrics: they are counted from the start.
	if metrics := m.Spent(); metrics != nil && m.Log.covers(file, info.Size()) {
		x.Size = m.Log.Size
		x.kept.size, x.kept.seq = m.Log.Size, m.Log.Seq
		x.kept.counts = Counts{
			Messages: m.MessageCount, Compactions: m.Log.Compactions, FirstMessage: m.Log.FirstMessage,
			LastMessageAt: m.LastMessageAt, Model: m.Model, files: editCountsOf(&m),
			spent: spentOf(metrics),
		}
		x.kept.counts.spent.costUnknown = x.kept.counts.spent.costUnknown || m.Log.CostUnknown
	}
	return x, x.Extend(file, info.Size())
}

// Lost names what metadata holds that no log can tell, for the report of a rebuild.
const Lost = "name, source, cron job, key, agent, folder, instructions, permissions, settings, parent, archive date and time in turns, if they were set"
