package gemini

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// unsent tells of a prompt that Gemini leaves out of what it sends once the session is resumed: it takes it for a command of its own, or for
// a question about those, though it was sent as it was typed.
func unsent(m gjson.Result) (is bool) {
	if roleOf(m) != record.RoleUser {
		return false
	}
	begins := func(_, part gjson.Result) (goesOn bool) {
		text := part.String()
		if part.IsObject() {
			if other(part) {
				return false
			}
			text = part.Get("text").String()
		}
		text = strings.TrimSpace(text)
		is = strings.HasPrefix(text, "/") || strings.HasPrefix(text, "?")
		return text == ""
	}
	if content := m.Get("content"); content.IsArray() {
		content.ForEach(begins)
	} else {
		begins(gjson.Result{}, content)
	}
	return is
}

// other tells of a part that is no text: those stand for words that begin with a bracket there.
func other(part gjson.Result) bool {
	for _, member := range []string{
		"videoMetadata", "thought", "codeExecutionResult", "executableCode", "fileData", "functionCall", "functionResponse", "inlineData",
	} {
		if part.Get(member).Exists() {
			return true
		}
	}
	return false
}

// alone tells of a message that only a person was told, or typed: one list has it and the next, which says the same, may not.
func alone(m gjson.Result) bool { return roleOf(m) == "" || unsent(m) }
