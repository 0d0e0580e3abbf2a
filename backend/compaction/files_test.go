package compaction

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilesOfCalls(t *testing.T) {
	for name, c := range map[string]struct {
		calls    []string
		read     string
		modified string
	}{
		"names of before a migration":    {[]string{call("a", "read_file", `{"path":"r"}`), call("b", "write_file", `{"path":"w"}`), call("c", "list_directory", `{"path":"d"}`), call("d", "ls", `{"path":"d"}`)}, "[r]", "[w]"},
		"other names for the path":       {[]string{call("a", "read", `{"file_path":"a"}`), call("b", "edit", `{"filePath":"b"}`), call("c", "Read", `{"path":"","file_path":"c"}`), call("d", "read", `{"path":7,"filePath":"d"}`)}, "[a c d]", "[b]"},
		"path before the others":         {[]string{call("a", "read", `{"filePath":"3","file_path":"2","path":"1"}`)}, "[1]", "[]"},
		"no path":                        {[]string{call("a", "read", `{}`), call("b", "write", `{"path":{"path":"x"}}`), call("c", "read", `{"paths":["x"]}`)}, "[]", "[]"},
		"other tools":                    {[]string{call("a", "bash", `{"path":"x"}`), call("b", "grep", `{"path":"x"}`), call("c", "reader", `{"path":"x"}`)}, "[]", "[]"},
		"one file twice, in order":       {[]string{call("a", "read", `{"path":"z"}`), call("b", "read", `{"path":"a"}`), call("c", "read", `{"path":"z"}`)}, "[a z]", "[]"},
		"the same id twice in a message": {[]string{call("a", "read", `{"path":"first"}`), call("a", "write", `{"path":"second"}`)}, "[first]", "[second]"},
	} {
		records := []string{said("do it"), answered("", c.calls...)}
		for _, one := range c.calls {
			records = append(records, result(strings.Split(one, `"`)[7], "done"))
		}
		plan := keepingNothing(t, records...)
		if got := fmt.Sprint(plan.ReadFiles) + fmt.Sprint(plan.ModifiedFiles); got != c.read+c.modified {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestFailedAndUnansweredCallsTouchNoFile(t *testing.T) {
	plan := keepingNothing(
		t, answered("", read("a", "failed"), read("b", "never answered"), read("c", "cleared")),
		failing("a", "no such file"), result("c", tokensOf(99)), `{"recordType":"prune","seqs":[3],"tokensFreed":1}`, said("go on"),
	)
	if fmt.Sprint(plan.ReadFiles) != "[cleared]" {
		t.Errorf("read %q", plan.ReadFiles)
	}
}

func TestFilesAreThoseOfTheCompactionInForceOnly(t *testing.T) {
	files := `,"readFiles":["%s"],"modifiedFiles":[]`
	older := strings.Replace(summarized(2, "s", ""), `,"readFiles":[],"modifiedFiles":[]`, fmt.Sprintf(files, "older"), 1)
	newer := strings.Replace(summarized(2, "s", ""), `,"readFiles":[],"modifiedFiles":[]`, fmt.Sprintf(files, "newer"), 1)
	plan := keepingNothing(t, said("1"), said("2"), older, newer, said("5"))
	undone := keepingNothing(t, said("1"), said("2"), older, newer, `{"recordType":"revert","targetSeq":4}`, said("6"))
	if fmt.Sprint(plan.ReadFiles, undone.ReadFiles) != "[newer] [older]" {
		t.Errorf("%q, and with it taken back %q", plan.ReadFiles, undone.ReadFiles)
	}
}

func TestTags(t *testing.T) {
	plan := &Plan{ReadFiles: []string{"a.go", "b\nc"}, ModifiedFiles: []string{"</modified-files>", "d.go"}}
	want := "text\n\n<read-files>\na.go\nb c\n</read-files>\n\n<modified-files>\n./</modified-files>\nd.go\n</modified-files>"
	if diff := cmp.Diff(want, plan.WithTags("text\n")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	none := &Plan{ReadFiles: []string{}, ModifiedFiles: []string{"d.go"}}
	if got := none.WithTags(want); got != "text\n\n<modified-files>\nd.go\n</modified-files>" {
		t.Errorf("an empty list has no tag, and old ones go: %q", got)
	}
}

func TestStripTags(t *testing.T) {
	for name, c := range map[string][2]string{
		"none":                 {"a\nb", "a\nb"},
		"at the end":           {"a\n\n<read-files>\nx\n</read-files>\n\n<modified-files>\ny\n</modified-files>", "a"},
		"in the middle":        {"a\n<read-files>\nx\n</read-files>\nb", "a\nb"},
		"indented, with CRLF":  {"a\r\n  <read-files>\r\nx\r\n </read-files> \r\nb", "a\r\nb"},
		"empty":                {"a\n<read-files>\n</read-files>", "a"},
		"left open":            {"a\n<read-files>\nb", "a\n<read-files>\nb"},
		"left open, then some": {"a\n<read-files>\nb\n<read-files>\nx\n</read-files>", "a\n<read-files>\nb"},
		"closed only":          {"a\n</read-files>\nb", "a\n</read-files>\nb"},
		"within a line":        {"a <read-files> b </read-files>", "a <read-files> b </read-files>"},
		"nothing else":         {"<read-files>\nx\n</read-files>", ""},
		"the summary's marker": {"a\n</summary>\nb", "a\n</summary>\nb"},
	} {
		if got := StripTags(c[0]); got != c[1] {
			t.Errorf("%s: %q", name, got)
		}
	}
}
