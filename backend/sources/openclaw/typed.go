package openclaw

import (
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// envelope is what a channel puts before a message: its name, who speaks, when.
var envelope = regexp.MustCompile(`^\[[A-Z][^\]\n]{2,160}\d{1,2}:\d{2}[^\]\n]*\]\s*`)

// typed is what a person typed, on one line; empty if it is not what a person typed.
func typed(text string) string {
	text = envelope.ReplaceAllString(behind(text), "")
	if injected(text) || !jsonl.Typed(text) {
		return ""
	}
	return jsonl.OneLine(text)
}

// injections begin what the gateway says in the user's name.
var injections = []string{
	"[Post-compaction context refresh]", "Pre-compaction memory flush", "OpenClaw runtime context (internal)",
	"CoderClaw runtime context (internal)", "Read HEARTBEAT.md", "[OpenClaw heartbeat poll]", "Run the following periodic tasks (only those due",
	"[OpenClaw session ", "A new session was started via /new or /reset.", "A scheduled reminder has been triggered.",
	"A scheduled cron event was triggered", "An async command you ran earlier has completed.", "An async command completion event was triggered",
	"Your previous turn ended before the requested work was complete.",
}

// notTyped tells whether no person typed any of a user's message: later versions say whose it is.
func notTyped(message gjson.Result) bool {
	return message.Get("provenance.kind").Str == "internal_system" || injected(plain(message.Get("content")))
}

// injected tells whether no person typed any of this.
func injected(text string) bool {
	rest := behind(text)
	if rest == "" {
		return strings.TrimSpace(text) != ""
	}
	for _, beginning := range injections {
		if strings.HasPrefix(rest, beginning) {
			return true
		}
	}
	return false
}

// internals are the signs around what the gateway tells only the model.
var internals = [][2]string{
	{"<<<BEGIN_OPENCLAW_INTERNAL", "<<<END_OPENCLAW_INTERNAL"}, {"<<<BEGIN_CODERCLAW_INTERNAL", "<<<END_CODERCLAW_INTERNAL"},
}

// from is what the gateway puts before what another session says.
var from = regexp.MustCompile(`^\[Inter-session message\][^\n]*\n(?:This content was routed by OpenClaw from another session[^\n]*\n)?`)

// behind is what follows the events and the context that the gateway puts before a message; empty if nothing does.
func behind(text string) string {
	text = from.ReplaceAllString(strings.TrimSpace(text), "")
	if strings.HasPrefix(text, "System: [") {
		for strings.HasPrefix(text, "System: ") {
			_, text, _ = strings.Cut(text, "\n")
			text = strings.TrimSpace(text)
		}
		return behind(text)
	}
	for _, signs := range internals {
		if !strings.HasPrefix(text, signs[0]) {
			continue
		}
		_, rest, _ := strings.Cut(text, "\n"+signs[1]) // without an end all of it is internal
		_, rest, _ = strings.Cut(rest, "\n")
		return behind(rest)
	}
	return text
}
