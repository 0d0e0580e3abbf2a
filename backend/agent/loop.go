package agent

import (
	"context"
	"errors"
	"fmt"

	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// requestsMost ends a turn whose model never stops calling tools.
var requestsMost = 200

// converse asks the model until it calls no more tools. After each request, whatever came of it, all of it is in the
// log.
func (t *Turn) converse() error {
	if t.message.NoHistory {
		return t.aside()
	}
	for range requestsMost {
		if t.ctx.Err() != nil {
			return t.stopped()
		}
		c, err := t.fitting()
		if err != nil {
			return err
		}
		messages, err := c.WithTexts()
		if err != nil {
			return err
		}
		answer, err := t.ask(messages, t.agent.Offered(t.session))
		if recordErr := t.record(answer, err, runnable(answer, err)...); recordErr != nil {
			if t.stoppedBy(err) {
				return recordErr // what came is lost, which is more than that it was stopped
			}
			return errors.Join(err, recordErr)
		}
		if err != nil {
			again, stopped := t.overflowed(err)
			if stopped != nil {
				return stopped
			}
			if again {
				continue
			}
		}
		t.recovered = false
		if err != nil || answer.Stop != llm.StopToolUse {
			return err
		}
		if err := t.runTools(answer.Calls); err != nil {
			return err
		}
	}
	return fmt.Errorf("the model was asked %d times in one turn and still calls tools; what it did so far is in the log", requestsMost)
}

// ask makes one request and tells of the answer as it comes.
func (t *Turn) ask(messages []overlay.Message, tools []llm.Tool) (llm.Answer, error) {
	text := gate{out: func(piece string) { t.events.Text(KindText, piece) }}
	answer, err := t.stream(t.system, messages, tools, func(d llm.Delta) {
		switch {
		case d.Text != "":
			text.write(d.Text)
		case d.Thinking != "":
			t.events.Text(KindThinking, d.Thinking)
		case d.Call != nil:
			t.events.called(toolCallOf(*d.Call))
		}
	})
	text.end()
	return answer, err
}

// stream makes one request. It counts what it used, and tells of nothing but that it is made again.
func (t *Turn) stream(system string, messages []overlay.Message, tools []llm.Tool, on func(llm.Delta)) (llm.Answer, error) {
	t.events.enter(StateWaiting)
	answer, err := t.choice.Asker.Stream(t.ctx, llm.Request{
		Model: t.choice.Model, System: system, Messages: messages, Tools: tools, ReasoningEffort: t.choice.ReasoningEffort,
	}, func(d llm.Delta) {
		if d.Retry != nil {
			t.events.retries(*d.Retry)
			return
		}
		on(d)
	})
	answer.Usage = t.choice.priced(answer.Usage)
	t.usage = t.usage.Plus(answer.Usage)
	if err != nil && t.ctx.Err() != nil {
		err = t.stopped()
	}
	return answer, err
}

// record writes an answer down, marked as aborted or failed if it was. Calls of an answer that broke off are left out:
// nobody will run them. Open are those that will be run, and told of.
func (t *Turn) record(answer llm.Answer, err error, open ...llm.Call) error {
	reason, message := answer.Stop, ""
	if answer.Stop != llm.StopToolUse {
		answer.Calls = nil
	}
	if err != nil {
		reason, message = record.StopError, t.agent.deps.ProblemOf(err).Message
		if t.stoppedBy(err) {
			reason, message = record.StopAborted, ""
		}
	}
	line, encodeErr := answerRecord(answer, t.choice, reason, message)
	if encodeErr != nil {
		return encodeErr
	}
	return t.append(record.RoleAssistant, [][]byte{line}, open...)
}

// runnable are the calls of an answer that is whole.
func runnable(answer llm.Answer, err error) []llm.Call {
	if err != nil || answer.Stop != llm.StopToolUse {
		return nil
	}
	return answer.Calls
}

// append writes records of one role and tells of them; open are the calls that are to be run now.
func (t *Turn) append(role record.Role, lines [][]byte, open ...llm.Call) error {
	seqs, err := t.log.Append(lines...)
	t.seqs = append(t.seqs, seqs...)
	t.events.recorded(role, seqs, open...)
	return err
}

// aside asks without the conversation and leaves nothing in it. There are no tools: what they did would be written nowhere.
func (t *Turn) aside() error {
	if err := t.inject(); err != nil {
		return err
	}
	_, err := t.ask([]overlay.Message{overlay.Question(t.message.Text)}, nil)
	if err != nil && t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	return err
}
