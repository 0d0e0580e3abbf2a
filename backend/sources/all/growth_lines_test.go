//go:build !race

package all

import (
	"fmt"
	"strings"
)

// claudeLine has notes and compactions beside what [long] has.
func claudeLine(i int) string {
	switch i % 40 {
	case 20:
		return fmt.Sprintf(`{"type":"system","subtype":"compact_boundary","uuid":"%s","parentUuid":null,"logicalParentUuid":"%s","sessionId":"%s","timestamp":"2026-01-02T10:00:00Z","compactMetadata":{"trigger":"auto","preTokens":9}}`,
			uuid(i), uuid(i-1), session)
	case 21:
		return fmt.Sprintf(`{"type":"user","uuid":"%s","parentUuid":"%s","sessionId":"%s","timestamp":"2026-01-02T10:00:00Z","isCompactSummary":true,"message":{"role":"user","content":"S"}}`, uuid(i), uuid(i-1), session)
	case 22:
		return fmt.Sprintf(`{"type":"system","subtype":"informational","content":"x","uuid":"%s","parentUuid":"%s","sessionId":"%s","timestamp":"2026-01-02T10:00:00Z"}`, uuid(i), uuid(i-1), session)
	case 23: // from an earlier row on
		return fmt.Sprintf(`{"type":"user","uuid":"%s","parentUuid":"%s","sessionId":"%s","timestamp":"2026-01-02T10:00:00Z","message":{"role":"user","content":"go on"}}`, uuid(i), uuid(i-3), session)
	}
	return long["claudecode"].line(i)
}

// codexLine has tokens, what Codex puts in, other models, turns that are taken back, and compactions of both kinds.
func codexLine(i int) string {
	event := func(kind, payload string) string {
		return `{"timestamp":"2026-01-02T10:00:00Z","type":"` + kind + `","payload":` + payload + `}`
	}
	said := func(text string) string {
		return `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}`
	}
	switch i % 40 {
	case 12:
		return event("response_item", said(fmt.Sprintf("<environment_context>%d</environment_context>", i)))
	case 28: // as much as an older compaction keeps of all that was said, after some of them
		return event("response_item", said(strings.Repeat("word ", 1000)))
	case 16:
		return event("event_msg", `{"type":"thread_rolled_back","num_turns":1}`)
	case 20:
		return event("turn_context", fmt.Sprintf(`{"cwd":"/w","model":"m%d"}`, i/40%2))
	case 24:
		return event("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"output_tokens":50,"total_tokens":150},"total_token_usage":{"total_tokens":%d}}}`, i, i))
	case 32:
		if i%80 == 32 {
			return event("compacted", `{"message":"S"}`)
		}
		return event("compacted", `{"message":"S","replacement_history":[`+said("go on")+","+said(fmt.Sprint("then ", i))+`]}`)
	}
	return long["codex"].line(i)
}

func crabLine(i int) string {
	switch i % 20 {
	case 10:
		return fmt.Sprintf(`{"compact":"S%d","title":"T","archived_at":"2026-04-01T10:05:00Z"}`, i)
	case 11:
		return fmt.Sprintf(`{"role":"assistant","content":"","tool_calls":[{"id":"c%d","type":"function","function":{"name":"bash","arguments":"{}"}}]}`, i)
	case 12:
		return fmt.Sprintf(`{"role":"tool","content":"x","tool_call_id":"c%d","name":"bash"}`, i-1)
	case 13:
		return fmt.Sprintf(`{"event":"done","model":"m","iterations":1,"stop_reason":"end_turn","usage":{"prompt_tokens":%d,"completion_tokens":5},"ts":"2026-04-01T10:00:09Z"}`, i)
	}
	return long["crabtalk"].line(i)
}

func geminiLine(i int) string {
	call := func(i int, more string) string {
		return fmt.Sprintf(`{"id":"%s","timestamp":"2026-01-02T10:00:00Z","type":"gemini","content":"","model":"m","toolCalls":[{"id":"t%d","name":"ls","args":{}%s}]}`, uuid(i), i, more)
	}
	switch i % 40 {
	case 10:
		return call(i, "")
	case 11: // the same once it has its result
		return call(i-1, fmt.Sprintf(`,"status":"success","result":[{"functionResponse":{"id":"t%d","name":"ls","response":{"output":"x"}}}]`, i-1))
	case 20:
		return fmt.Sprintf(`{"$rewindTo":"%s"}`, uuid(i-2))
	case 30:
		return fmt.Sprintf(`{"$set":{"messages":[{"id":"s%d","timestamp":"2026-01-02T10:00:00Z","type":"user","content":[{"text":"S"}]}]}}`, i)
	case 31:
		return `{"$set":{"lastUpdated":"2026-01-02T10:00:00Z"}}`
	}
	return long["gemini"].line(i)
}

// branchedLine has what the agents write whose sessions are trees: compactions, names, settings, and branches.
func branchedLine(i int) string {
	entry := func(kind, more string) string {
		return fmt.Sprintf(`{"type":"%s","id":"%s","parentId":"%s","timestamp":"2026-01-02T10:00:00Z",%s}`, kind, uuid(i), uuid(i-1), more)
	}
	switch i % 40 {
	case 10:
		return entry("compaction", fmt.Sprintf(`"summary":"S","firstKeptEntryId":"%s","tokensBefore":9`, uuid(i-2)))
	case 11:
		return entry("model_change", fmt.Sprintf(`"provider":"p","modelId":"m%d"`, i/40%2))
	case 12:
		return entry("custom_message", `"customType":"x","content":"put in","display":true`)
	case 13:
		return entry("label", fmt.Sprintf(`"targetId":"%s","label":"here"`, uuid(i-4)))
	case 20, 22:
		return entry("message", fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"toolCall","id":"c%d","name":"bash","arguments":{}}],"stopReason":"toolUse"}`, i))
	case 21, 23:
		return entry("message", fmt.Sprintf(`"message":{"role":"toolResult","toolCallId":"c%d","toolName":"bash","content":[{"type":"text","text":"x"}],"isError":false}`, i-1))
	case 30: // beside the one before
		return fmt.Sprintf(`{"type":"message","id":"%s","parentId":"%s","timestamp":"2026-01-02T10:00:00Z","message":{"role":"user","content":[{"type":"text","text":"or so"}]}}`, uuid(i), uuid(i-2))
	}
	return treeLine(i)
}
