package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/tokens"
)

// TestMain lets the test binary play another process: one that talks until it is killed.
func TestMain(m *testing.M) {
	if home := os.Getenv(childHome); home != "" {
		if err := talkUntilKilled(home); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rig is an agent over real files that asks a model of the test's.
type rig struct {
	t      testing.TB
	server *modeltest.Server
	store  *session.Store
	agent  *Agent
	id     string
	events chan Event

	// The rest may be changed before the first message is sent.
	tools  Tools
	choice Choice
	// asking runs calls of tools whose names begin with "ask"; may be nil.
	asking func(call llm.Call, from Caller) Result
	// appended is asked before each append; what it returns is that append's failure.
	appended func(lines [][]byte) error
	// partly says how many lines of an append get into the log, and what its failure is then; may be nil.
	partly  func(lines [][]byte) (int, error)
	publish func(Event)
	inject  func(id string) string
	memory  Memory
	// injectErr is why nothing can be injected.
	injectErr error
	// unsent are the messages that came back.
	unsent chan string
	// compacting is told when a compaction begins and ends; may be nil.
	compacting func(id string) func()
}

func newRig(t testing.TB) *rig {
	t.Helper()
	server := modeltest.New(t)
	r := rigAt(t, t.TempDir(), server.URL)
	r.server = server
	made, err := r.store.Create(session.New{})
	must(t, err)
	r.id = made.ID
	return r
}

func rigAt(t testing.TB, home, url string) *rig {
	r := &rig{
		t: t, store: session.Open(home, session.Options{Wait: modeltest.Deadline}), events: make(chan Event, 1<<16), unsent: make(chan string, 9),
		choice: Choice{
			Model: "m-1", Provider: "test", Budget: tokens.NewBudget(0, 16384, 20000), Compaction: Compaction{Auto: true},
			Asker: llm.New(llm.Endpoint{BaseURL: url}, llm.Options{
				Sleep: func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) },
			}),
		},
	}
	r.publish = func(e Event) { r.events <- e }
	r.agent = New(Deps{
		Hold: r.hold, Check: func(string, Wanted) error { return nil }, Publish: func(e Event) { r.publish(e) },
		Choose: func(_ context.Context, _ string, wanted Wanted, c *overlay.Context) (Choice, error) {
			choice := r.choice
			if wanted.Provider != "" {
				choice.Provider = wanted.Provider
			}
			if wanted.Model != "" {
				choice.Model = wanted.Model
			} else if c.Model.Model != "" {
				choice.Model = c.Model.Model
			}
			return choice, nil
		},
		Tools:  (*rigTools)(r),
		Unsent: func(_ string, m Content) { r.unsent <- m.Text },
		Inject: func(id string) (string, error) {
			if r.inject == nil {
				return "", r.injectErr
			}
			return r.inject(id), r.injectErr
		},
		Memory: (*rigMemory)(r),
		Compacting: func(id string) func() {
			if r.compacting == nil {
				return func() {}
			}
			return r.compacting(id)
		},
		ProblemOf: func(err error) Problem {
			code := "failed"
			if llm.ClassOf(err) == llm.ClassOverflow {
				code = "overflow"
			}
			return Problem{Code: code, Message: err.Error(), Hint: "a hint"}
		},
	})
	t.Cleanup(r.agent.Close)
	return r
}

// rigTools are the rig's tools, which a test may set after the agent was made.
type rigTools rig

func (r *rigTools) List(string) []llm.Tool {
	if r.tools == nil {
		return nil
	}
	return r.tools.List()
}

// ReadOnly is true of all but what is called "change" or "ask".
func (r *rigTools) ReadOnly(name string) bool { return name != "change" && name != "ask" }

func (r *rigTools) Run(ctx context.Context, call llm.Call, from Caller) Result {
	if r.asking != nil && strings.HasPrefix(call.Name, "ask") {
		return r.asking(call, from)
	}
	if r.tools == nil {
		return Result{Text: "no tools", IsError: true}
	}
	return r.tools.Run(ctx, call)
}

// rigMemory is the rig's, which a test may set after the agent was made.
type rigMemory rig

func (r *rigMemory) Due(id string) (bool, error)    { return r.memory.Due(id) }
func (r *rigMemory) Tools(id string) (Tools, error) { return r.memory.Tools(id) }

func (r *rigMemory) Flushed(ctx context.Context, id string) error { return r.memory.Flushed(ctx, id) }

// toolFunc is one function that plays every tool.
type toolFunc func(ctx context.Context, call llm.Call) Result

func (toolFunc) List() []llm.Tool                                { return []llm.Tool{{Name: "look", Description: "looks"}} }
func (f toolFunc) Run(ctx context.Context, call llm.Call) Result { return f(ctx, call) }

