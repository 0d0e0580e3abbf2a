package llm

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Class says what can be done about an error.
type Class string

// The classes of errors.
const (
	// ClassOverflow: the request is larger than the model's window.
	ClassOverflow Class = "overflow"
	// ClassThrottled: too many requests at the moment.
	ClassThrottled Class = "throttled"
	// ClassAuth: the key is missing, wrong, or not good for this.
	ClassAuth Class = "auth"
	// ClassNetwork: no answer, half an answer, or the server's own failure.
	ClassNetwork Class = "network"
	// ClassRefused: the server will not do it, however often it is asked.
	ClassRefused Class = "refused"
	// ClassCancelled: the caller gave up.
	ClassCancelled Class = "cancelled"
)

// Error is why there is no answer, or not all of one.
type Error struct {
	Class Class
	// Status is that of the HTTP response or, for a failure in the middle of an answer, the one that the server names; 0
	// if there is none.
	Status int
	// Message is one line, without the key.
	Message string

	err   error
	after time.Duration // how long the server asks to wait, 0 if it doesn't
	// stalled tells that nothing more came for as long as the user waits.
	stalled bool
}

func (e *Error) Error() string { return e.Message }

// Unwrap is the error of the network, if that is what failed.
func (e *Error) Unwrap() error { return e.err }

// again tells whether the same request may succeed later.
func (e *Error) again() bool { return e.Class == ClassNetwork || e.Class == ClassThrottled }

// ClassOf is the class of an error that this package made, "" for any other.
func ClassOf(err error) Class {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Class
	}
	return ""
}

// IsBlind tells whether the model refused images.
func IsBlind(err error) bool {
	return ClassOf(err) == ClassRefused && blind.MatchString(strings.ToLower(err.Error()))
}

func cancelled(cause error) *Error {
	return &Error{Class: ClassCancelled, Message: fmt.Sprintf("stopped: %v", cause), err: cause}
}
