package llm

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// pipes answers each request with a body that write fills, on the test's own clock.
type pipes func(w io.WriteCloser)

func (p pipes) RoundTrip(*http.Request) (*http.Response, error) {
	in, out := io.Pipe()
	go p(out)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: in}, nil
}

const idle = 5 * time.Minute

func stalling(p pipes) *Client {
	return New(Endpoint{BaseURL: "http://127.0.0.1:1/v1"}, Options{HTTP: p, Idle: idle})
}

// TestStalledStream: what came is kept, and an answer of which nothing came is asked for again.
func TestStalledStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		answer, handed, err := asked(t, stalling(func(w io.WriteCloser) { fmt.Fprintf(w, "data: %s\n\n", say("so far")) }), question())
		wantError(t, err, ClassNetwork, "the answer broke off: 127.0.0.1:1 sent nothing more for 5m0s")
		if answer.Text != "so far" || len(handed) != 1 || time.Since(begun) != idle {
			t.Errorf("%+v %q after %s", answer, handed, time.Since(begun))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int32
		answer, handed, err := asked(t, stalling(func(w io.WriteCloser) {
			if n.Add(1) == 1 {
				return
			}
			fmt.Fprintf(w, "data: %s\n\ndata: %s\n\n", say("hello"), finish("stop"))
			_ = w.Close()
		}), question())
		if err != nil || answer.Text != "hello" || fmt.Sprint(handed) != "[retry:1 text:hello]" {
			t.Errorf("%+v %q %v", answer, handed, err)
		}
	})
}

// TestSilentServer: one that never says anything is not waited for again and again.
func TestSilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, handed, err := asked(t, stalling(func(io.WriteCloser) {}), question())
		wantError(t, err, ClassNetwork, "sent nothing more for 5m0s")
		if took := time.Since(begun); fmt.Sprint(handed) != "[retry:1]" || took > 2*idle+time.Minute {
			t.Errorf("%q after %s", handed, took)
		}
	})
}

// TestSlowIsNotStalled: each piece has its own time, and so has a comment that keeps the connection alive.
func TestSlowIsNotStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer, _, err := asked(t, stalling(func(w io.WriteCloser) {
			for range 10 {
				time.Sleep(idle - time.Second)
				fmt.Fprint(w, ": PROCESSING\n\n")
			}
			fmt.Fprintf(w, "data: %s\n\n", say("slow"))
			time.Sleep(idle - time.Second)
			fmt.Fprintf(w, "data: %s\n\n", finish("stop"))
			_ = w.Close()
		}), question())
		if err != nil || answer.Text != "slow" {
			t.Errorf("%+v %v", answer, err)
		}
	})
}

// TestStoppingAStalledStream is the user's doing, not the server's.
func TestStoppingAStalledStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		body := make(chan io.Closer, 1)
		client := stalling(func(w io.WriteCloser) { body <- w })
		go func() {
			w := <-body
			<-ctx.Done()
			_ = w.Close() // as net/http does
		}()
		_, err := client.Stream(ctx, question(), nil)
		wantError(t, err, ClassCancelled, "stopped")
	})
}
