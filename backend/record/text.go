package record

import (
	"slices"

	"github.com/tidwall/gjson"
)

// Text is what a person reads of a record, in parts that don't run into each other: text, thinking, the names and arguments of
// calls, summaries, what stands for outputs and for what was said, file names, errors. What is kept beside the log is not part of it.
func (r *Record) Text() []string {
	switch {
	case r.Newer:
		return stringsIn(gjson.Parse(r.JSON))
	case r.Message != nil:
		return r.Message.text()
	case r.Compaction != nil:
		c := r.Compaction
		parts := slices.Concat([]string{c.Summary, c.Instructions}, c.ReadFiles, c.ModifiedFiles)
		for i := range c.Replacement {
			parts = append(parts, c.Replacement[i].text()...)
		}
		return parts
	case r.Branch != nil:
		return []string{r.Branch.Summary}
	case r.Prune != nil:
		return r.Prune.Texts
	case r.Label != nil:
		return []string{r.Label.Label}
	case r.Model != nil:
		return []string{r.Model.Provider, r.Model.Model}
	case r.Note != nil:
		return textOf(r.Note.Content)
	}
	return nil
}

func (m *Message) text() []string {
	parts := textOf(m.Content)
	if m.Role == RoleToolResult {
		for i, text := range parts {
			parts[i] = Output(text)
		}
	}
	return append(parts, m.ErrorMessage)
}

func textOf(blocks []Block) []string {
	var parts []string
	for _, block := range blocks {
		switch block.Kind {
		case BlockText, BlockThinking:
			parts = append(parts, block.Text)
		case BlockToolCall:
			parts = append(append(parts, block.Name), stringsIn(gjson.Parse(block.Arguments))...)
		case BlockUnknown, BlockAsIs:
			parts = append(parts, stringsIn(gjson.Parse(block.JSON))...)
		case BlockImage:
		}
	}
	return parts
}

// stringsIn are the names and values in a JSON value, in order. The line was checked, which bounds nesting.
func stringsIn(value gjson.Result) []string {
	if !value.IsObject() && !value.IsArray() {
		return []string{value.String()}
	}
	var parts []string
	value.ForEach(func(key, member gjson.Result) bool {
		if key.Type == gjson.String {
			parts = append(parts, key.Str)
		}
		parts = append(parts, stringsIn(member)...)
		return true
	})
	return parts
}
