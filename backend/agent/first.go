package agent

import (
	"context"
	"slices"
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// Exchange is what a conversation begins with: the user's first message, and the model's answer.
type Exchange struct{ User, Answer string }

// unanswered tells whether nothing in a context was said by a model yet.
func unanswered(c *overlay.Context) bool {
	return !slices.ContainsFunc(c.Messages, func(m overlay.Message) bool {
		return m.Role == record.RoleAssistant || m.Part == overlay.PartSummary
	})
}

// name has a session named after the first exchange, whose turn this is.
func (t *Turn) name() (better func(context.Context)) {
	if !t.first || t.agent.deps.Name == nil {
		return nil
	}
	c, err := t.context()
	if err != nil {
		return nil // the next who looks at the log is told
	}
	exchange, err := exchangeIn(c)
	if err != nil {
		return nil // as above
	}
	return t.agent.deps.Name(context.WithoutCancel(t.ctx), t.session, exchange, t.choice)
}

func exchangeIn(c *overlay.Context) (e Exchange, err error) {
	err = c.Texts(c.Messages, nil, func(m *overlay.Message) bool {
		switch {
		case m.Role == record.RoleUser && m.Overlay == "" && e.User == "":
			e.User = textIn(m)
		case m.Role == record.RoleAssistant:
			if text := textIn(m); text != "" {
				e.Answer = text
			}
		}
		return true
	})
	return e, err
}

func textIn(m *overlay.Message) string {
	var texts []string
	for _, block := range m.Content {
		if block.Kind == record.BlockText {
			texts = append(texts, block.Text)
		}
	}
	return strings.Join(texts, "\n")
}
