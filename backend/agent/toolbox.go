package agent

import (
	"context"

	"palimpsest/backend/agent/tools"
	"palimpsest/backend/llm"
)

// Tools are what the model may call.
type Tools interface {
	List() []llm.Tool
	// Run runs one call. Calls of one answer may run side by side.
	Run(ctx context.Context, call llm.Call) Result
}

// Toolbox has the tools of every session.
type Toolbox interface {
	// List is what the model is offered in a session; nothing where there is nothing to work in.
	List(id string) []llm.Tool
	// ReadOnly tells whether a tool changes nothing: calls of such tools run side by side, all others alone and in order.
	ReadOnly(name string) bool
	// Run runs one call, or says why it may not run.
	Run(ctx context.Context, call llm.Call, from Caller) Result
}

// Caller is the turn that a call belongs to.
type Caller struct {
	SessionID string
	// Allow are rules that hold for this turn alone.
	Allow []string
	// Ask asks the user. There is one question at a time in a turn, so it calls question when it is this one's turn; nil then
	// means that there is nothing to ask any more. The error is that the turn was stopped.
	Ask func(question func() *Question) (Reply, error)
	// Started is to be called once nothing stands before the call any more, and Stream with what it prints while it runs.
	Started func()
	Stream  func(text string)
}

// Result is what a tool gave back.
type Result struct {
	// Text is for the model.
	Text    string
	IsError bool
	// Blob names the whole of a text of so many Bytes of which Text is only head and tail.
	Blob  string
	Bytes int
	// Images go with the text.
	Images []tools.Image
	// Diff shows what the call changed, and Changes is what undoes it.
	Diff    string
	Changes []tools.Change
}

func stoppedResult() Result { return Result{Text: "not run: the turn was stopped", IsError: true} }
