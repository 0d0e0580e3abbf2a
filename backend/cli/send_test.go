package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"palimpsest/backend"
	"palimpsest/backend/modeltest"
)

// closing is a standard output that takes the first answer and then nothing any more.
type closing struct{ bytes.Buffer }

var errClosed = errors.New("nobody reads this")

func (c *closing) Write(p []byte) (int, error) {
	if c.Len() > 0 {
		return 0, errClosed
	}
	return c.Buffer.Write(p)
}

// TestSendToNobody: when the answer can't be printed any more, the turn is stopped, and what came is kept.
func TestSendToNobody(t *testing.T) {
	b, id := home(t)
	server := connect(t)
	server.Script(nil)
	out := &closing{}
	var stderr bytes.Buffer
	ended := make(chan int)
	go func() {
		ended <- Run(t.Context(), []string{"send", id, "hello"}, Streams{Out: out, Err: &stderr}, Deps{})
	}()
	q := server.Next()
	q.Say("one ").Say("two ")
	for more := true; more; { // until it has noticed
		select {
		case code := <-ended:
			if code != ExitFailed || !strings.Contains(stderr.String(), errClosed.Error()) {
				t.Errorf("exit code %d, %s", code, &stderr)
			}
			more = false
		default:
			q.Say("more ")
		}
	}
	q.Gone()
	c, err := b.Context(id, backend.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if last := c.Messages[len(c.Messages)-1]; last.Role != "assistant" || !strings.Contains(string(last.Content[0]), "one two") {
		t.Errorf("the last message is %+v", last)
	}
}

// TestInterruptedBeforeTheMessageIsTaken: nothing was sent then, and nothing is kept.
func TestInterruptedBeforeTheMessageIsTaken(t *testing.T) {
	b, id := home(t)
	server := connect(t)
	server.Script(nil)
	before, err := b.Get(id)
	if err != nil {
		t.Fatal(err)
	}
	held := modeltest.New(t) // the catalog is asked before the message is written: there it waits
	release := held.HoldLists()
	defer release()
	t.Setenv("PALIMPSEST_BASE_URL", held.URL)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int)
	var stdout, stderr bytes.Buffer
	go func() {
		ended <- Run(ctx, []string{"send", id, "hello"}, Streams{Out: &stdout, Err: &stderr}, Deps{})
	}()
	held.AwaitList()
	cancel()
	if code := <-ended; code != ExitFailed || !strings.Contains(stderr.String(), "interrupted: ") || stdout.Len() > 0 {
		t.Errorf("exit code %d, %s%s", code, &stdout, &stderr)
	}
	held.Silent()
	after, err := b.Get(id)
	if err != nil || *after.MessageCount != *before.MessageCount {
		t.Errorf("%d messages, then %d, %v", *before.MessageCount, *after.MessageCount, err)
	}
}
