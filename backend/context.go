package backend

import (
	"encoding/json"
	"fmt"
	"time"

	"palimpsest/backend/agent/inject"
	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
	"palimpsest/backend/tokens"
)

// Context is what the model sees of a session, now or as of a record.
type Context struct {
	SessionID     string           `json:"sessionId"`
	At            *int64           `json:"at"`
	Messages      []Message        `json:"messages"`
	Tokens        Tokens           `json:"tokens"`
	Parts         Parts            `json:"parts"`
	Injected      Injected         `json:"injected"`
	Model         *string          `json:"model"`
	CompactionSeq *int64           `json:"compactionSeq"`
	Repairs       []overlay.Repair `json:"repairs"`
	Damage        []session.Damage `json:"damage"`
}

// Message is one message of a context. Seq is 0, and left out, for one that no record holds.
type Message struct {
	Seq        int64             `json:"seq,omitempty"`
	Role       string            `json:"role"`
	ToolCallID *string           `json:"toolCallId,omitempty"`
	IsError    *bool             `json:"isError,omitempty"`
	Content    []json.RawMessage `json:"content"`
	Overlay    string            `json:"overlay,omitempty"`
}

// Tokens is the size of a context: the raw estimate of its messages, the calibrated one with what is injected, the one anchored in reported usage if there is
// one, and the window and reserve it is held against.
type Tokens struct {
	Estimate   int  `json:"estimate"`
	Calibrated int  `json:"calibrated"`
	Reported   *int `json:"reported"`
	Window     int  `json:"window"`
	Reserve    int  `json:"reserve"`
	// WindowAssumed says that nobody knows the window.
	WindowAssumed bool `json:"windowAssumed,omitempty"`
	// Clamped says that the settings asked for more reserve than half the window.
	Clamped bool `json:"clamped"`
}

// Parts is the calibrated size of each part; they add up to the calibrated size of the whole.
type Parts struct {
	Injected int `json:"injected"`
	Summary  int `json:"summary"`
	Kept     int `json:"kept"`
	Fresh    int `json:"fresh"`
}

// ContextOptions of [Backend.Context].
type ContextOptions struct {
	// At asks for the context as of the last record that has this seq, inclusive; 0 for now.
	At int64
	// WithoutMessages leaves the messages out, for who needs the numbers only.
	WithoutMessages bool
	// Injected puts what the model is told besides the conversation before the messages.
	Injected bool
}

// contextWait is how long a context waits for a server to say how large its windows are, once in a while.
const contextWait = time.Second

// Context is [Backend.See] with all messages at once.
func (b *Backend) Context(id string, opts ContextOptions) (Context, error) {
	s, err := b.See(id, opts)
	if err != nil {
		return Context{}, err
	}
	defer s.Close()
	for i := range s.Len() {
		m, err := s.Message(i)
		if err != nil {
			return Context{}, err
		}
		s.Messages = append(s.Messages, m)
	}
	return s.Context, nil
}

// roughContext is the size of a context that is too large to resolve for its numbers alone: a token for four bytes.
func (b *Backend) roughContext(id string, told *inject.Context, opts ContextOptions) (Context, bool, error) {
	v, err := b.glance(id)
	if err != nil {
		return Context{}, false, err
	}
	defer v.close()
	o := v.states.Outlook()
	if o == nil {
		return Context{}, false, nil
	}
	c := overlay.Context{Calibration: 1, CompactionOffset: -1, Model: v.modelNoted()}
	parts := map[overlay.Part]int{}
	for i := range v.states.Model.All() {
		line := v.index.Lines.At(i)
		size := int(line.Length+3) / 4
		switch {
		case o.Of(i) == states.Pruned: // what stands in its place is some words
		case i == o.InForce:
			parts[overlay.PartSummary] += size
			rec, err := v.overlayAt(i)
			if err != nil {
				return Context{}, false, fmt.Errorf("session %s: %w", id, err)
			}
			c.CompactionSeq, c.Compaction = line.Seq, rec.Compaction
		case o.InForce >= 0 && i > o.InForce:
			parts[overlay.PartFresh] += size
		default:
			parts[overlay.PartKept] += size
		}
	}
	for part, size := range parts { // of a message each
		c.Messages = append(c.Messages, overlay.Message{Tokens: size, Part: part, Body: &overlay.Body{}})
	}
	return b.contextOf(id, &c, told, opts), true, nil
}

// contextOf is a context without its messages.
func (b *Backend) contextOf(id string, c *overlay.Context, told *inject.Context, opts ContextOptions) Context {
	out := Context{
		SessionID: id, Messages: []Message{}, Model: known(c.Model.Model),
		Repairs: append([]overlay.Repair{}, c.Repairs...), Damage: []session.Damage{},
	}
	if opts.At != 0 {
		out.At = &opts.At
	}
	if c.Compaction != nil {
		out.CompactionSeq = &c.CompactionSeq
	}
	budget := b.budgetOf(id, c)
	estimate := c.Estimate()
	var overhead int
	out.Injected, overhead = b.injectedOf(id, told)
	out.Tokens = Tokens{
		Estimate: estimate, Calibrated: calibrated(c, overhead), Reported: c.Reported,
		Window: budget.Window, WindowAssumed: budget.Assumed, Reserve: budget.Reserve, Clamped: budget.Clamped,
	}
	out.Parts = partsOf(c, overhead, out.Tokens.Calibrated)
	return out
}

// partsOf scales each part; rounding is put where there is most.
func partsOf(c *overlay.Context, overhead, total int) Parts {
	raw := c.Parts()
	p := Parts{
		Injected: tokens.Scale(overhead, c.Calibration),
		Summary:  tokens.Scale(raw[overlay.PartSummary], c.Calibration),
		Kept:     tokens.Scale(raw[overlay.PartKept], c.Calibration),
		Fresh:    tokens.Scale(raw[overlay.PartFresh], c.Calibration),
	}
	largest := &p.Injected
	for _, part := range []*int{&p.Summary, &p.Kept, &p.Fresh} {
		if *part > *largest {
			largest = part
		}
	}
	*largest += total - p.Injected - p.Summary - p.Kept - p.Fresh
	return p
}
