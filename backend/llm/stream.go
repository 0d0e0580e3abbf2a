package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
)

// Stream asks and calls on for each piece, from the calling goroutine. If it fails, Answer holds what came before, and
// the error is an [*Error].
//
// What may pass is tried again, at most five times, as long as nothing of an answer was handed on, and only once where the
// server fell silent: that took its time already. On hears of each retry before the wait. Calls of an answer that stopped for length may be cut short: only those of one whose Stop is
// [StopToolUse] are meant to be made.
func (c *Client) Stream(ctx context.Context, r Request, on func(Delta)) (Answer, error) {
	if err := c.endpoint.check(); err != nil {
		return Answer{}, err
	}
	if on == nil {
		on = func(Delta) {}
	}
	r.Messages = uncut(r.Messages, c.options.Text)
	request := build(r, c.options.Blob, c.endpoint.Provider() == "openai")
	waits := newWaits()
	for attempt := 1; ; attempt++ {
		answer, given, err := c.try(ctx, request, on)
		if err == nil {
			return answer, nil
		}
		if given || attempt > maxRetries || err.stalled && attempt > 1 || !err.again() {
			return answer, err
		}
		wait := waits(err.after)
		if wait > longestWait {
			err.Message += fmt.Sprintf(" (it asks to wait %s, which is too long)", wait.Round(time.Second))
			return answer, err
		}
		on(Delta{Retry: &Retry{Attempt: attempt, In: wait, Reason: err.Message}})
		if err := c.options.Sleep(ctx, wait); err != nil {
			return answer, cancelled(err)
		}
	}
}

// try asks once. The second result tells whether something was handed on.
func (c *Client) try(ctx context.Context, request openai.ChatCompletionRequest, on func(Delta)) (Answer, bool, *Error) {
	if ctx.Err() != nil {
		return Answer{}, false, cancelled(context.Cause(ctx))
	}
	asking, x := withExchange(ctx, c.options.Idle)
	defer x.end(nil)
	stream, err := c.api.CreateChatCompletionStream(asking, request)
	if err != nil {
		return Answer{}, false, c.unanswered(ctx, x, err, request.Model)
	}
	defer stream.Close()
	in := newCollector(c.endpoint.Key, on)
	failure := c.receive(ctx, x, stream, in, request.Model)
	if failure != nil {
		answer := in.partial() // which may hand on the last of it
		return answer, in.given, failure
	}
	answer, failure := in.whole()
	if failure != nil {
		failure.Status = x.status
	}
	return answer, in.given, failure
}

// receive reads a stream to its end. Once the answer has its end, what goes wrong behind that is not missed.
func (c *Client) receive(ctx context.Context, x *exchange, stream *openai.ChatCompletionStream, in *collector, model string) *Error {
	for {
		raw, err := stream.RecvRaw()
		var piece chunk
		if err == nil {
			piece, err = decodeChunk(raw)
		}
		switch {
		case err == nil && piece.failure != nil:
			return c.failed(piece.failure.status, *piece.failure, model)
		case err == nil:
			in.add(piece)
		case in.ended(x.events != nil && x.events.done):
			return nil
		default:
			return c.broken(ctx, x, err)
		}
	}
}

// broken says why an answer has no end.
func (c *Client) broken(ctx context.Context, x *exchange, err error) *Error {
	e := &Error{Class: ClassNetwork, Status: x.status, Message: "the answer broke off", err: err}
	switch {
	case ctx.Err() != nil:
		return cancelled(context.Cause(ctx))
	case x.stalled():
		e.stalled = true
		e.Message += fmt.Sprintf(": %s sent nothing more for %s", c.endpoint.Provider(), x.idle)
	case errors.Is(err, errPage), errors.Is(err, errPiece):
		e.Class, e.Message = ClassRefused, fmt.Sprintf("%s %v", c.endpoint.Provider(), err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Message += ": the connection was cut"
	case !errors.Is(err, io.EOF):
		e.Message += ": " + harmless(err.Error(), c.endpoint.Key)
	}
	return e
}

// unanswered says why there is no stream: the server refused, was not reached, or the request can't be made.
func (c *Client) unanswered(ctx context.Context, x *exchange, err error, model string) *Error {
	if ctx.Err() != nil {
		return cancelled(context.Cause(ctx))
	}
	if x.status >= http.StatusBadRequest {
		e := c.failed(x.status, saidIn(x.body), model)
		e.after = retryAfter(x.header, time.Now())
		return e
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		return c.unreached(outer.Err)
	}
	return &Error{Class: ClassRefused, Message: "making the request: " + harmless(err.Error(), c.endpoint.Key)}
}

// unreached puts into words what the network says. Certificates and protocols don't mend themselves.
func (c *Client) unreached(err error) *Error {
	who := c.endpoint.Provider()
	op, ok := errors.AsType[*net.OpError](err)
	dialled := ok && op.Op == "dial"
	why := err.Error()
	if dialled { // how it was dialled, and by which call, is no reason
		why = strings.TrimPrefix(op.Err.Error(), "connect: ")
	}
	e := &Error{Class: ClassNetwork, Message: fmt.Sprintf("%s can't be reached: %s", who, harmless(why, c.endpoint.Key)), err: err}
	if elsewhere, ok := errors.AsType[*errElsewhere](err); ok {
		e.Class, e.Message = ClassRefused, fmt.Sprintf("%s %s", who, harmless(elsewhere.Error(), c.endpoint.Key))
		return e
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok || errors.Is(err, http.ErrSchemeMismatch) || errors.Is(err, errEndless) {
		e.Class = ClassRefused
	}
	host, _ := c.endpoint.host()
	if dialled && isLoopback(host) {
		e.Message += ": is it running?"
	}
	return e
}
