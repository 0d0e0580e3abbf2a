//go:build !race

package compaction

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

func TestOfflineLongAndDeepText(t *testing.T) {
	long := strings.Repeat("x", 10<<20)
	deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	message := func(role record.Role, id, text string, calls ...record.Block) overlay.Message {
		return overlay.Message{ToolCallID: id, Body: &overlay.Body{Role: role, IsError: id == "a", Content: append(calls, record.TextBlock(text))}}
	}
	plan := &Plan{TokensBefore: 1 << 20, Summarize: []overlay.Message{
		message(record.RoleUser, "", "must "+long+"\nNever print it."),
		message(record.RoleUser, "", strings.Repeat("you must. ", 1<<20)),
		message(record.RoleUser, "", strings.Repeat(" \t", 5<<20)+"indented"),
		message(
			record.RoleAssistant, "", long, record.Block{Kind: record.BlockToolCall, ID: "a", Name: "bash", Arguments: `{"command":"` + long + `"}`},
			record.Block{Kind: record.BlockToolCall, ID: "b", Name: "odd", Arguments: deep},
		),
		message(record.RoleToolResult, "a", long), message(record.RoleToolResult, "b", long),
	}}
	draft := Offline(plan)
	if len(draft.Summary) > 20_000 {
		t.Errorf("%d bytes", len(draft.Summary))
	}
	if !strings.Contains(draft.Summary, "- [x] odd(a={") || !strings.Contains(draft.Summary, "- indented\n") || strings.Count(draft.Summary, "- you must.\n") != 1 || !strings.Contains(draft.Summary, "- Never print it.\n") {
		t.Errorf("%.3000s", draft.Summary)
	}
	if text := Serialize(plan.Summarize[4:5]); len(text) > 2100 {
		t.Errorf("a result is shown in %d bytes", len(text))
	}
}

func TestCommandsAreBounded(t *testing.T) {
	all := []any{"make lamp"}
	for range commandsMost / commandMost {
		all = append(all, "go "+strings.Repeat("x", commandMost-3))
	}
	if found := foundIn(ran(t, "bash", "command", all...)); len(found) != 1 || !strings.HasPrefix(found[0], "command go x") {
		t.Errorf("%d of %d", len(found), len(all))
	}
	if found := foundIn(ran(t, "bash", "command", "make lamp #"+strings.Repeat("x", commandMost))); len(found) > 0 {
		t.Errorf("%q", found)
	}
}

// Of more facts than anybody could use the newest are looked at: a log that forges them must not hold up the program.
func TestFactsAreBounded(t *testing.T) {
	texts := make([]string, factsMost/100+1)
	for i := range texts {
		for n := range 100 {
			texts[i] += fmt.Sprintf("a/b%d_%d.go ", i, n)
		}
	}
	p := &Plan{Summarize: saidBy(record.RoleUser, texts...)}
	if f := p.Fidelity("a/b0_1.go and a/b1_1.go"); f.Total != factsMost || f.Kept != 1 {
		t.Errorf("%d of %d", f.Kept, f.Total)
	}
}

// TestEveryFactCanBeKept: a summary that is everything that was said loses nothing; an empty one keeps nothing; and each fact that is lost
// is kept once its text is added, as one press adds it.
func TestEveryFactCanBeKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		command := factual(t)
		p := &Plan{Summarize: append(saidBy(record.RoleUser, factual(t), factual(t)), ran(t, "bash", "command", command)...)}
		all := textOf(p.Summarize[0].Content) + "\n" + textOf(p.Summarize[1].Content) + "\n" + command
		if f := p.Fidelity(all); len(f.Lost) > 0 || f.Kept != f.Total {
			t.Fatalf("of all: %+v", f)
		}
		summary := "## Critical Context"
		f := p.Fidelity(summary)
		if f.Kept != 0 || len(f.Lost) != f.Total {
			t.Fatalf("of nothing: %+v", f)
		}
		for _, fact := range f.Lost {
			summary += "\n- " + fact.Text
			for _, still := range p.Fidelity(summary).Lost {
				if still == fact {
					t.Fatalf("%+v is lost in %q", fact, summary)
				}
			}
		}
	})
}
