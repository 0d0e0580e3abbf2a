package agent

import (
	"encoding/json"
	"fmt"
	"slices"

	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// What a memory flush says to the model, unless the user says otherwise.
const (
	FlushPrompt = `This conversation is about to be compacted. Write down now what later sessions in this folder have to know and
would not find out by themselves: decisions and their reasons, what the user wants and does not want, what was learned
the hard way, what is open. Use the write tool; it adds to today's file in memory/. Write facts, briefly, and no secrets.
Do nothing else, and don't go on with the task. When you are done, or if there is nothing worth keeping, answer with
` + NoReply + ` and nothing else.`
	FlushSystem = `This is a silent turn before a compaction. The user does not see it. Your final answer is ` + NoReply + `.`
)

// flushRequests bounds a flush.
const flushRequests = 10

// flushNamespace is that of the note that asks for a flush.
const flushNamespace = "memory-flush"

// flush has what is worth keeping written down before a compaction takes it: once for each compaction, a little before it
// is due. It is a silent turn of its own, recorded on a branch that is left again, so that the conversation goes on as if it
// had not been. What fails of it is told of; the error is that the turn was stopped, or that the log can't be written.
func (t *Turn) flush(c *overlay.Context) (*overlay.Context, error) {
	how := t.choice.Compaction.Flush
	if how == nil || t.flushed || !t.nearTrigger(c, how.SoftThreshold) {
		return c, nil
	}
	tools, why := t.flushTools()
	if tools == nil {
		if why != "" {
			t.flushed = true
			t.events.Send(KindFlush, Flushing{State: "skipped", Reason: why})
		}
		return c, nil
	}
	t.flushed = true
	t.events.enter(StateCompacting)
	t.events.Send(KindFlush, Flushing{State: "started"})
	failure, err := t.flushTurn(c, how, tools)
	if err != nil {
		return nil, err
	}
	if failure == nil {
		failure = t.agent.deps.Memory.Flushed(t.ctx, t.session)
	}
	end := Flushing{State: "done"}
	if failure != nil {
		end = Flushing{State: "failed", Reason: clip(t.agent.deps.ProblemOf(failure).Message, messageMost)}
	}
	t.events.Send(KindFlush, end)
	return t.told() // what was written is recalled at once
}

// nearTrigger tells whether a compaction is about to be due, and would take something.
func (t *Turn) nearTrigger(c *overlay.Context, soft int) bool {
	trigger := t.choice.Budget.Trigger()
	if t.size(c) <= trigger-min(soft, trigger/2) && !t.tooMany(c) {
		return false
	}
	_, err := compaction.Make(c, compaction.Options{
		KeepRecent: t.choice.Budget.KeepRecent, KeepMessages: t.choice.Compaction.KeepMessages, Propose: t.byNumber(c),
	})
	return err == nil
}

// flushTools are the tools of a flush that is due; without them why says what is in its way, empty if it just is not due.
func (t *Turn) flushTools() (tools Tools, why string) {
	memory := t.agent.deps.Memory
	if memory == nil {
		return nil, "there is no tool that writes"
	}
	due, err := memory.Due(t.session)
	if err == nil && !due {
		return nil, ""
	}
	if err == nil {
		tools, err = memory.Tools(t.session)
	}
	if err != nil {
		return nil, clip(t.agent.deps.ProblemOf(err).Message, messageMost)
	}
	return tools, ""
}

// flushTurn talks until the model has nothing more to write, and goes back to where the conversation was. The first error
// is what went wrong with the flush, the second what ends the turn.
func (t *Turn) flushTurn(c *overlay.Context, how *Flush, tools Tools) (failure, err error) {
	prompt, system := how.Prompt, how.System
	if prompt == "" {
		prompt = FlushPrompt
	}
	if system == "" {
		system = FlushSystem
	}
	asked, err := flushNote(prompt)
	if err != nil {
		return nil, err
	}
	back, err := branchTo(c.LastSeq)
	if err != nil {
		return nil, err
	}
	if err := t.note(asked); err != nil {
		return nil, err
	}
	failure = t.flushTalk(t.system+"\n\n"+system, tools)
	if err := t.note(back); err != nil {
		return nil, err
	}
	if t.ctx.Err() != nil {
		return nil, t.stopped()
	}
	return failure, nil
}

func (t *Turn) flushTalk(system string, tools Tools) error {
	for range flushRequests {
		c, err := t.context()
		if err != nil {
			return err
		}
		messages, err := c.WithTexts()
		if err != nil {
			return err
		}
		answer, err := t.stream(system, messages, tools.List(), func(llm.Delta) {})
		if recordErr := t.record(answer, err); recordErr != nil {
			return recordErr
		}
		if err != nil || answer.Stop != llm.StopToolUse {
			return err
		}
		if err := t.flushCalls(answer.Calls, tools); err != nil {
			return err
		}
	}
	return fmt.Errorf("the model was asked %d times and still writes", flushRequests)
}

// flushCalls runs calls one after the other: they write to one file.
func (t *Turn) flushCalls(calls []llm.Call, tools Tools) error {
	lines := make([][]byte, len(calls))
	for i, call := range calls {
		line, err := resultRecord(call, t.agent.bounded(t.ctx, call.Name, func() Result { return tools.Run(t.ctx, call) }))
		if err != nil {
			return err
		}
		lines[i] = line
	}
	return t.append(record.RoleToolResult, lines)
}

// flushLeft is the place on the path of the note of a flush that broke off before it went back, -1 if there is none: the
// program was killed, or the log could not be written. Where the conversation went on behind it, it is left as it is.
func flushLeft(c *overlay.Context) int {
	note := int64(-1)
	for i := range c.Messages {
		m := &c.Messages[i]
		switch {
		case note < 0 && m.Overlay == overlay.OverlayNote && m.Namespace == flushNamespace:
			note = m.Offset
		case note >= 0 && m.Offset > note && m.Role == record.RoleUser:
			return -1
		}
	}
	at := slices.IndexFunc(c.Path, func(p overlay.Place) bool { return p.Offset == note })
	if at < 0 || slices.ContainsFunc(c.Path[at+1:], func(p overlay.Place) bool { return p.Type != record.TypeMessage }) {
		return -1
	}
	return at
}

// leaveFlush goes back to where the conversation was before a flush that broke off: what it asked for is not the user's.
func (t *Turn) leaveFlush(c overlay.Context) (overlay.Context, error) {
	at := flushLeft(&c)
	if at < 0 {
		return c, nil
	}
	from := int64(0)
	if at > 0 {
		from = c.Path[at-1].Seq
	}
	back, err := branchTo(from)
	if err != nil {
		return c, err
	}
	if _, err := t.log.Append(back); err != nil {
		return c, err
	}
	return t.log.Context()
}

// before is what of a context stands before a place on its path.
func before(c *overlay.Context, at int) *overlay.Context {
	out := &overlay.Context{Path: c.Path[:at], Dropped: c.Dropped}
	for i := range c.Messages {
		if m := c.Messages[i]; m.Part == overlay.PartSummary || m.Offset < c.Path[at].Offset {
			out.Messages = append(out.Messages, m)
		}
	}
	return out
}

// note appends a record that is no message.
func (t *Turn) note(line []byte) error {
	seqs, err := t.log.Append(line)
	t.seqs = append(t.seqs, seqs...)
	return err
}

// flushNote asks for the flush: it is not the user who speaks.
func flushNote(prompt string) ([]byte, error) {
	line, err := json.Marshal(struct {
		RecordType string   `json:"recordType"`
		Namespace  string   `json:"namespace"`
		Data       struct{} `json:"data"`
		Content    []block  `json:"content"`
		Display    bool     `json:"display"`
	}{RecordType: string(record.TypeNote), Namespace: flushNamespace, Content: []block{textBlock("text", prompt)}})
	if err != nil {
		return nil, fmt.Errorf("encoding the note of a memory flush: %w", err)
	}
	return line, nil
}

// branchTo goes on from an earlier record: what came after it stays in the log, off the path.
func branchTo(seq int64) ([]byte, error) {
	line, err := json.Marshal(struct {
		RecordType string `json:"recordType"`
		FromSeq    int64  `json:"fromSeq"`
	}{string(record.TypeBranch), seq})
	if err != nil {
		return nil, fmt.Errorf("encoding a branch: %w", err)
	}
	return line, nil
}
