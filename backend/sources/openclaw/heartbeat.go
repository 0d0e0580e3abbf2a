package openclaw

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// A heartbeat asks the model now and then, in the user's name, whether there is something to do. Where there is not, OpenClaw leaves it out of
// later requests, with all that was done for it.

// beats are what a heartbeat says, and deliveries what may stand before that.
var (
	beats = []string{
		"[OpenClaw heartbeat poll]", "[OpenClaw exec completion]", "[OpenClaw cron wake]", "[OpenClaw session event]",
		"[OpenClaw exec completion]\nDisable automatic completion turns with tools.exec.notifyOnExit=false; check per-agent overrides. Background exec and process poll remain available.",
	}
	deliveries = []string{"Delivery: "}
	// beatsBegin begin longer ones; of the last, which has tasks in it, they say how to end, too.
	beatsBegin = []string{"Follow the heartbeat monitor scratch context when provided. Recurring tasks are automations;"}
)

const (
	beatTasks = "Run the following periodic tasks (only those due based on their intervals):"
	beatOK    = "HEARTBEAT_OK"
	// respond is the tool with which a model says whether a person is to be told.
	respond = "heartbeat_respond"
)

// isBeat tells of a user's message whether it is a heartbeat.
func isBeat(message gjson.Result) bool {
	text := strings.TrimSpace(words(message.Get("content")))
	begins := func(prefix string) bool { return strings.HasPrefix(text, prefix) }
	ends := func(suffix string) bool { return strings.HasSuffix(text, suffix) }
	switch {
	case slices.Contains(beats, text), slices.ContainsFunc(beatsBegin, begins):
		return true
	case slices.ContainsFunc(deliveries, begins):
		return slices.ContainsFunc(beats, ends)
	}
	return begins(beatTasks) && strings.Contains(text, "After completing all due tasks, ")
}

// words are the texts of a content, one behind the other.
func words(content gjson.Result) string {
	if content.Type == gjson.String {
		return content.Str
	}
	var out strings.Builder
	content.ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "text" {
			out.WriteString(block.Get("text").Str)
		}
		return true
	})
	return out.String()
}

// acknowledges tells of an answer without calls that it says no more than that all is well.
func acknowledges(message gjson.Result) bool {
	content, other := message.Get("content"), false
	content.ForEach(func(_, block gjson.Result) bool {
		kind := block.Get("type").Str
		other = content.IsArray() && kind != "text" && kind != "thinking" && kind != "redacted_thinking"
		return !other
	})
	text := words(content)
	if other || strings.TrimSpace(text) == "" {
		return !other
	}
	return allIsWell(text)
}

var (
	markup = regexp.MustCompile(`<[^>]*>|(?i:&nbsp;)`)
	// okEnds is the token at the end, which a sign or two may follow.
	okEnds = regexp.MustCompile(beatOK + `[^\w]{0,4}$`)
)

// okEndsMost is how many bytes that takes at most.
const okEndsMost = len(beatOK) + 4*utf8.UTFMax

// allIsWell tells whether a text begins or ends with the token, and says little else.
func allIsWell(text string) bool {
	const most = 300
	if text = strings.TrimSpace(text); !strings.Contains(text, beatOK) {
		return false
	}
	rest, is := withoutOK(text)
	if !is || rest == "" {
		rest, is = withoutOK(strings.Trim(markup.ReplaceAllString(text, " "), "*`~_"))
	}
	return is && len([]rune(rest)) <= most
}

func withoutOK(text string) (rest string, is bool) {
	text = strings.TrimSpace(text)
	for {
		if after, begins := strings.CutPrefix(text, beatOK); begins {
			text, is = strings.TrimSpace(after), true
			continue
		}
		end := max(len(text)-okEndsMost, 0) // no more is looked at: there may be a million of them, one behind the other
		at := okEnds.FindStringIndex(text[end:])
		if at == nil {
			return strings.Join(strings.Fields(text), " "), is
		}
		text, is = strings.TrimSpace(text[:end+at[0]]), true
	}
}

// responds tells what a message says with the tool that is there for it: whether it does, and whether a person is to be told.
func responds(message gjson.Result) (is, tells bool) {
	message.Get("content").ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "toolCall" && block.Get("name").Str == respond {
			notify := block.Get("arguments.notify")
			is = true
			tells = tells || notify.Type == gjson.True || jsonl.Text(notify) == "true"
		}
		return true
	})
	return is, tells
}