// looking is a tool that always says the same.
func looking(text string) toolFunc {
	return func(context.Context, llm.Call) Result { return Result{Text: text} }
}

type held struct {
	*session.Writer
	r  *rig
	id string
}

func (r *rig) hold(ctx context.Context, id string) (Session, error) {
	writer, err := r.store.Writer(ctx, id)
	if err != nil {
		return nil, err
	}
	return &held{writer, r, id}, nil
}

func (h *held) Context() (overlay.Context, error) { return contextIn(h.r.store, h.id) }

// Keep keeps none: the rig's images are no more than names.
func (h *held) Keep([]Image) error { return nil }

func (h *held) Append(lines ...[]byte) ([]int64, error) {
	if h.r.appended != nil {
		if err := h.r.appended(lines); err != nil {
			return nil, err
		}
	}
	var partly error
	if h.r.partly != nil {
		n, err := h.r.partly(lines)
		lines, partly = lines[:n], err
	}
	var batch []record.Draft
	for _, line := range lines {
		draft, err := h.r.store.Draft(line)
		if err != nil {
			return nil, err
		}
		batch = append(batch, draft)
	}
	seqs, err := h.Writer.Append(batch)
	return seqs, errors.Join(err, partly)
}

func contextIn(s *session.Store, id string) (overlay.Context, error) {
	data, err := os.ReadFile(s.LogPath(id))
	if err != nil {
		return overlay.Context{}, err
	}
	log, end := bytes.NewReader(data), int64(len(data))
	return overlay.Resolve(session.NewReverse(log, end), overlay.Options{
		Again: func() (overlay.Records, error) { return session.NewRecall(log, end), nil },
	})
}

func (r *rig) context() *overlay.Context {
	r.t.Helper()
	c, err := contextIn(r.store, r.id)
	must(r.t, err)
	return &c
}

// line is what the tests look at of a record.
type line struct {
	RecordType   string
	Seq          int64
	Role         string
	StopReason   string
	ErrorMessage string
	ToolCallID   string
	IsError      bool
	Model        string
	Trigger      string
	Summary      string
	FirstKeptSeq int64
	Usage        *record.Usage
	Content      []struct{ Type, Text, ID, Name string }
}

// String is the line in short: what it is, how it ended, and its text.
func (l line) String() string {
	what := l.Role
	if l.RecordType != "message" {
		what = l.RecordType
	}
	for _, add := range []string{l.StopReason, l.ToolCallID} {
		if add != "" && add != "stop" {
			what += "/" + add
		}
	}
	if l.IsError {
		what += "!"
	}
	var parts []string
	for _, b := range l.Content {
		switch b.Type {
		case "text":
			parts = append(parts, b.Text)
		case "toolCall":
			parts = append(parts, b.Name+"()")
		default:
			parts = append(parts, b.Type+" "+b.Text)
		}
	}
	return what + ": " + strings.Join(parts, "|")
}

func linesIn(t testing.TB, path string) []line {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	var out []line
	for text := range bytes.Lines(data) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out = append(out, l)
	}
	return out
}

// log is the session's log in short.
func (r *rig) log() []string {
	r.t.Helper()
	var out []string
	for _, l := range linesIn(r.t, r.store.LogPath(r.id)) {
		out = append(out, l.String())
	}
	return out
}

// toSummarize is the next request, which has to be for a summary.
func (r *rig) toSummarize() *modeltest.Asked {
	r.t.Helper()
	q := r.server.Next()
	if !q.ForSummary() {
		r.t.Fatalf("asked for %.300s", q.Raw)
	}
	return q
}

// summarized answers whoever asks for summaries, and returns the first request that is for something else.
func (r *rig) summarized() *modeltest.Asked {
	r.t.Helper()
	for {
		q := r.server.Next()
		if !q.ForSummary() {
			return q
		}
		q.Answer(summary)
	}
}

// raw is the session's log.
func (r *rig) raw() string {
	r.t.Helper()
	text, err := os.ReadFile(r.store.LogPath(r.id))
	must(r.t, err)
	return string(text)
}

// wantValid sends a message and answers it: every request is checked by the server.
func (r *rig) wantValid(text string) {
	r.t.Helper()
	r.round(text, "fine", 0)
}

