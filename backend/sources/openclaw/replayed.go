package openclaw

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// What OpenClaw sends again of an answer is not always what the model said.

const (
	// notDone stands for what was said before an answer failed or was stopped, and nothingCame is what such an answer says that said nothing.
	notDone     = "[This turn failed before it completed. Do not redo its work without confirming with the user first.]"
	nothingCame = "[assistant turn failed before producing content]"
	// noReply is what the model says where nothing is to be said to a person.
	noReply = "NO_REPLY"
)

// notSent is what OpenClaw says to the model in the place of an answer that did not come to its end; empty if nothing. One with calls is left
// out whole.
func notSent(message gjson.Result) string {
	reason := message.Get("stopReason").Str
	if message.Get("role").Str != "assistant" || reason != record.StopError && reason != record.StopAborted || mirrored(message) {
		return ""
	}
	said := false
	for _, block := range jsonl.Items(message.Get("content")) {
		switch text := strings.TrimSpace(block.Get("text").Str); {
		case block.Get("type").Str == "toolCall":
			return ""
		case block.Get("type").Str == "text" && text != "" && text != nothingCame && !silent(text):
			said = true
		}
	}
	if !said {
		return ""
	}
	return notDone
}

// replayed is what the model gets in the place of an answer, as an answer of its own.
func replayed(text string) sources.Message {
	return sources.Message{Role: record.RoleAssistant, Content: []sources.Block{{Type: "text", Text: text}}}
}

var (
	// onlyNoReply is said once or again and again, and thinkingBefore is what a model writes before it that puts its thinking among its words.
	onlyNoReply    = regexp.MustCompile(`(?i)^` + noReply + `(?:\s+` + noReply + `)*$`)
	thinkingBefore = regexp.MustCompile(`(?is)^\s*<\s*(?:think(?:ing)?|thought|antthinking)\b[^<>]*>.*?<\s*/\s*(?:think(?:ing)?|thought|antthinking)\s*>\s*`)
)

// silent tells of a text that says that nothing is to be said: no request has it again.
func silent(text string) bool {
	const most = 64 << 10 // a longer one says something
	if text = strings.TrimSpace(text); len(text) > most || !strings.Contains(strings.ToUpper(text), noReply) {
		return false
	}
	for thinkingBefore.MatchString(text) {
		text = strings.TrimSpace(thinkingBefore.ReplaceAllString(text, ""))
	}
	if onlyNoReply.MatchString(text) || onlyNoReply.MatchString(strings.TrimFunc(text, unicode.IsPunct)) {
		return true
	}
	if !json.Valid([]byte(text)) {
		return false
	}
	switch value := gjson.Parse(text); {
	case value.Type == gjson.String:
		return strings.TrimSpace(value.Str) == noReply
	case value.IsObject():
		return len(value.Map()) == 1 && strings.TrimSpace(jsonl.Text(value.Get("action"))) == noReply
	}
	return false
}

// isSilent tells of an answer that says nothing but that nothing is to be said.
func isSilent(message gjson.Result) bool {
	if message.Get("role").Str != "assistant" {
		return false
	}
	content := message.Get("content")
	if content.Type == gjson.String {
		return silent(content.Str)
	}
	blocks := jsonl.Items(content)
	return slices.ContainsFunc(blocks, silentBlock) && !slices.ContainsFunc(blocks, func(block gjson.Result) bool {
		kind := block.Get("type").Str
		return !silentBlock(block) && kind != "thinking" && kind != "redacted_thinking"
	})
}

func silentBlock(block gjson.Result) bool {
	return block.Get("type").Str == "text" && silent(block.Get("text").Str)
}

// without leaves out the texts that say that nothing is to be said, of an answer that has calls as well. They are kept as blocks of a kind
// of OpenClaw's own, which no context has.
func (r *reader) without(message gjson.Result, blocks []sources.Block) []sources.Block {
	if message.Get("role").Str != "assistant" || isSilent(message) {
		return blocks
	}
	for i := range blocks {
		if blocks[i].Type == "text" && silent(blocks[i].Text) {
			text, _ := json.Marshal(map[string]string{"type": r.agent + ".silent", "text": blocks[i].Text}) // texts can always be written
			blocks[i] = sources.Block{Raw: text}
		}
	}
	return blocks
}
