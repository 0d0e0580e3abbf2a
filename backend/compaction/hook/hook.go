// Package hook runs the command that a user sets as compaction.hook: it is shown the plan of a compaction as JSON on its
// standard input, and may answer with JSON on its standard output. docs/hook.md says what both look like.
//
// A command that fails, hangs or answers nonsense is an error of the hook and of nothing else. It is killed with
// everything that it started once its time is up.
package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/compaction"
	"palimpsest/backend/overlay"
)

// Options of [New].
type Options struct {
	// Command is run by the shell.
	Command string
	Timeout time.Duration
	// SessionID and Cwd are the session's; the command runs in that folder, if there is one.
	SessionID, Cwd string
	// Without names the variables of the environment that the command does not get.
	Without []string
}

// plan is what the command is shown.
type plan struct {
	SessionID       string   `json:"sessionId"`
	Cwd             *string  `json:"cwd"`
	Trigger         string   `json:"trigger"`
	Instructions    string   `json:"instructions"`
	CutSeq          int64    `json:"cutSeq"`
	Summarize       []int64  `json:"summarize"`
	Keep            []int64  `json:"keep"`
	SplitTurn       bool     `json:"splitTurn"`
	TokensBefore    int      `json:"tokensBefore"`
	TokensKept      int      `json:"tokensKept"`
	ReadFiles       []string `json:"readFiles"`
	ModifiedFiles   []string `json:"modifiedFiles"`
	PreviousSeq     *int64   `json:"previousSeq"`
	PreviousSummary *string  `json:"previousSummary"`
	// Conversation is what is to be summarized, as the summarizer would read it.
	Conversation string `json:"conversation"`
}

// answer is what the command may say. Members that are not known have no effect.
type answer struct {
	Context string `json:"context"`
	Summary string `json:"summary"`
	Refuse  string `json:"refuse"`
}

// New returns a hook that runs the command, nil without one.
func New(o Options) compaction.Hook {
	if strings.TrimSpace(o.Command) == "" {
		return nil
	}
	return o.ask
}

const (
	answerMost = 1 << 20 // bytes of an answer
	wordsMost  = 2000    // bytes of what it says on standard error
	// lingering is how long it may hold on to its output after it was killed.
	lingering = time.Second
)

func (o Options) ask(ctx context.Context, q compaction.Question) (compaction.Reply, error) {
	shown, err := json.Marshal(o.planOf(q))
	if err != nil {
		return compaction.Reply{}, fmt.Errorf("encoding the plan: %w", err)
	}
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	out, words := &limited{most: answerMost}, &limited{most: wordsMost}
	cmd := shell(ctx, o.Command)
	cmd.Dir, cmd.Env = o.Cwd, o.environment()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(shown), out, words
	cmd.WaitDelay = lingering
	err = cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it has ended well and answered; only something that it left running has not
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return compaction.Reply{}, fmt.Errorf("it did not answer within %s", o.Timeout)
	case ctx.Err() != nil:
		return compaction.Reply{}, context.Cause(ctx)
	case err != nil && strings.TrimSpace(words.kept.String()) != "":
		return compaction.Reply{}, fmt.Errorf("%w: %s", err, strings.TrimSpace(words.kept.String()))
	case err != nil:
		return compaction.Reply{}, err // it says "exit status 1", and Compose the rest
	case out.over:
		return compaction.Reply{}, fmt.Errorf("its answer is longer than %d KiB", answerMost>>10)
	}
	return replyOf(out.kept.Bytes())
}

// environment is this program's own, but for what is not for others.
func (o Options) environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.ContainsFunc(o.Without, func(other string) bool { return strings.EqualFold(name, other) })
	})
}

// replyOf reads an answer; none at all is fine.
func replyOf(out []byte) (compaction.Reply, error) {
	if len(bytes.TrimSpace(out)) == 0 {
		return compaction.Reply{}, nil
	}
	var said *answer
	decoder := json.NewDecoder(bytes.NewReader(out))
	err := decoder.Decode(&said)
	if err == nil && said == nil {
		err = errors.New("null")
	}
	if err == nil && !errors.Is(decoder.Decode(new(json.RawMessage)), io.EOF) {
		err = errors.New("more than one value")
	}
	if err != nil {
		return compaction.Reply{}, fmt.Errorf("its answer is not one JSON object with context, summary or refuse: %w", err)
	}
	return compaction.Reply(*said), nil
}

func (o Options) planOf(q compaction.Question) plan {
	p := q.Plan
	out := plan{
		SessionID: o.SessionID, Trigger: q.Trigger, Instructions: q.Instructions, CutSeq: p.CutSeq,
		Summarize: overlay.Seqs(p.Summarize), Keep: overlay.Seqs(p.Keep), SplitTurn: p.SplitTurn,
		TokensBefore: p.TokensBefore, TokensKept: p.TokensKept,
		ReadFiles: append([]string{}, p.ReadFiles...), ModifiedFiles: append([]string{}, p.ModifiedFiles...),
		Conversation: p.Conversation(),
	}
	if o.Cwd != "" {
		out.Cwd = &o.Cwd
	}
	if p.Previous != nil {
		out.PreviousSeq, out.PreviousSummary = &p.PreviousSeq, &p.Previous.Summary
	}
	return out
}

// limited keeps the beginning of what is written to it. The buffer is not embedded: it would read past the limit by itself.
type limited struct {
	kept bytes.Buffer
	most int
	over bool
}

func (l *limited) Write(p []byte) (n int, err error) {
	n = len(p)
	room := l.most - l.kept.Len()
	if len(p) > room {
		l.over = true
		p = p[:max(room, 0)]
	}
	l.kept.Write(p)
	return n, nil
}