func (r *rig) wantLog(want ...string) {
	r.t.Helper()
	if got := r.log(); !slices.Equal(got, want) {
		r.t.Errorf("the log is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// submit sends a message that has to be taken.
func (r *rig) submit(m Message) Sent {
	r.t.Helper()
	sent, err := r.agent.Submit(r.t.Context(), r.id, m)
	must(r.t, err)
	return sent
}

func (r *rig) say(text string) Sent {
	r.t.Helper()
	return r.submit(Message{Text: text})
}

// until reads events until there is one of a kind, of a turn if one is given, and returns all.
func (r *rig) until(kind, turn string) []Event {
	r.t.Helper()
	var all []Event
	timeout := time.After(modeltest.Deadline)
	for {
		select {
		case e := <-r.events:
			all = append(all, e)
			if e.Kind == kind && (turn == "" || e.TurnID == turn) {
				return all
			}
		case <-timeout:
			r.t.Fatalf("no event %s, but %s", kind, kinds(all))
		}
	}
}

// done waits for the end of a turn.
func (r *rig) done(turn string) Done {
	r.t.Helper()
	all := r.until(KindDone, turn)
	return data[Done](r.t, all[len(all)-1])
}

// untilText reads events until this text has come in pieces.
func (r *rig) untilText(want string) {
	r.t.Helper()
	for got := ""; got != want; {
		all := r.until(KindText, "")
		if got += data[Text](r.t, all[len(all)-1]).Text; !strings.HasPrefix(want, got) {
			r.t.Fatalf("the text is %q, want %q", got, want)
		}
	}
}

// data is what an event carries, which has to be of this type.
func data[T any](t testing.TB, e Event) T {
	t.Helper()
	value, ok := e.Data.(T)
	if !ok {
		t.Fatalf("%s carries %T", e.Kind, e.Data)
	}
	return value
}

func kinds(events []Event) string {
	var out []string
	for _, e := range events {
		out = append(out, e.Kind)
	}
	return strings.Join(out, " ")
}

// quiet fails if there is an event that nobody has read.
func (r *rig) quiet() {
	r.t.Helper()
	select {
	case e := <-r.events:
		r.t.Errorf("one event too many: %+v", e)
	default:
	}
}

const (
	childHome = "PALIMPSEST_TEST_AGENT_HOME"
	childURL  = "PALIMPSEST_TEST_AGENT_URL"
	childID   = "PALIMPSEST_TEST_AGENT_ID"
	// childCompacts makes the other process compact first: "summary", or "prune" for one that writes no more than the prune of it.
	childCompacts = "PALIMPSEST_TEST_AGENT_COMPACTS"
)

// stub is the little of testing that a rig needs in a process of its own.
type stub struct{ testing.TB }

func (s *stub) Helper()                   {}
func (s *stub) Cleanup(func())            {}
func (s *stub) Context() context.Context  { return context.Background() }
func (s *stub) Fatal(args ...any)         { panic(fmt.Sprint(args...)) }
func (s *stub) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }

// talkUntilKilled is the other process: it sends one message, and its tool says that it runs and then never ends.
func talkUntilKilled(home string) error {
	r := rigAt(&stub{}, home, os.Getenv(childURL))
	r.id = os.Getenv(childID)
	r.tools = toolFunc(func(ctx context.Context, _ llm.Call) Result {
		fmt.Println("tool")
		<-ctx.Done()
		return Result{Text: "ended"}
	})
	r.asking = asksOnce
	r.publish = func(e Event) {
		switch e.Kind {
		case KindText:
			fmt.Println("text")
		case KindPermission:
			fmt.Println("ask")
		}
	}
	if how := os.Getenv(childCompacts); how != "" {
		r.compactsUntilKilled(how)
	}
	if _, err := r.agent.Submit(context.Background(), r.id, Message{Text: "from the other process"}); err != nil {
		return err
	}
	reading, writing, err := os.Pipe()
	if err != nil {
		return err
	}
	defer writing.Close()
	_, err = reading.Read(make([]byte, 1)) // nobody writes, so it stays here until it is killed
	return fmt.Errorf("nobody killed this process: %w", err)
}

// tight is a budget for which a compaction has to clear a tool result of 30,000 tokens that it keeps.
var tight = tokens.Budget{Window: 26_000, Reserve: 2000, KeepRecent: 30_014}

func (r *rig) compactsUntilKilled(how string) {
	r.choice.Budget = tight
	r.publish = func(e Event) {
		c, ok := e.Data.(Compacting)
		if ok && how == "prune" && c.State == "done" {
			fmt.Println(how)
			select {} // so nothing else is written
		}
		if ok && how == "summary" && c.State == "started" {
			fmt.Println(how)
		}
	}
	if how == "prune" {
		r.partly = func([][]byte) (int, error) { return 1, nil }
	}
}

// other starts the process that talks until it is killed.
func (r *rig) other() *exec.Cmd {
	cmd := exec.CommandContext(r.t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childHome+"="+r.store.Home(), childURL+"="+r.server.URL, childID+"="+r.id)
	cmd.Stderr = os.Stderr
	return cmd
}
