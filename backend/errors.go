package backend

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

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
	case errors.Is(err, session.ErrInvalidID):
		return CodeInvalidID
	case errors.Is(err, session.ErrInput):
		return CodeBadInput
	case errors.Is(err, session.ErrNotFound):
		return CodeNotFound
	case errors.Is(err, session.ErrBusy):
		return CodeBusy
	}
	return CodeFailed
}

func hint(code Code, err error) string {
	switch code {
	case CodeInvalidID:
		return "palimpsest list shows the ids there are"
	case CodeNotFound:
		return "palimpsest list shows the sessions there are; palimpsest list --trash those that were removed"
	case CodeBusy:
		return "nothing was changed; try again when the other program has finished, or wait longer with --wait"
	case CodeBadInput:
		return "nothing was changed; correct the input and try again"
	case CodeFailed:
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EFBIG), errors.Is(err, syscall.EDQUOT):
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
