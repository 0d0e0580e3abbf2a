package agent

import (
	"context"
	"errors"
	"time"

	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// Session is a session that the caller is the one writer of.
type Session interface {
	// Context is what the model sees now. Texts may be left in the log.
	Context() (overlay.Context, error)
	// Keep puts images among the session's blobs, where the record that is to name them expects them.
	Keep(images []Image) error
	// Append writes records, given as JSON without seq, in one batch; they are synced when it returns.
	Append(records ...[]byte) ([]int64, error)
	// Spent books the time that a turn took.
	Spent(ctx context.Context, d time.Duration) error
	// Close lets others write.
	Close()
}

// Asker is a model that can be asked.
type Asker interface {
	Stream(ctx context.Context, r llm.Request, on func(llm.Delta)) (llm.Answer, error)
}

// Choice is the model that answers a turn.
type Choice struct {
	Asker           Asker
	Model, Provider string
	// Named tells that Provider is a name of the user's own, which the conversation remembers.
	Named           bool
	ReasoningEffort string
	Budget          tokens.Budget
	// Blind tells that the model is known to take no images.
	Blind bool
	// Prices are what it costs, nil if nobody knows.
	Prices *llm.Prices
	// Compaction says how a context that has outgrown the window is made to fit.
	Compaction Compaction
}

// priced is a usage with what it cost, where that is known.
func (c *Choice) priced(u *record.Usage) *record.Usage {
	cost := c.Prices.Cost(u)
	if cost == nil {
		return u
	}
	priced := *u
	priced.Cost = cost
	return &priced
}

// Wanted is a model and who serves it as a user names them from here on, each empty for the one in force.
type Wanted struct{ Model, Provider string }

// Compaction is how a turn compacts.
type Compaction struct {
	// Auto allows it without being asked.
	Auto bool
	// MaxMessages makes it happen when there are more messages, and KeepMessages says how many stay; 0 for neither.
	MaxMessages, KeepMessages int
	// Prune clears old tool results first, but for those of the Protected tools.
	Prune     bool
	Protected []string
	// Hook is asked before a summary is written; may be nil.
	Hook compaction.Hook
	// Summarizer writes the summaries; nil is the model that answers.
	Summarizer *Choice
	// Flush has what is worth keeping written down before; nil does not.
	Flush *Flush
}

// Flush is how a memory flush is made.
type Flush struct {
	// SoftThreshold is how many tokens below the trigger of a compaction it happens.
	SoftThreshold int
	// Prompt and System replace the program's own if they are not empty.
	Prompt, System string
}

// Memory is what a memory flush needs of the program.
type Memory interface {
	// Due tells whether a session has had no flush since its last compaction.
	Due(id string) (bool, error)
	// Tools are those that the flush of a session may use: what writes below memory/ in its folder. The error says why
	// nothing can be written there.
	Tools(id string) (Tools, error)
	// Flushed remembers that a session has had its flush.
	Flushed(ctx context.Context, id string) error
}

// Deps are what the agent needs of the program.
type Deps struct {
	// Hold makes the agent the one writer of a session; it waits for others as long as the program lets it.
	Hold func(ctx context.Context, id string) (Session, error)
	// Check says early, before anything is written, why there is no model to ask.
	Check func(id string, wanted Wanted) error
	// Choose picks the model for a context.
	Choose func(ctx context.Context, id string, wanted Wanted, c *overlay.Context) (Choice, error)
	// Inject is what the model is told besides the conversation, built anew for each request; may be nil. Nothing is asked without
	// it: an error ends the turn.
	Inject func(id string) (string, error)
	// Compacting is called when a compaction begins and returns what is called when it has ended: there is one at a time
	// for each session, and one that a turn waits for comes before one that a user asked for. May be nil.
	Compacting func(id string) (end func())
	// Memory may be nil: then a memory flush is skipped, which is told.
	Memory Memory
	// Tools may be nil: then the model is offered none.
	Tools Toolbox
	// Name names a session after its first exchange, at once, and returns what finds a better name and may take a while; nil
	// if nothing does. May be nil.
	Name func(ctx context.Context, id string, e Exchange, c Choice) (better func(context.Context))
	// Queued is told, whenever that changes, which messages of a session wait and are not in its log yet, so that they outlast
	// the program; may be nil.
	Queued func(id string, waiting []Content)
	// Unsent is told of a message that did not get into the log and of which nobody waits to hear; may be nil.
	Unsent func(id string, message Content)
	// Publish hands an event on. It must not block.
	Publish func(Event)
	// ProblemOf puts an error into the words and the code that users see.
	ProblemOf func(error) Problem
	// Warn is told of what went wrong without being a failure; may be nil.
	Warn func(error)
	// Patience is how long a tool that was stopped is waited for; 0 is for longer than one takes that ends at all.
	Patience time.Duration
	// Now is the clock, by which turns are timed; time.Now if nil.
	Now func() time.Time
}

// Problem is an error as it is told.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// Errors that a caller tells apart.
var (
	// ErrClosed is returned once the agent is to end.
	ErrClosed = errors.New("the program is closing")
	// ErrNoTurn is returned for a turn that is not, or no longer, there.
	ErrNoTurn = errors.New("there is no such turn; it may be done")
	// ErrBlind is returned for a message with images to a model that takes none.
	ErrBlind = errors.New("takes no images")
	// ErrNothingToAnswer is returned for a retry where the last message has its answer.
	ErrNothingToAnswer = errors.New("the last message has its answer, there is nothing to try again")
)

var errStopped = errors.New("stopped by the user")
