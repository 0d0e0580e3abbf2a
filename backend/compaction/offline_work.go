package compaction

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// work collects what tools did: each call with its result, those of one file together.
type work struct {
	open openCallList
	// calls are what the results are of, and times how often there was each of those that are held.
	calls  few
	times  map[string]int
	errors few
	// failing is the newest error that no call of the same tool has come after.
	failing, failingTool string
}

func newWork() *work { return &work{times: map[string]int{}} }

func (w *work) result(m *overlay.Message, text string) {
	call, known := w.open.answer(m.ToolCallID)
	if !known {
		return
	}
	if m.IsError {
		w.failing, w.failingTool = oneLine(call.Name, itemMost/2)+" failed: "+oneLine(text, itemMost), call.Name
		w.errors.add("- Error of " + oneLine(callText(call), itemMost/2) + ": " + oneLine(text, itemMost))
		return
	}
	if call.Name == w.failingTool {
		w.failing, w.failingTool = "", ""
	}
	text = oneLine(callText(call), itemMost)
	w.calls.add(text)
	w.times[text]++
	if len(w.times) > 2*listMost {
		maps.DeleteFunc(w.times, func(text string, _ int) bool { return !slices.Contains(w.calls.items, text) })
	}
}

// callText is a call in short: its name and what it was about.
func callText(call record.Block) string {
	if path := pathOf(call.Arguments); path != "" {
		return call.Name + " " + path
	}
	if command := gjson.Get(call.Arguments, "command"); command.Type == gjson.String {
		return call.Name + ": " + command.Str
	}
	return strings.TrimSuffix(callsOf([]record.Block{call}), "()")
}

func (w *work) done() []string {
	lines := w.calls.list()
	for i, text := range lines {
		times, call := w.times[text]
		if !call {
			continue // it says how many are left out
		}
		lines[i] = doneMark + text
		if times > 1 {
			lines[i] += fmt.Sprintf(" (%d times)", times)
		}
	}
	return lines
}
