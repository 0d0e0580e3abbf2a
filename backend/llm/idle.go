package llm

import (
	"context"
	"errors"
	"io"
	"time"
)

var errIdle = errors.New("nothing more came")

// watched is the body of an answer, which ends with errIdle if a read of it takes too long. Whatever comes counts, comments
// that keep the connection alive, too: the server is still at it.
func (x *exchange) watched(body io.ReadCloser) io.ReadCloser {
	if x.idle <= 0 {
		return body
	}
	return &idleBody{ReadCloser: body, x: x}
}

// stalled tells whether that is how it ended.
func (x *exchange) stalled() bool { return x.ctx != nil && errors.Is(context.Cause(x.ctx), errIdle) }

type idleBody struct {
	io.ReadCloser
	x *exchange
}

func (b *idleBody) Read(p []byte) (int, error) {
	timer := time.AfterFunc(b.x.idle, func() {
		b.x.end(errIdle)
		_ = b.ReadCloser.Close() // the read ends with it, and with an error of its own
	})
	defer timer.Stop()
	return b.ReadCloser.Read(p) //nolint:wrapcheck // for eventStream, which hands it on as it is
}
