package overlay

import (
	"slices"
	"sort"
	"time"

	"palimpsest/backend/record"
)

// What put a message into the context that no message record holds, or changed one that does.
const (
	OverlayCompaction = "compaction"
	OverlayBranch     = "branch"
	OverlayNote       = "note"
	OverlayPrune      = "prune"
	OverlayRepair     = "repair"
)

// Part says which part of the context a message belongs to.
type Part uint8

// The parts of a context. Without a compaction in force all of it is kept.
const (
	PartSummary Part = iota
	PartKept
	PartFresh // since the compaction in force
)

// Message is one message of a context.
type Message struct {
	// Seq is 0 for a message that no message record holds; Overlay then says what made it.
	Seq int64
	// Offset is that of the record's line that the message comes from, -1 if there is none.
	Offset int64
	// From is the seq of the record it comes from, also where Seq is 0.
	From int64
	// Tokens is the raw estimate of this message.
	Tokens     int
	ToolCallID string
	// Body is never nil, and written to by nobody: where texts are left in the log, many messages have the same.
	*Body
	Part Part
	// light tells that its texts are in its record only: [Context.Whole] takes them from there.
	light bool
	// counted tells that Tokens is known before all are measured: the blocks of its body are those of many.
	counted bool
}

// Body is what messages may have in common.
type Body struct {
	Role    record.Role
	Content []record.Block
	IsError bool
	Overlay string
	// StopReason says how an assistant message ended, if that was recorded.
	StopReason string
	// Namespace says whose note it is, if it is one.
	Namespace string

	source *record.Message // the message as recorded, if it is one
	// instead is what a pruned result shows as, where the prune says it, and whole the raw estimate of that result as it was recorded.
	instead string
	whole   int
}

// Question is a message of the user's that no record holds.
func Question(text string) Message {
	return Message{Offset: -1, Body: &Body{Role: record.RoleUser, Content: []record.Block{record.TextBlock(text)}}}
}

// Showing is a message with other content.
func (m *Message) Showing(content []record.Block) Message {
	out, body := *m, *m.Body
	body.Content = content
	out.Body = &body
	return out
}

// Seqs are those of the records that messages come from, but for results that never came.
func Seqs(messages []Message) []int64 {
	seqs := []int64{}
	for i := range messages {
		if messages[i].Overlay != OverlayRepair {
			seqs = append(seqs, messages[i].From)
		}
	}
	return seqs
}

// Place is a record on the path, in range.
type Place struct {
	Type   record.Type
	Seq    int64
	Offset int64
}

// Repair is one step taken to make a context valid, or something in range that has no effect.
type Repair struct {
	Seq    int64  `json:"seq"`
	Offset int64  `json:"-"`
	Reason string `json:"reason"`
}

// Context is what the model sees.
type Context struct {
	// Messages are there if it was not resolved light; [Context.All] has them of any.
	Messages []Message
	// Compaction is the one in force, nil if there is none; CompactionSeq and -Offset name it, and -Time is when it was made.
	Compaction       *record.Compaction
	CompactionSeq    int64
	CompactionOffset int64
	CompactionTime   time.Time
	Repairs          []Repair
	// Path is every record in range, oldest first; LastSeq is the seq of the last record read, 0 in an empty log.
	Path    []Place
	LastSeq int64
	// Model is the one in force; its fields are empty if not known.
	Model record.Model
	// Dropped holds the reasons why records in range give no message, by the offset of their lines; nil if nobody asked.
	Dropped map[int64]string
	// Reported is the anchored size: the last usage reported that still holds plus the estimate of what followed; nil
	// if there is none. Calibration scales estimates by what usage showed.
	Reported    *int
	Calibration float64

	// thinks is the provider that thinking is sent to.
	thinks string
	again  func() (Records, error)
	// walk tells the messages of a context that was resolved light, which are not held.
	walk *walk
}

// Options of [Resolve].
type Options struct {
	// Model is what the session's metadata says, for logs that name none.
	Model string
	// Unmeasured leaves out what tokens tell: of messages, Reported and Calibration.
	Unmeasured bool
	// Light leaves the texts of messages and notes in the log, and Path out: what is held of a context that is as long as its log is then
	// much less than that. [Context.Whole] is for who wants a message.
	Light bool
	// Unexplained leaves out Dropped.
	Unexplained bool
	// Again opens the log once more. With it texts stay there, too, and [Context.Texts] reads them; Path is kept.
	Again func() (Records, error)
}

// Records are those of a log, by where their lines begin.
type Records interface {
	At(offset int64) (record.Record, error)
	Close()
}

// Resolve reads the log backward from where it stands and returns the context of its newest record. The error is the
// log's.
func Resolve(log Log, opts Options) (Context, error) {
	w := newWalk()
	w.light, w.pathless, w.unmeasured = opts.Light || opts.Again != nil, opts.Light, opts.Unmeasured
	if opts.Unexplained {
		w.dropped = nil
	}
	if err := w.run(log); err != nil {
		return Context{}, err
	}
	ctx := Context{
		Model: w.inForce(opts.Model), CompactionOffset: -1, Repairs: w.repairs, Dropped: w.dropped,
		Path: w.path, LastSeq: w.last, again: opts.Again,
	}
	slices.Reverse(ctx.Path)
	if w.compaction != nil {
		ctx.Compaction = w.compaction.made
		ctx.CompactionSeq, ctx.CompactionOffset, ctx.CompactionTime = w.compaction.seq, w.compaction.offset, w.compaction.time
	}
	ctx.thinks = w.provider(ctx.Model)
	ctx.walk = w
	ctx.emit()
	ctx.makeValid()
	if !opts.Unmeasured {
		ctx.measure()
	}
	if !opts.Light {
		ctx.hold()
	}
	sort.SliceStable(ctx.Repairs, func(i, j int) bool { return ctx.Repairs[i].Offset < ctx.Repairs[j].Offset })
	return ctx, nil
}

// hold has all messages in memory.
func (c *Context) hold() {
	messages := make([]Message, 0, c.Len())
	for _, m := range c.All() {
		messages = append(messages, m)
	}
	c.Messages, c.walk = messages, nil
}

func (c *Context) repair(m *Message, reason string) {
	c.Repairs = append(c.Repairs, Repair{Seq: m.From, Offset: m.Offset, Reason: reason})
}
