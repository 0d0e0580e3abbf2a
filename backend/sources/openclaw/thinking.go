package openclaw

import (
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// OpenClaw takes thinking out of its requests where a model makes nothing of it: of Claude, but for the models below, that of all answers but
// the newest, which these heed only as long as the tools of that answer run; and behind GitHub Copilot all of it.

// told are the models of Claude that are told what they thought, by their names with hyphens between all parts.
var told = regexp.MustCompile(`^claude-(?:fable-5|mythos-(?:5|preview)|opus-(?:4-[5-8]|5)|sonnet-(?:4-6|5))(?:$|[^a-z0-9])`)

var between = regexp.MustCompile(`[._\s]+`)

// forgets tells of an answer that what was thought for it is not sent again. What is sent to a model of another kind that the session has
// gone on with is not for the answer to say.
func forgets(message gjson.Result) bool {
	claude := false
	switch jsonl.Text(message.Get("api")) {
	case "anthropic-messages", "bedrock-converse-stream":
		claude = true
	case "openai-responses":
	default:
		return false
	}
	if jsonl.Text(message.Get("provider")) == "github-copilot" {
		return true
	}
	name := between.ReplaceAllString(strings.ToLower(jsonl.Text(message.Get("model"))), "-")
	at := strings.Index(name, "claude-")
	return claude && at >= 0 && !told.MatchString(name[at:])
}

// forget marks the thinking in a content as not sent again.
func forget(content []sources.Block) {
	for i := range content {
		if content[i].Type == "thinking" {
			content[i].Aside = true
		}
	}
}
