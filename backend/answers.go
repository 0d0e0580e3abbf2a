package backend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"palimpsest/backend/agent"
	"palimpsest/backend/config"
	"palimpsest/backend/session"
)

// What a user answers to the question whether a call may run.
const (
	AnswerOnce    = "once"
	AnswerSession = "session"
	AnswerAlways  = "always"
	AnswerNo      = "no"
)

// Response is a user's answer to a question.
type Response struct {
	CallID string `json:"callId"`
	// Asked is the question's number, 0 for whichever is asked about the call.
	Asked  int    `json:"asked"`
	Answer string `json:"answer"`
	// Reason is for the model, of an answer that is no.
	Reason string `json:"reason"`
}

// Answered says what became of an answer.
type Answered struct {
	CallID string `json:"callId"`
	// Answer is the one that holds: session instead of always where the settings can't be changed.
	Answer string `json:"answer"`
	// Rules are those that hold from now on.
	Rules []string `json:"rules"`
	// Problem says why the answer holds for less long than was wanted.
	Problem *Problem `json:"problem"`
}

// Answer answers what a turn asks.
func (b *Backend) Answer(ctx context.Context, id, turnID string, r Response) (Answered, error) {
	if !slices.Contains([]string{AnswerOnce, AnswerSession, AnswerAlways, AnswerNo}, r.Answer) {
		return Answered{}, fmt.Errorf("%w: session %s: the answer is %.30q, not once, session, always or no", session.ErrInput, id, r.Answer)
	}
	if _, err := b.store.Get(id); err != nil {
		return Answered{}, err
	}
	out := Answered{CallID: r.CallID, Answer: r.Answer, Rules: []string{}}
	err := b.agent.Answer(id, turnID, r.CallID, r.Asked, func(q agent.Question) (agent.Reply, error) {
		if err := b.grant(ctx, id, q, &out); err != nil {
			return agent.Reply{}, err
		}
		return agent.Reply{Allow: r.Answer != AnswerNo, Answer: out.Answer, Reason: r.Reason}, nil
	})
	if err != nil {
		return Answered{}, fmt.Errorf("session %s: turn %.30q: %w", id, turnID, err)
	}
	return out, nil
}

// grant keeps the rules of an answer that holds for longer than once.
func (b *Backend) grant(ctx context.Context, id string, q agent.Question, out *Answered) error {
	if out.Answer != AnswerSession && out.Answer != AnswerAlways {
		return nil
	}
	if len(q.Rules) == 0 {
		return fmt.Errorf("%w: there is no rule for calls such as this one; answer once or no", session.ErrInput)
	}
	out.Rules = q.Rules
	if out.Answer == AnswerAlways {
		err := b.alwaysAllow(q.Rules)
		if err == nil {
			return nil
		}
		problem := ProblemOf(err)
		out.Answer, out.Problem = AnswerSession, &problem
	}
	_, err := b.ChangePermissions(ctx, id, func(had []session.Permission) []session.Permission {
		for _, rule := range q.Rules {
			if p := (session.Permission{Rule: rule, Effect: "allow"}); !slices.Contains(had, p) {
				had = append(had, p)
			}
		}
		return had
	})
	return err
}

// alwaysAllow adds rules to the settings.
func (b *Backend) alwaysAllow(rules []string) error {
	return b.editSettings("allowing this always", func(data []byte) ([]byte, error) {
		for _, rule := range rules {
			edited, err := config.WithAllowed(data, rule)
			if err != nil {
				return nil, err
			}
			data = edited
		}
		return data, nil
	})
}

// editSettings changes the text of the settings file, and takes the result into use.
func (b *Backend) editSettings(what string, edit func([]byte) ([]byte, error)) error {
	b.editing.Lock()
	defer b.editing.Unlock()
	path := filepath.Join(b.home, config.FileName)
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		path = linked
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", what, err)
	}
	edited, err := edit(data)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", session.ErrInput, what, err)
	}
	if err := os.MkdirAll(b.home, 0o700); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := session.ReplaceFile(path, edited); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	b.apply(config.Load(b.home))
	return nil
}
