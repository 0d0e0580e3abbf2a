package claudecode

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// attachedAt are where an attachment has what the model was told, in versions that did not note that itself: of files and folders, of what an
// editor and hooks said, of instructions, skills and memories, and of what ran meanwhile.
var attachedAt = []string{
	"content", "content.content", "content.file.content", "content.file.cells.#.source", "content.contents.#.text", "snippet", "prompt",
	"skills.#.content", "memories.#.content", "planContent", "files.#.diagnostics.#.message", "message", "blockingError.blockingError",
	"response.systemMessage", "response.hookSpecificOutput.additionalContext", "description", "deltaSummary", "addedLines", "addedBlocks",
}

// unsent are the attachments that only a person is shown.
var unsent = map[string]bool{
	"already_read_file": true, "command_permissions": true, "hook_cancelled": true, "hook_error_during_execution": true,
	"hook_non_blocking_error": true, "hook_system_message": true, "structured_output": true,
}

// sent tells whether the model is told of an attachment. What a hook printed it sees where that ran before it did.
func sent(attachment gjson.Result) bool {
	kind, event := attachment.Get("type").Str, attachment.Get("hookEvent").Str
	return !unsent[kind] && (kind != "hook_success" || event == "SessionStart" || event == "UserPromptSubmit")
}

// attachment writes what Claude Code put beside a message. Newer versions note the text that the model saw.
func (r *reader) attachment(row row) {
	what := row.Get("attachment")
	if what.Get("type").Str == "queued_command" {
		prompt := what.Get("prompt")
		row.content = prompt
		if text := typed(prompt); text != "" && jsonl.Text(what.Get("commandMode")) != "task-notification" {
			m := sources.Message{Meta: row.meta, Role: record.RoleUser}
			for _, p := range r.parts(row) {
				m.Content = append(m.Content, p.Content...)
			}
			r.stand(row.id, r.log.Message(m), turn)
			return
		}
	}
	r.note(row, r.attached(row), false)
}

// attached is what the model was told of an attachment.
func (r *reader) attached(row row) (content []sources.Block) {
	what := row.Get("attachment")
	add := func(text string) {
		if strings.TrimSpace(text) != "" {
			content = append(content, r.log.Text(text))
		}
	}
	switch rendered := row.Get("rendered"); {
	case rendered.Exists():
		rendered.ForEach(func(_, part gjson.Result) bool {
			add(plain(part.Get("content")))
			return true
		})
	case sent(what):
		if prompt := what.Get("prompt"); prompt.IsArray() { // of what was said meanwhile, with images
			content = r.blocks(prompt)
		}
		for _, member := range attachedAt {
			each(what.Get(member), add)
		}
		if image, ok := r.log.Base64(jsonl.Text(what.Get("content.file.type")), jsonl.Text(what.Get("content.file.base64"))); ok {
			content = append(content, image)
		}
	}
	return content
}

// each does something with each text in lists of lists.
func each(value gjson.Result, do func(text string)) {
	if value.IsArray() {
		value.ForEach(func(_, part gjson.Result) bool {
			each(part, do)
			return true
		})
		return
	}
	do(jsonl.Text(value))
}
