package compaction

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// work collects what tools did: each call with its result, those of one file together.
type work struct {
	open   openCallList
	items  []workItem
	byKey  map[string]int
	errors []string
	// failing is the newest error that no call of the same tool has come after.
	failing, failingTool string
}

type workItem struct {
	text  string
	times int
}

func newWork() *work { return &work{byKey: map[string]int{}} }

func (w *work) result(m *overlay.Message, text string) {
	call, known := w.open.answer(m.ToolCallID)
	if !known {
		return
	}
	if m.IsError {
		w.failing, w.failingTool = oneLine(call.Name, itemMost/2)+" failed: "+oneLine(text, itemMost), call.Name
		w.errors = append(w.errors, "- Error of "+oneLine(callText(call), itemMost/2)+": "+oneLine(text, itemMost))
		return
	}
	if call.Name == w.failingTool {
		w.failing, w.failingTool = "", ""
	}
	text = oneLine(callText(call), itemMost)
	at, seen := w.byKey[text]
	if !seen {
		at = len(w.items)
		w.byKey[text] = at
		w.items = append(w.items, workItem{text: text})
	}
	w.items[at].times++
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
	var items []string
	for _, item := range w.items {
		line := doneMark + item.text
		if item.times > 1 {
			line += fmt.Sprintf(" (%d times)", item.times)
		}
		items = append(items, line)
	}
	return items
}
