package sources

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"palimpsest/backend/record"
)

// Meta is what every record of a reading may have.
type Meta struct {
	// Time is the zero time if the source has none.
	Time time.Time
	// Entry is the id of the record in the source, or its place there: the same at each reading.
	Entry string
	// Same names it in every session that has a copy of it, whatever that calls it: of messages and compactions, where the source has such a name.
	// Some copies may have only a further one, which stands behind [record.SameAlso].
	Same string
	// Copied tells that it was copied from another session, which counts it.
	Copied bool
	// More are members that our records have none for; kept, and shown with the raw record.
	More map[string]json.RawMessage
}

// Name is a name as many records have it: of one that is longer than any agent's, its beginning and what tells it from others.
func Name(name string) string {
	const most, begin = 1 << 10, 64
	if len(name) <= most {
		return name
	}
	return fmt.Sprintf("%s…%x", Valid(name[:begin]), sha256.Sum256([]byte(name)))
}

// Block is a content block: one of text, thinking, toolCall, image, or any other type, which is kept and shown as unsupported.
type Block struct {
	Type string `json:"type"`
	// Text of a text or of thinking; Signature of thinking.
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	// ID, Name and Arguments of a tool call. Arguments are an object; what is none goes under "input".
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Started is the session that a tool call started: its ID or its Key among those of the agent.
	Started string `json:"startedSession,omitempty"`
	// MediaType and Blob of an image; [Log.Image] makes one. Blob and Bytes also of a text that is cut; [Log.Text] makes one.
	MediaType string `json:"mediaType,omitempty"`
	Blob      string `json:"blob,omitempty"`
	Bytes     int    `json:"bytes,omitempty"`
	// Aside tells of a text, thinking or an image that the agent does not send again; AnyProvider of thinking that it sends to every model,
	// as text where it is another's.
	Aside       bool `json:"aside,omitempty"`
	AnyProvider bool `json:"anyProvider,omitempty"`
	// SentAsIs tells of a block of a type of the source's own that the agent sends again as it is; [AsIs] says so of a Raw one.
	SentAsIs bool `json:"sentAsIs,omitempty"`
	// Raw takes the place of all of it if it is set: a block of a type of the source's own, with its type.
	Raw json.RawMessage `json:"-"`
}

// Message is what a person, the model or a tool said.
type Message struct {
	Meta
	Role       record.Role
	Content    []Block
	ToolCallID string
	IsError    bool
	// Started is as [Block.Started], where only the result of the call tells.
	Started  string
	Model    string
	Provider string
	Usage    *record.Usage
	// Took is what an answer took that another session tells of, which may not be there.
	Took         *record.Usage
	StopReason   string
	ErrorMessage string
	// Aside tells that a person alone was shown it: the model never sees it.
	Aside bool
	// ByAgent tells that another agent asks what stands as the user's. So it is in a session that one started ([Subagent]), but where its files
	// say that a person did: Typed.
	ByAgent, Typed bool
}

// Compaction is what took the place of the messages before FirstKept.
type Compaction struct {
	Meta
	// FirstKept is the seq of the first message that stays; 0 if none does.
	FirstKept int64
	Summary   string
	// Frame is how the agent says the summary to the model; nil for one that nobody knows it of.
	Frame *record.Frame
	// TokensBefore is 0 where the source does not tell.
	TokensBefore int64
	TokensAfter  *int64
	// ReadFiles and ModifiedFiles are what the source says; nil is none.
	ReadFiles, ModifiedFiles []string
	// Trigger is manual, threshold, overflow or unknown, or [record.TriggerEdit].
	Trigger      string
	Instructions string
	Model        string
	Usage        *record.Usage
	// Replacement, if not empty, is what the model sees instead of the summary and what is kept.
	Replacement []Message
	// Kept are the seqs of what Replacement has word for word, on the path or off it; where it is nil, they are looked for on the path.
	Kept        []int64
	ActiveModel *record.Model
}

// Branch goes on from an earlier record, 0 for the very beginning; what came after that one is off the path.
type Branch struct {
	Meta
	From    int64
	Summary string
	Frame   *record.Frame // of the summary, as that of a compaction
}

// Prune clears the output of tool results.
type Prune struct {
	Meta
	Seqs        []int64
	TokensFreed int64
	// Texts are what they show as, one for each; nil for our own words.
	Texts []string
}

// Revert takes back a compaction or a prune.
type Revert struct {
	Meta
	Target int64
}

// Label is a bookmark.
type Label struct {
	Meta
	Target int64
	Label  string
}

// Model is the model in force from here on.
type Model struct {
	Meta
	record.Model
}

// Note is anything else. Content, if there is any, is in the model's context as a user message that no person typed:
// instructions, environment, reminders.
type Note struct {
	Meta
	// Role is that of an assistant where the content stands as an answer that no model gave; empty otherwise.
	Role record.Role
	// Namespace is the agent's name, a dot, and the type in the source.
	Namespace string
	Content   []Block
	// Data is the record as the source has it.
	Data json.RawMessage
	// Display shows it in the transcript; else only raw.
	Display bool
	// Aside is as that of a [Message]: Content is not in the model's context then.
	Aside bool
}
