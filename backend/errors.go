package backend

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"palimpsest/backend/agent"
	"palimpsest/backend/compaction"
	"palimpsest/backend/config"
	"palimpsest/backend/copies"
	"palimpsest/backend/index"
	"palimpsest/backend/keys"
	"palimpsest/backend/library"
	"palimpsest/backend/llm"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Code tells apart the errors that a caller may want to act on. It is part of the JSON.
type Code string

// The codes of errors.
const (
	CodeInvalidID Code = "invalid_id"
	CodeBadInput  Code = "bad_input"
	CodeNotFound  Code = "not_found"
	CodeBusy      Code = "busy"
	CodeStale     Code = "stale"
	CodeNoModel   Code = "no_model"
	CodeOverflow  Code = "overflow"
	CodeRefused   Code = "refused"
	CodeFailed    Code = "failed"
)

// Problem is an error as every door shows it.
type Problem struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// ProblemOf puts an error into the words and the code that a door shows.
func ProblemOf(err error) Problem {
	p := Problem{Code: codeOf(err), Message: err.Error()}
	p.Hint = hint(p.Code, err)
	return p
}

func codeOf(err error) Code {
	switch {
	case errors.Is(err, config.ErrOtherProvider):
		return CodeStale
	case errors.Is(err, session.ErrInvalidID):
		return CodeInvalidID
	case errors.Is(err, session.ErrInput), errors.Is(err, keys.ErrKey), errors.Is(err, ErrReadOnly), errors.Is(err, agent.ErrBlind):
		return CodeBadInput
	case errors.Is(err, session.ErrNotFound):
		return CodeNotFound
	case errors.Is(err, session.ErrBusy), errors.Is(err, compaction.ErrOpenCalls):
		return CodeBusy
	case errors.Is(err, compaction.ErrCut), errors.Is(err, agent.ErrNothingToAnswer):
		return CodeBadInput
	case errors.Is(err, agent.ErrNoTurn), errors.Is(err, agent.ErrNoQuestion), errors.Is(err, ErrNoDraft), errors.Is(err, copies.ErrNone), errors.Is(err, ErrNotTaken):
		return CodeNotFound
	case errors.Is(err, compaction.ErrStale), errors.Is(err, ErrUndoStale), errors.Is(err, ErrRulesStale), errors.Is(err, keys.ErrOther):
		return CodeStale
	case errors.Is(err, ErrNoModel):
		return CodeNoModel
	case errors.Is(err, compaction.ErrRefused):
		return CodeRefused
	case errors.Is(err, compaction.ErrOverflow), llm.ClassOf(err) == llm.ClassOverflow:
		return CodeOverflow
	}
	return CodeFailed
}

func hint(code Code, err error) string {
	if there, is := errors.AsType[*errThere](err); is {
		return there.hint
	}
	if missing, is := errors.AsType[*library.MissingError](err); is {
		return "palimpsest list --agent " + missing.Ref.Agent + " shows those there are; with --archived and --subagents all of them"
	}
	if h := hintOfModel(code, err); h != "" {
		return h
	}
	if errors.Is(err, session.ErrNoRecord) {
		return "palimpsest show ID shows the records that a session has"
	}
	switch code {
	case CodeInvalidID:
		return "palimpsest list shows the ids there are"
	case CodeNotFound:
		return "palimpsest list shows the sessions there are; palimpsest list --trash those that were removed"
	case CodeBusy:
		return "nothing was changed; try again when the other program has finished, or wait longer with --wait"
	case CodeBadInput:
		return "nothing was changed; correct the input and try again"
	case CodeStale:
		return "nothing was written; plan it again"
	case CodeRefused:
		return "nothing was written; compaction.hook in config.yaml decides this"
	case CodeFailed, CodeNoModel, CodeOverflow:
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EFBIG), errors.Is(err, syscall.EDQUOT), index.Full(err):
		return "the disk is full or a limit is reached; what was saved before is safe; make room and try again"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "this user may not do that there; check the owner and mode of the file and its directory"
	case errors.Is(err, record.ErrSeqsUsedUp):
		return "nothing was changed; palimpsest check shows the line; fork before it with --at to go on"
	case errors.Is(err, context.Canceled):
		return "it was cancelled; nothing was left half done"
	}
	return ""
}

// hintOfModel is what to do about a model that does not answer, or not usefully.
func hintOfModel(code Code, err error) string {
	switch {
	case errors.Is(err, session.ErrNoSession):
		return "palimpsest send --key KEY makes one; palimpsest list --json shows the keys there are"
	case code == CodeNoModel:
		return "set base_url and model in config.yaml, or PALIMPSEST_BASE_URL and PALIMPSEST_MODEL; a key is entered with palimpsest key set, or set as PALIMPSEST_API_KEY. " +
			"Reading and offline compaction need no model"
	case errors.Is(err, ErrReadOnly):
		return readOnlyHint(err)
	case errors.Is(err, copies.ErrDamaged):
		return "what can't be trusted is not shown; other copies are not touched by this"
	case isVanished(err):
		return vanishedHint
	case errors.Is(err, library.ErrUnreadable) && errors.Is(err, fs.ErrPermission):
		return "its files were not touched; this user may not read them: check their owner and mode, and those of their folders"
	case errors.Is(err, library.ErrUnreadable):
		return "its files were not touched; what that agent itself says of the session may help"
	case errors.Is(err, config.ErrByHand):
		return "nothing was written to it; what the message says can be done in an editor"
	case errors.Is(err, keys.ErrKeychain):
		return "nothing was kept; set the key in the environment instead, as PALIMPSEST_API_KEY, or for a provider with a name as " +
			"PALIMPSEST_API_KEY_NAME. It is never written to a file"
	case errors.Is(err, ErrUndoStale), errors.Is(err, ErrRulesStale), errors.Is(err, keys.ErrOther), errors.Is(err, config.ErrOtherProvider):
		return "nothing was changed; look at it again"
	case errors.Is(err, errTurnRuns):
		return "nothing was changed; stop the turn or let it end, and try again"
	case errors.Is(err, compaction.ErrOpenCalls):
		return "nothing was changed; append the results, or send a message, and try again"
	case errors.Is(err, compaction.ErrCut):
		return "nothing was changed; cut before a message of the user, or before an answer whose tool calls all have their results"
	case errors.Is(err, compaction.ErrUnusable):
		return "nothing was written; ask again, have it drafted offline, or give a text of your own"
	case errors.Is(err, agent.ErrBlind):
		return "nothing was sent; choose a model that sees, or leave the images out"
	case errors.Is(err, agent.ErrNothingToAnswer):
		return "nothing was changed; send a message"
	case errors.Is(err, agent.ErrNoTurn), errors.Is(err, agent.ErrNoQuestion), errors.Is(err, ErrNoDraft), errors.Is(err, ErrNotTaken):
		return "nothing was changed"
	case code == CodeOverflow:
		return "nothing was lost; compact the conversation, keeping less of it, and try again"
	}
	switch llm.ClassOf(err) {
	case llm.ClassAuth:
		return "nothing was lost; check the key: it is entered in Settings or with palimpsest key set, unless PALIMPSEST_API_KEY has one"
	case llm.ClassThrottled:
		return "nothing was lost; the server asks to wait: try again later"
	case llm.ClassNetwork:
		return "nothing was lost; check that the server runs and its address is right, and try again"
	case llm.ClassRefused:
		if llm.IsBlind(err) {
			return "nothing was lost; this model takes no images: choose one that sees, and try again"
		}
		return "nothing was lost; check the model and the address of the server, and try again"
	case llm.ClassOverflow, llm.ClassCancelled:
	}
	return ""
}
