package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"palimpsest/backend"
	"palimpsest/backend/agent"
)

// asker asks on the terminal whether calls may run. Where there is nobody to ask, it says no.
type asker struct {
	p        *program
	b        *backend.Backend
	id, turn string
	// in is the terminal, from the first question on; done lets go of it.
	in   *bufio.Reader
	done func()
}

func (a *asker) close() {
	if a.done != nil {
		a.done()
	}
}

// ask answers what the turn asks now. What is not asked any more needs no answer.
func (a *asker) ask(ctx context.Context) error {
	turns, err := a.b.Turns(a.id) //nolint:contextcheck // what it finds out about a log serves more than this question
	if err != nil {
		return err
	}
	if turns.Running == nil || turns.Running.TurnID != a.turn || turns.Running.Asking == nil {
		return nil
	}
	q := turns.Running.Asking
	response := backend.Response{Answer: backend.AnswerNo, Reason: "There is nobody to ask; the user can allow it with --allow."}
	if a.p.terminal.in && !a.p.json {
		response = a.question(ctx, q)
	} else if !a.p.json {
		a.p.note("not allowed: %s; %s", subjectOf(q), allowHint(q))
	}
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the turn is stopped, which ends the question
	}
	response.CallID, response.Asked = q.CallID, q.Asked
	answered, err := a.b.Answer(ctx, a.id, a.turn, response)
	if errors.Is(err, agent.ErrNoQuestion) || errors.Is(err, agent.ErrNoTurn) {
		return nil // it ended meanwhile
	}
	if err == nil && answered.Problem != nil {
		a.p.note("allowed in this session only: %s", answered.Problem.Message)
	}
	return err
}

// question shows a call and reads the answer.
func (a *asker) question(ctx context.Context, q *agent.Question) backend.Response {
	if a.in == nil {
		reader, done := interruptible(ctx, a.p.in)
		a.in, a.done = bufio.NewReader(reader), done
	}
	a.p.err.print("\n%s", shownQuestion(q))
	longer := ""
	if len(q.Rules) > 0 {
		longer = fmt.Sprintf("s in this session or a always: %s, ", oneLine(strings.Join(q.Rules, " ")))
	}
	for {
		a.p.err.print("Allow it? y once, %sn and a reason if you like: ", longer)
		line, err := a.in.ReadString('\n')
		if response, ok := responseOf(line, len(q.Rules) > 0); ok {
			return response
		}
		if err != nil {
			a.p.err.print("\n")
			return backend.Response{Answer: backend.AnswerNo}
		}
	}
}

// responseOf reads an answer; not ok is one that says nothing.
func responseOf(line string, longer bool) (backend.Response, bool) {
	word, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
	answer := map[string]string{
		"y": backend.AnswerOnce, "yes": backend.AnswerOnce, "once": backend.AnswerOnce, "n": backend.AnswerNo, "no": backend.AnswerNo,
		"s": backend.AnswerSession, "session": backend.AnswerSession, "a": backend.AnswerAlways, "always": backend.AnswerAlways,
	}[strings.ToLower(word)]
	if answer == "" || !longer && (answer == backend.AnswerSession || answer == backend.AnswerAlways) {
		return backend.Response{}, false
	}
	if answer != backend.AnswerNo {
		if reason != "" {
			return backend.Response{}, false // yes, but: that is no yes
		}
		return backend.Response{Answer: answer}, true
	}
	return backend.Response{Answer: answer, Reason: strings.TrimSpace(reason)}, true
}

// shownQuestion is the exact command, or the change, and why it is asked about.
func shownQuestion(q *agent.Question) string {
	text := "The model wants to run " + oneLine(q.Tool)
	switch {
	case q.Command != "":
		text += ":\n" + indent(manyLines(q.Command), "  ")
	case len(q.Paths) > 0:
		text += " on " + oneLine(strings.Join(q.Paths, " "))
	}
	if q.Diff != "" {
		text += ":\n" + indent(strings.TrimSuffix(manyLines(q.Diff), "\n"), "  ")
	}
	return text + "\n" + oneLine(q.Why) + "\n"
}

// subjectOf is a call on one line.
func subjectOf(q *agent.Question) string {
	return q.Tool + " " + q.Command + strings.Join(q.Paths, " ")
}

// allowHint says how the call could be allowed where nobody is asked.
func allowHint(q *agent.Question) string {
	if len(q.Rules) == 0 {
		return "no rule but --allow " + q.Tool + " would allow it"
	}
	flags := make([]string, len(q.Rules))
	for i, rule := range q.Rules {
		flags[i] = "--allow '" + strings.ReplaceAll(rule, "'", `'\''`) + "'"
	}
	return "to allow it, give " + strings.Join(flags, " ")
}
