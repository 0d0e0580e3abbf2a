package all

import (
	"flag"
	"os"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

var update = flag.Bool("update", false, "write the table of README anew")

const (
	readme = "../../../README.md"
	begin  = "<!-- agents: go test ./backend/sources/all -update -->\n"
	end    = "<!-- /agents -->"
)

// TestReadmeSaysWhatIsRead: the table there is that of the sources.
func TestReadmeSaysWhatIsRead(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	shown, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("README has no place for the table")
	}
	if want := table(t); shown != want {
		if *update {
			if err := os.WriteFile(readme, []byte(before+begin+want+end+after), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Errorf("README does not say what is read; go test ./backend/sources/all -update writes it:\n%s", want)
	}
}

// table has a line for each agent.
func table(t *testing.T) string {
	marks := map[sources.How]string{sources.Shown: "●", sources.Inferred: "◐", sources.Missing: "–"}
	whats := sourcetest.Whats()
	var b strings.Builder
	b.WriteString("| agent | " + strings.Join(whats, " | ") + " |\n|---|" + strings.Repeat(":-:|", len(whats)) + "\n")
	names := map[string]bool{}
	for _, source := range Sources(nil) {
		if names[source.Agent()] {
			t.Errorf("%s is there twice", source.Agent())
		}
		names[source.Agent()] = true
		b.WriteString("| `" + source.Agent() + "` |")
		told := source.Capabilities()
		if len(told) != len(whats) {
			t.Fatalf("%s tells of %d things, not %d", source.Agent(), len(told), len(whats))
		}
		for i, c := range told {
			if c.What != whats[i] || marks[c.How] == "" {
				t.Errorf("%s: %+v, not of %s", source.Agent(), c, whats[i])
			}
			b.WriteString(" " + marks[c.How] + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}
