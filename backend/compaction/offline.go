package compaction

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// Offline fills the sections of the format from the log by rule, without a model: the goal is what the user asked for,
// constraints are the user's sentences with must, never, always or prefer, done is what tools did, and the last exchange
// and the errors are kept word for word. What the previous summary says stays. It can be edited like any draft.
func Offline(p *Plan) *Draft {
	s := sectionsOf(p.previousSummary())
	facts := gather(p.texts(nil, p.replay, p.Summarize))
	s.add("Goal", facts.requests)
	s.add("Constraints & Preferences", facts.rules)
	s.add(progressDone, facts.done)
	if facts.answer != "" || len(facts.requests) > 0 {
		s.drop(progressOpen, begins(notAnswered))
	}
	s.add(progressOpen, facts.open)
	s.drop(progressBlocked, begins(notResolved))
	s.add(progressBlocked, facts.blocked)
	s.add("Key Decisions", facts.decisions)
	s.drop("Next Steps", func(line string) bool { return strings.HasSuffix(line, nextStep) })
	s.add("Next Steps", []string{fmt.Sprintf("%d. %s", len(s.lines["Next Steps"])+1, nextStep)})
	s.drop("Critical Context", begins(lastRequest, lastAnswer))
	// The turn that was split is over, or is told anew; what somebody else wrote of it stays.
	s.drop(turnHeading, begins(turnRequest, turnAnswer, doneMark))
	s.add("Critical Context", s.lines[turnHeading])
	s.add("Critical Context", facts.errors)
	s.add("Critical Context", facts.last)
	s.drop(turnHeading, func(string) bool { return true })
	if p.SplitTurn {
		s.add(turnHeading, turnSoFar(p))
	}
	s.bound()
	draft := DraftOf(p, s.String())
	draft.Offline = true
	return draft
}

// Lines of ours that hold for one compaction only, by which the next one finds them.
const (
	nextStep    = "Go on from the last exchange, in Critical Context below"
	lastRequest = "- Last request of the user: "
	lastAnswer  = "- Last answer of the agent: "
	notAnswered = "- [ ] Not answered yet: "
	notResolved = "- Not resolved: "
	turnRequest = "- The user asked: "
	turnAnswer  = "- The agent last said: "
	doneMark    = "- [x] "
)

func begins(marks ...string) func(line string) bool {
	return func(line string) bool {
		return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(line, mark) })
	}
}

// turnSoFar is the beginning of the turn that the cut splits.
func turnSoFar(p *Plan) []string {
	start := 0
	for i := range p.Summarize {
		if m := &p.Summarize[i]; m.Role == record.RoleUser && m.Overlay == "" {
			start = i
		}
	}
	var lines []string
	if request := p.turn(); request != "" {
		lines = append(lines, turnRequest+oneLine(request, itemMost))
	}
	facts := gather(p.texts(nil, p.Summarize[start:]))
	lines = append(lines, facts.done...)
	if facts.answer != "" {
		lines = append(lines, turnAnswer+oneLine(facts.answer, itemMost))
	}
	return lines
}

// itemMost is the length of one item, in characters, and listMost the number of items that one compaction adds to a
// section: enough to find the place in the transcript, where all of it stays.
const (
	itemMost = 300
	listMost = 20
)

// facts are what rules find in messages, as items of the sections.
type facts struct {
	requests, rules, done, open, blocked, decisions, errors, last []string
	// answer is the last text of the agent.
	answer string
}

func gather(messages iter.Seq[*overlay.Message]) facts {
	var f facts
	work := newWork()
	request := ""
	for m := range messages {
		text := textOf(m.Content)
		switch m.Role {
		case record.RoleUser:
			if strings.TrimSpace(text) == "" {
				continue
			}
			request, f.answer = text, ""
			f.requests = append(f.requests, "- "+oneLine(text, itemMost))
			f.rules = append(f.rules, itemsOf(sentences(text), isRule)...)
		case record.RoleAssistant:
			if text != "" {
				f.answer = text
				f.decisions = append(f.decisions, itemsOf(sentences(text), isDecision)...)
			}
			work.open = callsIn(m.Content)
		case record.RoleToolResult:
			work.result(m, text)
		}
	}
	f.done, f.errors = work.done(), work.errors
	f.conclude(request, work.failing)
	f.bound()
	return f
}

// conclude fills what depends on how it ended.
func (f *facts) conclude(request, failing string) {
	if request != "" {
		f.last = append(f.last, lastRequest+oneLine(request, 2*itemMost))
		if f.answer == "" {
			f.open = append(f.open, notAnswered+oneLine(request, itemMost))
		}
	}
	if f.answer != "" {
		f.last = append(f.last, lastAnswer+oneLine(f.answer, 2*itemMost))
	}
	if failing != "" {
		f.blocked = append(f.blocked, notResolved+failing)
	}
}

func (f *facts) bound() {
	for _, list := range []*[]string{&f.requests, &f.rules, &f.done, &f.decisions, &f.errors} {
		*list = newest(unique(*list), listMost)
	}
}

func unique(items []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(items, func(item string) bool {
		before := seen[item]
		seen[item] = true
		return before
	})
}

var leftOutLine = regexp.MustCompile(`^- \((\d{1,9}) more left out here\)$`)

// newest keeps the first item and the newest others, and says how many were left out, now and before.
func newest(items []string, most int) []string {
	if len(items) <= most {
		return items
	}
	from, left := len(items)-most+2, 0
	for _, item := range items[1:from] {
		before := 1
		if match := leftOutLine.FindStringSubmatch(item); match != nil {
			before, _ = strconv.Atoi(match[1]) // nine digits
		}
		left += before
	}
	return slices.Concat(items[:1], []string{fmt.Sprintf("- (%d more left out here)", left)}, items[from:])
}
