package sources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/wellformed"
)

// wire is a record as it is written.
type wire struct {
	RecordType    record.Type   `json:"recordType,omitempty"`
	SchemaVersion int           `json:"schemaVersion,omitempty"`
	Seq           int64         `json:"seq,omitempty"`
	Role          record.Role   `json:"role,omitempty"`
	Content       *[]Block      `json:"content,omitempty"`
	ToolCallID    string        `json:"toolCallId,omitempty"`
	IsError       *bool         `json:"isError,omitempty"`
	Started       string        `json:"startedSession,omitempty"`
	FirstKeptSeq  int64         `json:"firstKeptSeq,omitempty"`
	FromSeq       *int64        `json:"fromSeq,omitempty"`
	TargetSeq     int64         `json:"targetSeq,omitempty"`
	Seqs          []int64       `json:"seqs,omitempty"`
	Label         *string       `json:"label,omitempty"`
	Summary       *string       `json:"summary,omitempty"`
	Frame         *record.Frame `json:"frame,omitempty"`
	TokensBefore  *int64        `json:"tokensBefore,omitempty"`
	TokensAfter   *int64        `json:"tokensAfter,omitempty"`
	TokensFreed   *int64        `json:"tokensFreed,omitempty"`
	Texts         *[]string     `json:"texts,omitempty"`
	ReadFiles     *[]string     `json:"readFiles,omitempty"`
	ModifiedFiles *[]string     `json:"modifiedFiles,omitempty"`
	Trigger       string        `json:"trigger,omitempty"`
	Instructions  string        `json:"instructions,omitempty"`
	Replacement   []wire        `json:"replacement,omitempty"`
	KeptSeqs      []int64       `json:"keptSeqs,omitempty"`
	ActiveModel   *record.Model `json:"activeModel,omitempty"`
	Provider      string        `json:"provider,omitempty"`
	Model         string        `json:"model,omitempty"`
	// ReasoningEffort and ContextWindow are those of a model record.
	ReasoningEffort string          `json:"reasoningEffort,omitempty"`
	ContextWindow   int64           `json:"contextWindow,omitempty"`
	Usage           *record.Usage   `json:"usage,omitempty"`
	StopReason      string          `json:"stopReason,omitempty"`
	ErrorMessage    string          `json:"errorMessage,omitempty"`
	Namespace       string          `json:"namespace,omitempty"`
	Data            json.RawMessage `json:"data,omitempty"`
	Display         *bool           `json:"display,omitempty"`
	Aside           bool            `json:"aside,omitempty"`
	ByAgent         bool            `json:"byAgent,omitempty"`
	Timestamp       string          `json:"timestamp,omitempty"`
	Origin          *origin         `json:"origin,omitempty"`
	// at is the time that Timestamp says.
	at time.Time
	// What Content, IsError and Origin are of a message.
	blocks  []Block
	isError bool
	from    origin
}

// origin says where a record comes from.
type origin struct {
	Agent   string `json:"agent"`
	Session string `json:"session"`
	Entry   string `json:"entry,omitempty"`
	// Same is as [Meta] has it.
	Same string `json:"same,omitempty"`
	// Copied tells that the other session counts it.
	Copied bool `json:"copied,omitempty"`
	// Took is as [Message] has it.
	Took *record.Usage `json:"took,omitempty"`
}

// wire begins the next record. It stands where the one before did, and is empty once it is written.
func (l *Log) wire(kind record.Type, m Meta) *wire {
	w := &l.next
	w.from = origin{Agent: l.agent, Session: l.session, Entry: m.Entry, Copied: m.Copied}
	w.RecordType, w.SchemaVersion, w.Seq, w.Origin = kind, 2, l.Next(), &w.from
	if kind == record.TypeMessage || kind == record.TypeCompaction {
		w.SchemaVersion, w.Origin.Same = 1, m.Same
	}
	if !m.Time.IsZero() && m.Time.Year() > 0 && m.Time.Year() < 10000 {
		w.at = m.Time.UTC().Round(0) // without a clock's reading
		w.Timestamp = w.at.Format(time.RFC3339Nano)
	}
	return w
}

func (w *wire) message(m *Message) {
	w.blocks = m.Content
	if w.blocks == nil {
		w.blocks = []Block{}
	}
	w.Role, w.Content, w.Model, w.Provider = m.Role, &w.blocks, m.Model, m.Provider
	w.Aside = m.Aside
	w.Usage, w.StopReason, w.ErrorMessage = Plausible(m.Usage), m.StopReason, m.ErrorMessage
	if m.Role == record.RoleToolResult {
		w.isError = m.IsError
		w.ToolCallID, w.IsError, w.Started = m.ToolCallID, &w.isError, m.Started
		if w.ToolCallID == "" {
			w.ToolCallID = "unknown" // a result must name a call; no call has this id, so it answers none
		}
	}
}

// put writes a record with the members that ours has not.
func (l *Log) put(w *wire, more map[string]json.RawMessage) {
	defer func() { *w = wire{} }() // a long one is kept by nobody
	l.seq = w.Seq
	l.past.take(w)
	line, plain, err := l.encode(w)
	if err != nil {
		l.fail(fmt.Errorf("encoding record %d of %s:%s: %w", w.Seq, l.agent, l.session, err))
		return
	}
	if len(more) > 0 {
		line = withMore(line, more)
	}
	l.line = line
	l.write(line)
	if l.show != nil && l.err == nil {
		var rec *record.Record
		if plain && !hasOurs(more) {
			rec = l.read.record(w)
		}
		l.fail(l.show(line, rec, w.Origin.Copied))
		l.read = decoder{}
	}
}

// hasOurs tells that there are members among others that a record of ours may have, too.
func hasOurs(more map[string]json.RawMessage) bool {
	for name := range more {
		if members[name] {
			return true
		}
	}
	return false
}

// encode writes a record into the buffer that all of them use; plain tells that encoding/json had not to be asked.
func (l *Log) encode(w *wire) (line []byte, plain bool, err error) {
	a := appender{out: l.line[:0]}
	if a.wire(w); !a.bad {
		return a.out, true, nil
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	if err := to.Encode(w); err != nil {
		return nil, false, err //nolint:wrapcheck // the caller says of what
	}
	return bytes.TrimRight(out.Bytes(), "\n"), false, nil
}

// withMore adds members to a record, but for those that it has.
func withMore(line []byte, more map[string]json.RawMessage) []byte {
	var known map[string]bool
	for _, name := range slices.Sorted(maps.Keys(more)) {
		if members[name] && known == nil {
			known = namesIn(line)
		}
		if known[name] || !wellformed.JSON(more[name]) {
			continue
		}
		line = append(line[:len(line)-1], ',')
		line = append(appendText(line, name), ':')
		line = append(appendCompact(line, more[name]), '}')
	}
	return line
}

// members are the names that a record of ours may have.
var members = func() map[string]bool {
	names := map[string]bool{}
	for field := range reflect.TypeFor[wire]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names[name] = true
		}
	}
	return names
}()

// namesIn are the names of a record's members.
func namesIn(line []byte) map[string]bool {
	names := map[string]bool{}
	gjson.Parse(unsafe.String(unsafe.SliceData(line), len(line))).ForEach(func(key, _ gjson.Result) bool {
		names[strings.Clone(key.Str)] = true // what it is cut from is overwritten
		return true
	})
	return names
}
