package compaction

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// ran is the message of an agent that calls a shell, once for each command.
func ran(t rapid.TB, tool, argument string, commands ...any) []overlay.Message {
	t.Helper()
	m := overlay.Message{From: 7, Body: &overlay.Body{Role: record.RoleAssistant}}
	for _, command := range commands {
		arguments, err := json.Marshal(map[string]any{argument: command})
		if err != nil {
			t.Fatal(err)
		}
		m.Content = append(m.Content, record.Block{Kind: record.BlockToolCall, ID: "a", Name: tool, Arguments: string(arguments)})
	}
	return []overlay.Message{m}
}

func TestCommandsThatDoSomething(t *testing.T) {
	for command, want := range map[string][]string{
		"cd lamps && CGO_ENABLED=0 go test -race ./lamp 2>&1 | tail -5": {"go test -race ./lamp"},
		"ls -la; cat notes.txt | grep -n x; git status && git diff":     {},
		"for f in a b; do make $f; done":                                {"make $f"},
		"cat > run.sh <<'EOF'\nhelm upgrade lamp .\nEOF":                {},
		"python3 -c 'print(1)'; node -e 1; python3 - <<'E'\n1\nE":       {},
		"sudo  docker run --platform linux/arm64\\\n lamp:1":            {"sudo docker run --platform linux/arm64 lamp:1"},
		"timeout 60 npm run build && npm run check":                     {"timeout 60 npm run build", "npm run check"},
		"git push --force origin x; kubectl get pods; sed -i s/a/b/ x":  {"git push --force origin x"},
		"git -C /lamps log; $RUN it; if [ -f x ]; then ./lamp up; fi":   {"./lamp up"},
		"echo 'not closed":                          {},
		"git commit -m 'make all; never'; rm -rf b": {},
		"": {},
	} {
		for i := range want {
			want[i] = "command " + want[i]
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, foundIn(ran(t, "bash", "command", command))); diff != "" {
			t.Errorf("%s:\n%s", command, diff)
		}
	}
}

func TestCommandsOfAgents(t *testing.T) {
	want := []string{"command make lamp"}
	for _, c := range []struct {
		tool, argument string
		command        any
	}{
		{"Bash", "command", "make lamp"},
		{"exec_command", "cmd", "make lamp"},
		{"shell", "command", []string{"bash", "-lc", "make lamp"}},
		{"shell", "command", []string{"make", "lamp"}},
		{"run_shell_command", "command", "make lamp"},
	} {
		if diff := cmp.Diff(want, foundIn(ran(t, c.tool, c.argument, c.command))); diff != "" {
			t.Errorf("%s %v:\n%s", c.tool, c.command, diff)
		}
	}
	for _, tool := range []string{"task", "edit"} {
		if found := foundIn(ran(t, tool, "command", "make lamp")); len(found) > 0 {
			t.Errorf("%s: %v", tool, found)
		}
	}
}

// Of what was run with other arguments each time, the last is told, and what it does is what has to stand in the summary.
func TestCommandsThatASummaryKeeps(t *testing.T) {
	gone := append(ran(t, "bash", "command", "go test ./a", "make -C lamps all"), ran(t, "bash", "command", "go test -race ./b", "helm upgrade lamp .")...)
	p := &Plan{Summarize: gone, Keep: ran(t, "bash", "command", "helm upgrade lamp . --wait")}
	want := []Fact{{FactCommand, "go test -race ./b", 7}, {FactCommand, "make -C lamps all", 7}}
	if diff := cmp.Diff(want, p.Fidelity("## Goal\n- go to testing; make it").Lost); diff != "" {
		t.Error(diff)
	}
	if f := p.Fidelity("## Goal\n- `go test ./...` passes\n- make -C lamps all"); f.Kept != 2 {
		t.Errorf("%+v", f)
	}
}
