package compaction

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// fileTools says what tools do to the file they name. The names with underscores are those of before a migration (spec
// §7.5.3); list_directory is ls, which reads no file.
var fileTools = map[string]string{
	"read": "read", "read_file": "read",
	"write": "modify", "write_file": "modify", "edit": "modify",
}

// filesOf collects the files that calls among these messages read and modified, on top of those of the previous
// compaction. A call counts if its result is there and no error. A file that was modified is not listed as read.
func filesOf(messages iter.Seq[*overlay.Message], previous *record.Compaction) (read, modified []string) {
	readSet, modifiedSet := map[string]bool{}, map[string]bool{}
	if previous != nil {
		add(readSet, previous.ReadFiles...)
		add(modifiedSet, previous.ModifiedFiles...)
	}
	var open openCallList
	for m := range messages {
		if m.Role == record.RoleAssistant {
			open = callsIn(m.Content)
		}
		if m.Role != record.RoleToolResult {
			continue
		}
		call, _ := open.answer(m.ToolCallID)
		if m.IsError {
			continue
		}
		switch fileTools[strings.ToLower(call.Name)] {
		case "read":
			add(readSet, pathOf(call.Arguments))
		case "modify":
			add(modifiedSet, pathOf(call.Arguments))
		}
	}
	maps.DeleteFunc(readSet, func(path string, _ bool) bool { return modifiedSet[path] })
	return sorted(readSet), sorted(modifiedSet)
}

// openCallList are the calls of a message whose results are still to come. They stand directly behind it, in this order.
type openCallList []record.Block

func callsIn(content []record.Block) openCallList {
	var open openCallList
	for _, block := range content {
		if block.Kind == record.BlockToolCall {
			open = append(open, block)
		}
	}
	return open
}

// answer takes out the call that a result answers: the first of that id, since some models repeat them.
func (o *openCallList) answer(id string) (record.Block, bool) {
	i := slices.IndexFunc(*o, func(call record.Block) bool { return call.ID == id })
	if i < 0 {
		return record.Block{}, false
	}
	call := (*o)[i]
	*o = slices.Delete(*o, i, i+1)
	return call, true
}

func add(set map[string]bool, paths ...string) {
	for _, path := range paths {
		if path != "" {
			set[path] = true
		}
	}
}

func sorted(set map[string]bool) []string {
	return append([]string{}, slices.Sorted(maps.Keys(set))...)
}

// pathOf is the file that a call names; agents differ in what they call it.
func pathOf(arguments string) string {
	for _, name := range []string{"path", "file_path", "filePath"} {
		if value := gjson.Get(arguments, name); value.Type == gjson.String && value.Str != "" {
			return value.Str
		}
	}
	return ""
}

// fileTags are the lists as the stored summary ends with them (spec §7.5.4); an empty list has no tag.
func fileTags(read, modified []string) string {
	var out strings.Builder
	for _, list := range []struct {
		tag   string
		paths []string
	}{{"read-files", read}, {"modified-files", modified}} {
		if len(list.paths) == 0 {
			continue
		}
		out.WriteString("\n\n<" + list.tag + ">\n")
		for _, path := range list.paths {
			out.WriteString(pathLine(path) + "\n")
		}
		out.WriteString("</" + list.tag + ">")
	}
	return out.String()
}

// pathLine is a path as a line of its own: one with a line break in it must not pass for two, and one that is named like a
// tag not for the end of the list.
func pathLine(path string) string {
	line := strings.NewReplacer("\n", " ", "\r", " ").Replace(path)
	if tagLine.MatchString(line) {
		return "./" + line
	}
	return line
}

// tagLine is a line that is nothing but a tag; the first group tells an end from a beginning.
var tagLine = regexp.MustCompile(`^[ \t]*<(/?)(?:read-files|modified-files)>[ \t]*\r?$`)

// StripTags takes the file lists out of a summary, whoever wrote them. A tag that is left open, or closes nothing, is text:
// what stands around it stays.
func StripTags(summary string) string {
	var kept []string
	var opened []int // where lists begin in kept
	for line := range strings.SplitSeq(summary, "\n") {
		tag := tagLine.FindStringSubmatch(line)
		if last := len(opened) - 1; tag != nil && tag[1] == "/" && last >= 0 {
			kept, opened = kept[:opened[last]], opened[:last]
			continue
		}
		if tag != nil && tag[1] == "" {
			opened = append(opened, len(kept))
		}
		kept = append(kept, line)
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// WithTags is the summary as it is stored: its text, and the file lists at its end.
func (p *Plan) WithTags(summary string) string {
	return StripTags(summary) + fileTags(p.ReadFiles, p.ModifiedFiles)
}
