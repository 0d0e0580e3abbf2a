package agent

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/record"
)

// What events carry, by kind.
type (
	// Queued is a message that waits.
	Queued struct {
		Text   string  `json:"text"`
		Images []Image `json:"images,omitempty"`
		Ahead  int     `json:"ahead"`
	}
	// Text is a piece of the answer or of its thinking.
	Text struct {
		Text string `json:"text"`
	}
	// ToolCall is a call the model made. Arguments is null if they are too long for an event: the log has them.
	ToolCall struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	// ToolStarted is a call that runs from now on: it waited for those before it, and for the user's word.
	ToolStarted struct {
		ToolCallID string    `json:"toolCallId"`
		StartedAt  time.Time `json:"startedAt"`
	}
	// ToolOutput is what a call printed since the last one.
	ToolOutput struct {
		ToolCallID string `json:"toolCallId"`
		Text       string `json:"text"`
		// Skipped counts the bytes in front of the text that are not told.
		Skipped int `json:"skipped,omitempty"`
	}
	// ToolResult is what came of a call, cut.
	ToolResult struct {
		ToolCallID string `json:"toolCallId"`
		IsError    bool   `json:"isError"`
		Text       string `json:"text"`
	}
	// Recorded is a message that is in the log.
	Recorded struct {
		Seq  int64       `json:"seq"`
		Role record.Role `json:"role"`
	}
	// Retrying is a request that is made again.
	Retrying struct {
		Attempt int    `json:"attempt"`
		InMs    int64  `json:"inMs"`
		Reason  string `json:"reason"`
	}
	// Compacting is how a compaction goes on.
	Compacting struct {
		State        string `json:"state"`
		Trigger      string `json:"trigger,omitempty"`
		CommittedSeq int64  `json:"committedSeq,omitempty"`
		// TokensFreed is how much a prune cleared.
		TokensFreed int                `json:"tokensFreed,omitempty"`
		Hook        *compaction.Hooked `json:"hook,omitempty"`
		Error       *Problem           `json:"error,omitempty"`
	}
	// Flushing is how a memory flush goes on.
	Flushing struct {
		State  string `json:"state"`
		Reason string `json:"reason,omitempty"`
	}
	// Drafting is how the draft of a compaction goes on.
	Drafting struct {
		State string   `json:"state"`
		Text  string   `json:"text,omitempty"`
		Part  int      `json:"part,omitempty"`
		Parts int      `json:"parts,omitempty"`
		Error *Problem `json:"error,omitempty"`
		*Retrying
	}
	// Done ends a turn.
	Done struct {
		Status string `json:"status"`
		// Seqs are the records that the turn wrote; of very many the last.
		Seqs  []int64       `json:"seqs"`
		Usage *record.Usage `json:"usage"`
		Error *Problem      `json:"error,omitempty"`
		// Unsent is the user's message if it did not get into the log.
		Unsent string `json:"unsent,omitempty"`
		// UnsentImages are those that it was to show.
		UnsentImages []Image `json:"unsentImages,omitempty"`
	}
)

// How a turn ended.
const (
	StatusOK      = "ok"
	StatusAborted = "aborted"
	StatusError   = "error"
)

func queuedOf(c Content, ahead int) Queued {
	return Queued{Text: clip(c.Text, pieceMost-imageMost*len(c.Images)), Images: nameless(c.Images), Ahead: ahead}
}

func toolCallOf(c llm.Call) ToolCall {
	call := ToolCall{ID: clip(c.ID, nameMost), Name: clip(c.Name, nameMost)}
	// As they will be written, which may be longer than as they came.
	if arguments, err := json.Marshal(json.RawMessage(c.Arguments)); err == nil && len(arguments) <= argumentsMost {
		call.Arguments = arguments
	}
	return call
}

func toolResultOf(c llm.Call, r Result) ToolResult {
	return ToolResult{ToolCallID: clip(c.ID, nameMost), IsError: r.IsError, Text: clip(r.Text, resultMost)}
}

// RetryingOf is a request that is made again, as events carry it.
func RetryingOf(r llm.Retry) Retrying {
	return Retrying{Attempt: r.Attempt, InMs: r.In.Milliseconds(), Reason: clip(r.Reason, messageMost)}
}

// Told is a problem as events carry it.
func (p Problem) Told() Problem {
	p.Message, p.Hint = clip(p.Message, messageMost), clip(p.Hint, hintMost)
	return p
}

// lastOf are the last seqs, as many as an event holds.
func lastOf(seqs []int64) []int64 {
	size := 0
	for i, seq := range slices.Backward(seqs) {
		if size += len(strconv.FormatInt(seq, 10)) + 1; size > seqsMost {
			return slices.Clone(seqs[i+1:])
		}
	}
	return append([]int64{}, seqs...)
}
