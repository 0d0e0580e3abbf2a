package openclaw

import (
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// OpenClaw takes thinking out of its requests where a model makes nothing of it: of Claude, but for the models below, that of all answers but
// the newest, and what nobody signed; and behind GitHub Copilot all of it. The model decides that the session goes on with.

// told are the models of Claude that are told what they thought, by their names with hyphens between all parts.
var told = regexp.MustCompile(`^claude-(?:fable-5|mythos-(?:5|preview)|opus-(?:4-[5-8]|5)|sonnet-(?:4-6|5))(?:$|[^a-z0-9])`)

var between = regexp.MustCompile(`[._\s]+`)

// recipient is a model that requests go to.
type recipient struct{ api, provider, model string }

// answered is the model that gave an answer.
func answered(message gjson.Result) recipient {
	return recipient{jsonl.Text(message.Get("api")), jsonl.Text(message.Get("provider")), jsonl.Text(message.Get("model"))}
}

// claude tells of the interfaces that Claude has.
func (to recipient) claude() bool {
	return to.api == "anthropic-messages" || to.api == "bedrock-converse-stream"
}

// joins tells whether what a user says at once again is sent as one message.
func (to recipient) joins() bool { return to.claude() || to.api == "openai-completions" }

// forgets tells whether a model is told only what was thought for the newest answer.
func (to recipient) forgets() bool {
	name := between.ReplaceAllString(strings.ToLower(to.model), "-")
	at := strings.Index(name, "claude-")
	return to.claude() && at >= 0 && !told.MatchString(name[at:])
}

// nothing tells whether a model is told no thinking at all.
func (to recipient) nothing() bool {
	return to.provider == "github-copilot" && (to.api == "anthropic-messages" || to.api == "openai-responses")
}

// habits are what of a model decides what it is sent; of each entry they are held, and a name may be of any length.
type habits struct{ known, claude, joins, forgets, nothing bool }

func (to recipient) habits() habits {
	return habits{to.api != "", to.claude(), to.joins(), to.forgets(), to.nothing()}
}

// forget marks the thinking in an answer that the model is not told which the session goes on with.
func (f *foresight) forget(at int, message gjson.Result, content []sources.Block) {
	to := f.next
	if !to.known {
		to = answered(message).habits()
	}
	others := at != f.newest && to.forgets
	for i := range content {
		if content[i].Type == "thinking" {
			content[i].Aside = to.nothing || others || to.claude && strings.TrimSpace(content[i].Signature) == ""
		}
	}
}
