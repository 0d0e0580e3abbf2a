package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// A local model may think this long before its first byte.
	headerTimeout = 10 * time.Minute
	maxFailure    = 1 << 20 // bytes of a failure's body that are read
)

// shared is one pool of connections for all clients. The proxy is the environment's, which net/http does not ask for
// addresses of this machine.
var shared = sync.OnceValue(func() http.RoundTripper {
	t := baseTransport()
	t.ResponseHeaderTimeout = headerTimeout
	t.Proxy = http.ProxyFromEnvironment
	return t
})

func baseTransport() *http.Transport {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // another package of the program has put its own there
		return &http.Transport{ForceAttemptHTTP2: true, IdleConnTimeout: 90 * time.Second}
	}
	return t.Clone()
}

// exchange is what the HTTP of one try says beyond what go-openai hands on. It travels in the request's context.
type exchange struct {
	status int
	header http.Header
	body   []byte       // of a failure
	events *eventStream // the answer's, if it is no failure

	// idle is how long nothing may come of an answer, after which end is called with errIdle.
	idle time.Duration
	ctx  context.Context //nolint:containedctx // it is the request's, and lives as long
	end  context.CancelCauseFunc
}

type exchangeKey struct{}

// withExchange returns the context of a try, whose exchange has to be ended.
func withExchange(ctx context.Context, idle time.Duration) (context.Context, *exchange) {
	x := &exchange{idle: idle}
	x.ctx, x.end = context.WithCancelCause(ctx)
	return context.WithValue(x.ctx, exchangeKey{}, x), x
}

// transport fills the exchange that a request carries and puts the body of the response into a form from which
// go-openai loses nothing.
type transport struct{ base http.RoundTripper }

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(req)
	x, ok := req.Context().Value(exchangeKey{}).(*exchange)
	if err != nil || !ok {
		return resp, err //nolint:wrapcheck // for net/http, which wraps it
	}
	x.status, x.header, x.body, x.events = resp.StatusCode, resp.Header, nil, nil // of a chain of redirects, the last
	switch {
	case resp.StatusCode < http.StatusBadRequest:
		x.events = newEventStream(x.watched(resp.Body))
		resp.Body = x.events
	default:
		// What can't be read of it is not missed: the status stands.
		x.body, _ = io.ReadAll(io.LimitReader(resp.Body, maxFailure))
		_ = resp.Body.Close() // nor that it can't be closed
		resp.Body = io.NopCloser(bytes.NewReader(x.body))
	}
	return resp, nil
}

// errElsewhere is a redirect that would turn a question into a look at a page, or take a conversation to somebody else.
type errElsewhere struct{ to string }

func (e *errElsewhere) Error() string {
	return fmt.Sprintf("sends questions on to %s: set that address", e.to)
}

var errEndless = errors.New("sent from one address to the next without end")

const maxRedirects = 10

// checkRedirect adds to what net/http sees to: it would send a key on to another port, a subdomain, or in the clear. A
// question is taken nowhere else, since a conversation is in it.
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	same := req.URL.Scheme == first.URL.Scheme && strings.EqualFold(req.URL.Host, first.URL.Host)
	if req.Method != first.Method || !same && req.Method != http.MethodGet {
		return &errElsewhere{to: req.URL.Redacted()}
	}
	if len(via) >= maxRedirects {
		return errEndless
	}
	if !same {
		req.Header.Del("Authorization")
	}
	return nil
}
