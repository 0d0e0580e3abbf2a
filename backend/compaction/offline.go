package compaction

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"palimpsest/backend/many"
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
	var requests, rules, decisions few
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
			requests.add("- " + oneLine(text, itemMost))
			rules.add(itemsOf(sentences(text), isRule)...)
		case record.RoleAssistant:
			if text != "" {
				f.answer = text
				decisions.add(itemsOf(sentences(text), isDecision)...)
			}
			work.open = callsIn(m.Content)
		case record.RoleToolResult:
			work.result(m, text)
		}
	}
	f.requests, f.rules, f.decisions = requests.list(), rules.list(), decisions.list()
	f.done, f.errors = work.done(), work.errors.list()
	f.conclude(request, work.failing)
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

// few are items, each once, of which no more are held than stay: the first and the newest others, as [newest] has them.
type few struct {
	seen  many.IDs
	items []string
	left  int // out, between the first and the others
}

func (l *few) add(items ...string) {
	for _, item := range items {
		if _, seen := l.seen.Get(item); !seen {
			l.seen.Put(item, 0)
			l.put(item)
		}
	}
}

func (l *few) put(item string) {
	l.items = append(l.items, item)
	if len(l.items) > listMost {
		l.leaveOut()
	}
}

func (l *few) leaveOut() {
	l.left += leftIn(l.items[1])
	l.items = slices.Delete(l.items, 1, 2)
}

func (l *few) list() []string {
	if l.left == 0 {
		return l.items
	}
	l.leaveOut()
	return slices.Insert(l.items, 1, leftOut(l.left))
}

var leftOutLine = regexp.MustCompile(`^- \((\d{1,9}) more left out here\)$`)

// newest keeps the first item and the newest others, and says how many were left out, now and before.
func newest(items []string, most int) []string {
	if len(items) <= most {
		return items
	}
	from, left := len(items)-most+2, 0
	for _, item := range items[1:from] {
		left += leftIn(item)
	}
	return slices.Concat(items[:1], []string{leftOut(left)}, items[from:])
}

func leftOut(n int) string { return fmt.Sprintf("- (%d more left out here)", n) }

// leftIn is how many items one stands for.
func leftIn(item string) int {
	match := leftOutLine.FindStringSubmatch(item)
	if match == nil {
		return 1
	}
	n, _ := strconv.Atoi(match[1]) // nine digits
	return n
}
