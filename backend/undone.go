package backend

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/agent/tools"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// changesBetween are the changes of files on the path behind one record and up to another, 0 for start and end, the oldest
// first, and how many commands ran there.
func (v *view) changesBetween(since, until int64) (changes []tools.Change, commands int, err error) {
	first, end := 0, v.index.Lines.Len()
	if since != 0 {
		at, err := v.index.Find(since)
		if err != nil {
			return nil, 0, err
		}
		first = at + 1
	}
	if until != 0 {
		at, err := v.index.Find(until)
		if err != nil {
			return nil, 0, err
		}
		end = at + 1
	}
	calls := commandsRun{}
	for i := first; i < end; i++ {
		line := v.index.Lines.At(i)
		tells := line.Kind == session.LineAssistant || line.Kind == session.LineToolResult || line.Kind == session.LineOverlay || line.Kind == session.LineNote
		if !tells || !v.states.OnPath(i) {
			continue
		}
		text := make([]byte, line.Length)
		if _, err := v.log.ReadAt(text, line.Offset); err != nil {
			return nil, 0, fmt.Errorf("reading line %d: %w", line.Number, err)
		}
		rec, err := record.Decode(trimmed(text, line.Offset))
		if err != nil {
			continue // it is damaged, and says so where it is shown
		}
		changes = append(changes, changesOf(rec)...)
		calls.take(rec)
	}
	return changes, calls.count(), nil
}

// changesOf are what a result, or a note about an undo, says that was changed.
func changesOf(rec record.Record) (changes []tools.Change) {
	member := ""
	switch {
	case rec.Message != nil && rec.Message.Role == record.RoleToolResult:
		member = "changes"
	case rec.Note != nil && rec.Note.Namespace == session.UndoNamespace:
		member = "data.changes"
	default:
		return nil
	}
	if json.Unmarshal([]byte(gjson.Get(rec.JSON, member).Raw), &changes) != nil {
		return nil // nobody's, or another version's
	}
	for i := range changes {
		changes[i].Meant = rec.Note != nil
	}
	return changes
}

// commandsRun counts calls of a shell, less those that were not run.
type commandsRun struct {
	waiting []string // ids of those whose results have not come
	ran     int
}

func (c *commandsRun) count() int { return c.ran + len(c.waiting) }

func (c *commandsRun) take(rec record.Record) {
	if rec.Message == nil {
		return
	}
	if at := slices.Index(c.waiting, rec.Message.ToolCallID); rec.Message.Role == record.RoleToolResult && at >= 0 {
		c.waiting = slices.Delete(c.waiting, at, at+1)
		if !wasRefused(rec.Message) {
			c.ran++
		}
	}
	for _, block := range rec.Message.Content {
		if block.Kind == record.BlockToolCall && strings.EqualFold(block.Name, "bash") {
			c.waiting = append(c.waiting, block.ID)
		}
	}
}

// wasRefused tells that a call was not run, by what its result says.
func wasRefused(result *record.Message) bool {
	if !result.IsError || len(result.Content) == 0 {
		return false
	}
	text := result.Content[0].Text
	return slices.ContainsFunc([]string{notRun, notAllowed, notByUser}, func(beginning string) bool { return strings.HasPrefix(text, beginning) })
}

// What the model is told of an undo: it would go on from files that are not there any more.
const (
	toldTakenBack = "[The user took back changes of files. What was written or edited is as it was before in:"
	toldNotMade   = "[Of these, some could not be taken back after all, and are as they were:"
)

// undoNote says what is taken back or, of what an earlier note says, was not after all.
func undoNote(seq int64, changes []tools.Change, failed bool) ([]byte, error) {
	type text struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	told := []string{toldTakenBack}
	if failed {
		told[0] = toldNotMade
	}
	for _, change := range changes {
		told = append(told, change.Path)
	}
	type data struct {
		SinceSeq int64          `json:"sinceSeq"`
		Changes  []tools.Change `json:"changes"`
		Failed   bool           `json:"failed,omitempty"`
	}
	note, err := json.Marshal(struct {
		RecordType string `json:"recordType"`
		Namespace  string `json:"namespace"`
		Data       data   `json:"data"`
		Content    []text `json:"content"`
		Display    bool   `json:"display"`
	}{string(record.TypeNote), session.UndoNamespace, data{seq, changes, failed}, []text{{"text", strings.Join(told, "\n") + "]"}}, true})
	if err != nil {
		return nil, fmt.Errorf("encoding what is taken back: %w", err)
	}
	return note, nil
}

// notMade are the changes that were meant and not made, the other way round: from what was said to what is.
func notMade(meant, made []tools.Change) (changes []tools.Change) {
	for _, m := range meant {
		if slices.ContainsFunc(made, func(c tools.Change) bool { return c.Path == m.Path }) {
			continue
		}
		m.Before, m.After = m.After, m.Before
		m.Additions, m.Deletions = m.Deletions, m.Additions
		counts := m.Counts.Less()
		m.Counts = &counts
		changes = append(changes, m)
	}
	return changes
}
