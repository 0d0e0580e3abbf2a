package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/sashabaranov/go-openai"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// Options of [New]. The zero value is what the program uses.
type Options struct {
	// HTTP makes the requests; nil is the program's own, with proxy and timeouts.
	HTTP http.RoundTripper
	// Sleep waits between tries; nil is a timer. It returns the context's error if that ends first.
	Sleep func(ctx context.Context, d time.Duration) error
	// Idle is how long nothing may come of an answer that has begun; 0 is for ever.
	Idle time.Duration
	// Blob reads an image that a message names; nil has none.
	Blob func(sha string) ([]byte, error)
	// Text reads the whole of a text of which a message holds head and tail; nil sends these.
	Text func(sha string) ([]byte, error)
	// Refused is told of a key that the server does not take; may be nil.
	Refused func(key string)
}

// Client asks one endpoint. It may be used by several goroutines at once. Like the endpoint it prints without the key.
type Client struct {
	endpoint Endpoint
	options  Options
	http     *http.Client
	api      *openai.Client
}

// New returns a client of an endpoint. Nothing is asked yet.
func New(e Endpoint, opts Options) *Client {
	if opts.HTTP == nil {
		opts.HTTP = shared()
	}
	if opts.Sleep == nil {
		opts.Sleep = sleep
	}
	c := &Client{
		endpoint: e, options: opts,
		// No timeout over all: an answer may take as long as it likes, and the context ends it.
		http: &http.Client{Transport: transport{opts.HTTP}, CheckRedirect: checkRedirect},
	}
	config := openai.DefaultConfig(e.Key)
	config.BaseURL = e.BaseURL
	config.HTTPClient = c.http
	// Comments that keep a connection alive never reach it, so this is a second belt.
	config.EmptyMessagesLimit = math.MaxUint
	c.api = openai.NewClientWithConfig(config)
	return c
}

// String leaves the key out.
func (c *Client) String() string { return "llm.Client of " + c.endpoint.String() }

// Format leaves the key out, whatever the verb.
func (c *Client) Format(f fmt.State, _ rune) { fmt.Fprint(f, c.String()) }

// Tool is what a model may call.
type Tool struct {
	Name, Description string
	// Parameters is a JSON schema; empty is that of an object without members.
	Parameters json.RawMessage
}

// Request is one question.
type Request struct {
	Model string
	// System may be empty.
	System string
	// Messages are a context's, as [overlay.Resolve] gives them.
	Messages []overlay.Message
	Tools    []Tool
	// MaxTokens bounds the answer; 0 is not sent.
	MaxTokens int
	// ReasoningEffort is one of the provider's words; "" is not sent.
	ReasoningEffort string
}

// Delta is one piece of an answer as it comes in, or the news that it is asked for again. Exactly one field is set.
type Delta struct {
	Text, Thinking string
	// Call is whole; calls come at the end of an answer.
	Call  *Call
	Retry *Retry
}

// Call is a tool call. Arguments is the text of a JSON object; arguments that were none are kept as {"_raw": "text"}.
type Call struct{ ID, Name, Arguments string }

// Retry says that a request failed and when it is made again. Attempt counts from 1.
type Retry struct {
	Attempt int
	In      time.Duration
	Reason  string
}

// How an answer ended.
const (
	StopEnd     = "stop"
	StopToolUse = "toolUse"
	StopLength  = "length"
)

// Answer is what the model said.
type Answer struct {
	Text, Thinking string
	Calls          []Call
	// Stop is how it ended: [StopEnd], [StopToolUse], [StopLength]; empty if it failed.
	Stop string
	// Usage is nil if the server reported none.
	Usage *record.Usage
	// Model is the name that the server gave itself, empty if it gave none.
	Model string
}
