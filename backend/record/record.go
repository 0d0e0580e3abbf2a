package record

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Type is a record's recordType.
type Type string

// The record types of schemaVersion 1 and, from Branch on, of schemaVersion 2.
const (
	TypeMessage    Type = "message"
	TypeCompaction Type = "compaction"
	TypeBranch     Type = "branch"
	TypeRevert     Type = "revert"
	TypePrune      Type = "prune"
	TypeLabel      Type = "label"
	TypeModel      Type = "model"
	TypeNote       Type = "note"
)

// versions holds the one schemaVersion at which each type is known.
var versions = map[Type]int64{
	TypeMessage: 1, TypeCompaction: 1,
	TypeBranch: 2, TypeRevert: 2, TypePrune: 2, TypeLabel: 2, TypeModel: 2, TypeNote: 2,
}

// lookup returns the constant for a recordType that is known.
func lookup(name string) (Type, bool) {
	for kind := range versions {
		if string(kind) == name {
			return kind, true
		}
	}
	return "", false
}

// Role says who speaks in a message.
type Role string

// The roles of messages.
const (
	RoleUser       Role = "user"
	RoleAssistant  Role = "assistant"
	RoleToolResult Role = "toolResult"
)

// Stop reasons of assistant messages that change what the model sees later.
const (
	StopAborted = "aborted"
	StopError   = "error"
)

// MaxSeq is the largest seq: the largest integer that JavaScript holds exactly, 2^53-1.
const MaxSeq = 1<<53 - 1

// Header is what every record has, and what an index needs of it.
type Header struct {
	Type    Type
	Version int64
	Seq     int64
	// Role is set for messages only.
	Role Role
	// Time is the zero time if the timestamp is missing or unreadable, which is no damage.
	Time time.Time
	// Newer marks a record of an unknown type or a higher version: kept, counted, otherwise left alone.
	Newer bool
}

// Record is one whole line. Exactly the field of its type is set; none is if it is Newer.
type Record struct {
	Header
	// JSON is the line without its newline, as it is in the file.
	JSON string

	Message    *Message
	Compaction *Compaction
	Branch     *Branch
	Revert     *Revert
	Prune      *Prune
	Label      *Label
	Model      *Model
	Note       *Note
}

// Aside tells that a person alone was to see what it says.
func (r *Record) Aside() bool {
	return r.Message != nil && r.Message.Aside || r.Note != nil && r.Note.Aside
}

// SameAlso stands before each further name, where [Message] has one that is the same in copies.
const SameAlso = "\n"

// Message is what a user, the model or a tool said.
type Message struct {
	Role         Role
	Content      []Block
	ToolCallID   string
	IsError      bool
	Model        string
	Provider     string
	Usage        *Usage
	StopReason   string
	ErrorMessage string
	// Aside tells that a person alone was to see it, and never the model.
	Aside bool
	// ByAgent tells that an agent asked what stands as the user's: the one that started the session, as a rule.
	ByAgent bool
	// Same is what names it in every session that has a copy of it, empty where nothing does; behind [SameAlso] what else does.
	Same string
	// Took is what an answer took that was copied from another session, where that one tells it.
	Took *Usage
}

// Asked tells that a person said it to the model.
func (m *Message) Asked() bool { return m.Role == RoleUser && !m.Aside && !m.ByAgent }

// Compaction replaces the messages before FirstKeptSeq by a summary.
type Compaction struct {
	FirstKeptSeq int64
	Summary      string
	// Foreign tells that another agent made it.
	Foreign bool
	// Frame is how the summary is said to the model; nil is as the specification has it.
	Frame         *Frame
	TokensBefore  int64
	TokensAfter   *int64
	ReadFiles     []string
	ModifiedFiles []string
	Model         string
	Trigger       string
	Edited        bool
	Instructions  string
	SplitTurn     bool
	// Replacement, if not empty, is emitted instead of the summary and the kept messages.
	Replacement []Message
	// KeptSeqs are the messages before it that Replacement has word for word, in order.
	KeptSeqs    []int64
	ActiveModel *Model
	// Usage is what writing the summary took, in all of its requests; nil where nothing was reported.
	Usage *Usage
	// Same is as that of a message.
	Same string
}

// TriggerEdit is what set off a record that is none of its agent's compactions, and only has the form of one: the agent changed what the
// model sees.
const TriggerEdit = "edit"

// Counts tells a compaction from such an edit.
func (c *Compaction) Counts() bool { return c.Trigger != TriggerEdit }

// Branch continues the conversation from FromSeq; 0 is before everything.
type Branch struct {
	FromSeq int64
	// FromOffset is the byte offset just behind the line of FromSeq, 0 if not given. A hint: verify it.
	FromOffset int64
	Summary    string
	// Frame is how the summary is said to the model; nil is in our own words.
	Frame       *Frame
	ActiveModel *Model
}

// Frame is how another agent says a summary to the model.
type Frame struct {
	// Question is what a message of the user before it asks; empty for no such message.
	Question string `json:"question,omitempty"`
	// Role is that of the message; empty for the user's.
	Role Role `json:"role,omitempty"`
	// Before and After stand around the summary, in the same text.
	Before string `json:"before"`
	After  string `json:"after"`
	// XML tells that the signs that mean something in XML are escaped in the summary.
	XML bool `json:"xml,omitempty"`
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// Say is the text that has the summary.
func (f *Frame) Say(summary string) string {
	if f.XML {
		summary = escaped.Replace(summary)
	}
	return f.Before + summary + f.After
}

// Revert takes back a compaction or a prune.
type Revert struct{ TargetSeq int64 }

// Prune clears the output of the tool results it names.
type Prune struct {
	Seqs        []int64
	TokensFreed int64
	// Texts are what they show as, one for each; nil, or an empty one, is for [Cleared].
	Texts []string
}

// Told are the texts that say what results show as, without those for [Cleared].
func (p *Prune) Told() []string {
	return slices.DeleteFunc(slices.Clone(p.Texts), func(text string) bool { return text == "" })
}

// Label is a bookmark; an empty Label removes it.
type Label struct {
	TargetSeq int64
	Label     string
}

// Model is the model in force from a record on.
type Model struct {
	Provider        string `json:"provider"`
	Model           string `json:"model"`
	ReasoningEffort string `json:"reasoningEffort,omitempty"`
	// Window is how many tokens the agent took the model's context to hold; 0 where it did not say.
	Window int64 `json:"contextWindow,omitempty"`
	// Named tells that Provider is a name that the user gave it in the settings, not where it was found.
	Named bool `json:"named,omitempty"`
}

// Note is the state of an extension; its Content, if any, is in the context as a user message or, with the role of an assistant, as an answer
// that no model gave.
type Note struct {
	Namespace string
	Content   []Block
	// Role is empty for a user's.
	Role    Role
	Display bool
	// Aside is as that of a [Message].
	Aside bool
}

// Says is whose message the content stands as.
func (n *Note) Says() Role { return cmp.Or(n.Role, RoleUser) }

// Overlong ends the namespace of a note that stands for what another agent wrote and is too long to be read.
const Overlong = ".overlong"

// Overlong tells of such a note.
func (n *Note) Overlong() bool { return strings.HasSuffix(n.Namespace, Overlong) }
