package compaction

import (
	"fmt"
	"strings"
)

// The prompts are the specification's (§7.5.4), word for word: they are part of the format.

// SystemPrompt tells the summarizer what it is.
const SystemPrompt = `You are a context summarization assistant. Your task is to read a conversation between
a user and an AI agent, then produce a structured summary following the exact format
specified. Do NOT continue the conversation. Do NOT respond to any questions in the
conversation. ONLY output the structured summary.`

const formatSections = `Use this EXACT format:

## Goal
[What is the user trying to accomplish? Can be multiple items.]

## Constraints & Preferences
- [Any constraints, preferences, or requirements mentioned by user]

## Progress
### Done
- [x] [Completed tasks/changes]

### In Progress
- [ ] [Current work]

### Blocked
- [Issues preventing progress, if any]

## Key Decisions
- **[Decision]**: [Brief rationale]

## Next Steps
1. [Ordered list of what should happen next]

## Critical Context
- [Any data, examples, or references needed to continue]

Keep each section concise. Preserve exact file paths, function names, and error messages.`

// InitialPrompt is sent where there is no previous summary.
const InitialPrompt = `The messages above are a conversation to summarize. Create a structured context
checkpoint summary that another LLM will use to continue the work.

` + formatSections

// UpdatePrompt is sent with a previous summary.
const UpdatePrompt = `The messages above are NEW conversation messages to incorporate into the existing
summary provided in <previous-summary> tags.

Update the existing structured summary with new information. RULES:
- PRESERVE all existing information from the previous summary
- ADD new progress, decisions, and context from the new messages
- UPDATE the Progress section: move items from "In Progress" to "Done" when completed
- UPDATE "Next Steps" based on what was accomplished
- PRESERVE exact file paths, function names, and error messages
- If something is no longer relevant, you may remove it

` + formatSections

// turnSection asks for what a cut inside a turn needs besides. It comes behind the prompt, whose words stay as they are.
const turnSection = `The conversation above stops in the middle of a turn: the messages that follow it are kept as they are and are
not shown here. So that what is kept can be understood, add one more section after ## Critical Context:

## Turn So Far
[What the user asked for in this turn, what has been done for it so far, and what is needed to understand what follows]`

// request is what one question to the summarizer is made of.
type request struct {
	conversation string
	previous     string   // summary, without file tags
	leftOut      []string // messages that are too long to be shown
	splitTurn    bool
	turn         string // what the user asked for in the turn that is split, if it is among the messages
	instructions string
	context      string // from the user's hook
}

func (r request) prompt() string {
	var out strings.Builder
	fmt.Fprintf(&out, "<conversation>\n%s\n</conversation>\n\n", r.conversation)
	prompt := InitialPrompt
	if r.previous != "" {
		fmt.Fprintf(&out, "<previous-summary>\n%s\n</previous-summary>\n\n", r.previous)
		prompt = UpdatePrompt
	}
	out.WriteString(prompt)
	if r.splitTurn {
		out.WriteString("\n\n" + turnSection)
		if r.turn != "" {
			out.WriteString("\n\nThe turn began with this message of the user:\n" + r.turn)
		}
	}
	if len(r.leftOut) > 0 {
		out.WriteString("\n\nLeft out of the conversation above, because each is too long to be shown here:\n- " + strings.Join(r.leftOut, "\n- "))
	}
	if r.context != "" {
		out.WriteString("\n\nFurther context, which the summary has to take into account:\n" + r.context)
	}
	if r.instructions != "" {
		out.WriteString("\n\nThe user asks in particular for this summary:\n" + r.instructions)
	}
	return out.String()
}
