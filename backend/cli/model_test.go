package cli

import (
	"fmt"
	"net/http"
	"strings"

	"palimpsest/backend/modeltest"
)

// summaryOf is a summary that has every section.
const summaryOf = `## Goal
Find the pods.

## Constraints & Preferences
- none

## Progress
### Done
- [x] Listed the pods

### In Progress
- [ ] Nothing

### Blocked
- Nothing

## Key Decisions
- **kubectl**: it is there

## Next Steps
1. Wait

## Critical Context
- One pod, nginx`

// answer is a model that does what the last message says, and writes a summary if asked for one.
func answer(q *modeltest.Asked) {
	switch last := q.Last(); {
	case q.ForName():
		q.Answer("\"Greeting a model.\"")
	case q.ForSummary():
		q.Usage(70, 30).Answer(summaryOf)
	case strings.HasSuffix(last, "please say who you are"):
		q.Answer(fmt.Sprint("As I was told: ", strings.HasPrefix(q.Messages[0].Content, "Be a pirate.\n")))
	case strings.HasSuffix(last, "please be silent"):
		q.Say("NO_").Say("REPLY").End("stop")
	case strings.Contains(last, "Use the write tool"):
		q.Call(0, "w", "write", `{"content":"the port is 8421"}`).End("tool_calls")
	case strings.HasPrefix(last, "added "):
		q.Answer("NO_REPLY")
	case strings.HasSuffix(last, "please overflow once") && !strings.Contains(q.Raw, "compacted into the following summary"):
		q.Fail(http.StatusBadRequest, `{"error":{"message":"maximum context length is 10 tokens","code":"context_length_exceeded"}}`)
	case strings.HasSuffix(last, "please overflow"):
		q.Fail(http.StatusBadRequest, `{"error":{"message":"maximum context length is 10 tokens","code":"context_length_exceeded"}}`)
	case strings.HasSuffix(last, "please refuse"):
		q.Fail(http.StatusBadRequest, `{"error":{"message":"not with the key `+strings.TrimPrefix(q.Header.Get("Authorization"), "Bearer ")+`"}}`)
	case strings.HasSuffix(last, "please call"):
		q.Say("I look.").Call(0, "c1", "bash", `{"command":"ls"}`).Usage(10, 5).End("tool_calls")
	case strings.HasSuffix(last, "please write"):
		q.Call(0, "c1", "write", `{"path":"made.txt","content":"hello\n"}`).End("tool_calls")
	case strings.HasSuffix(last, "please run"):
		q.Call(0, "c1", "bash", `{"command":"echo it ran > ran.txt"}`).End("tool_calls")
	case strings.HasSuffix(last, "please hang"):
		q.Say("It begins").Gone()
	default:
		q.Think("Well.").Say("You said: ").Say(last).Usage(10, 5).End("stop")
	}
}
