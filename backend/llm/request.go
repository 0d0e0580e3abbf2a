package llm

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/sashabaranov/go-openai"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// continues stands before an answer that a context begins with, since chat APIs want the user to speak first.
const continues = "[conversation continues]"

// saidNothing stands for a message of the user that is blank.
const saidNothing = "[empty message]"

var anyObject = json.RawMessage(`{"type":"object","properties":{}}`)

// build makes go-openai's request of ours.
func build(r Request, blob func(sha string) ([]byte, error), own bool) openai.ChatCompletionRequest {
	out := openai.ChatCompletionRequest{
		Model:           r.Model,
		Messages:        messages(r.System, r.Messages, blob),
		ReasoningEffort: r.ReasoningEffort,
		Stream:          true,
		StreamOptions:   &openai.StreamOptions{IncludeUsage: true},
	}
	for _, tool := range r.Tools {
		parameters := tool.Parameters
		if len(parameters) == 0 {
			parameters = anyObject
		}
		out.Tools = append(out.Tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: tool.Name, Description: tool.Description, Parameters: parameters,
		}})
	}
	bound(&out, r.MaxTokens, own)
	return out
}

// bound sets the size of the answer under the name that the server knows: the old one, which all others know, unless
// the server is OpenAI's own or go-openai knows that the model refuses it.
func bound(out *openai.ChatCompletionRequest, tokens int, own bool) {
	out.MaxTokens = tokens //nolint:staticcheck // deprecated by OpenAI, and what everyone else reads
	if own || errors.Is(openai.NewReasoningValidator().Validate(*out), openai.ErrReasoningModelMaxTokensDeprecated) {
		out.MaxTokens, out.MaxCompletionTokens = 0, tokens //nolint:staticcheck // as above
	}
}

// messages turns a context that is valid by overlay's rules into one that a chat API accepts: the user speaks first,
// no role speaks twice in a row except tools, no two calls have one id. Thinking is not sent.
func messages(system string, in []overlay.Message, blob func(sha string) ([]byte, error)) []openai.ChatCompletionMessage {
	b := builder{blob: blob, names: newNames(in)}
	if system != "" {
		b.out = append(b.out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: system})
		b.head = 1
	}
	for i := range in {
		switch m := &in[i]; m.Role {
		case record.RoleUser:
			b.flush()
			b.user(b.said(m.Content))
		case record.RoleAssistant:
			b.flush()
			b.assistant(m)
		case record.RoleToolResult:
			b.result(m)
		}
	}
	b.flush()
	return b.out
}

type builder struct {
	blob  func(sha string) ([]byte, error)
	names *names
	out   []openai.ChatCompletionMessage
	head  int // how many messages come before the conversation
	// images of tool results wait for the end of the results, since only users may show them.
	images []openai.ChatMessagePart
}

// last is the message that one of this role may be joined to, else nil.
func (b *builder) last(role string) *openai.ChatCompletionMessage {
	if len(b.out) == b.head {
		return nil
	}
	m := &b.out[len(b.out)-1]
	if m.Role != role || len(m.ToolCalls) > 0 {
		return nil
	}
	return m
}

func (b *builder) user(parts []openai.ChatMessagePart) {
	if len(parts) == 0 {
		return
	}
	m := b.last(openai.ChatMessageRoleUser)
	if m == nil {
		b.out = append(b.out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser})
		m = &b.out[len(b.out)-1]
	}
	before := m.MultiContent
	if m.Content != "" {
		before = []openai.ChatMessagePart{textPart(m.Content)}
	}
	m.Content, m.MultiContent = "", joinParts(before, parts)
	if len(m.MultiContent) == 1 && m.MultiContent[0].Type == openai.ChatMessagePartTypeText {
		// As a string, which servers without images take, too.
		m.Content, m.MultiContent = m.MultiContent[0].Text, nil
	}
}

func (b *builder) assistant(m *overlay.Message) {
	text, calls := textOf(m.Content), b.names.calls(m.Content)
	if text == "" && len(calls) == 0 {
		return
	}
	if len(b.out) == b.head {
		b.user([]openai.ChatMessagePart{textPart(continues)})
	}
	if before := b.last(openai.ChatMessageRoleAssistant); before != nil {
		before.Content, before.ToolCalls = joinTexts(before.Content, text), calls
		return
	}
	b.out = append(b.out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, Content: text, ToolCalls: calls})
}

// result answers a call; one that answers none, which no valid context holds, would have the whole request refused.
func (b *builder) result(m *overlay.Message) {
	id, ok := b.names.answered(m.ToolCallID)
	if !ok {
		return
	}
	var texts []string
	for _, part := range b.parts(m.Content) {
		if part.Type == openai.ChatMessagePartTypeImageURL {
			b.images = append(b.images, part)
			part.Text = imageElsewhere
		}
		texts = append(texts, part.Text)
	}
	text := strings.Join(texts, "\n")
	if text == "" {
		text = "[no output]"
	}
	b.out = append(b.out, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, Content: text, ToolCallID: id})
}

// said is what a user shows, or that it is nothing: a message that went would leave an answer to nothing.
func (b *builder) said(content []record.Block) []openai.ChatMessagePart {
	if parts := b.parts(content); len(parts) > 0 {
		return parts
	}
	return []openai.ChatMessagePart{textPart(saidNothing)}
}

// flush shows what tools returned as images, once all results of an answer stand.
func (b *builder) flush() {
	if len(b.images) == 0 {
		return
	}
	b.user(append([]openai.ChatMessagePart{textPart("[images of the tool results above]")}, b.images...))
	b.images = nil
}
