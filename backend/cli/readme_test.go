package cli

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// tables returns the first cells of the tables in a section of the README.
func tables(t *testing.T, section string) string {
	t.Helper()
	_, text, found := strings.Cut(read(t, "../../README.md"), "\n## "+section+"\n")
	if !found {
		t.Fatalf("there is no section %q", section)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var cells []string
	for line := range strings.Lines(text) {
		if row, found := strings.CutPrefix(line, "| "); found {
			cell, _, _ := strings.Cut(row, " |")
			cells = append(cells, cell)
		}
	}
	return strings.Join(cells, "\n")
}

func TestReadmeNamesEveryVerb(t *testing.T) {
	verbs := tables(t, "Command line")
	root := (&program{deps: Deps{Serve: serveNothing}, err: &notices{}}).rootCommand()
	for _, verb := range root.Commands() {
		if !regexp.MustCompile("`" + verb.Name() + "\\b").MatchString(verbs) {
			t.Errorf("%s is not in the table of verbs", verb.Name())
		}
	}
}

func TestReadmeNamesEveryDependency(t *testing.T) {
	named := strings.FieldsFunc(tables(t, "Dependencies"), func(r rune) bool { return strings.ContainsRune(", \n", r) })
	names := make(map[string]bool)
	for _, name := range named {
		names[name] = true
	}
	direct := regexp.MustCompile(`(?m)^\t(\S+) v\S+$`)
	for _, match := range direct.FindAllStringSubmatch(read(t, "../../go.mod"), -1) {
		if name := strings.TrimPrefix(match[1], "github.com/"); !names[name] {
			t.Errorf("%s is not in the table of dependencies", name)
		}
	}
	var page struct{ Dependencies map[string]string }
	if err := json.Unmarshal([]byte(read(t, "../../frontend/package.json")), &page); err != nil {
		t.Fatal(err)
	}
	for name := range page.Dependencies {
		if !names[name] {
			t.Errorf("%s is not in the table of the page's dependencies", name)
		}
	}
}
