package compaction

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

func TestWhatASummaryKeeps(t *testing.T) {
	for _, c := range []struct {
		kind          FactKind
		fact, summary string
		want          bool
	}{
		{FactFile, "src/app/main.go", "changed app/main.go", true},
		{FactFile, "src/app/main.go", "changed main.go", true},
		{FactFile, "src/app/main.go", "changed domain.go and main.gob", false},
		{FactFile, `src\app\main.go`, "src/app/main.go", true},
		{FactFile, "a/README.md", "the README.md", false}, // there are two
		{FactFile, "a/README.md", "a/README.md", true},
		{FactFile, "src/app/main.go", "changed other/main.go and lib/app/main.go", false},
		{FactFile, "src/app/main.go", "changed …/app/main.go", true},
		{FactFile, "/home/me/src/app/main.go", "changed ~/src/app/main.go", true},
		{FactFile, "app/main.go", "changed /srv/src/app/main.go.", true},
		{FactFile, "src/main.go", "see main.go.bak and old.main.go", false},
		{FactFile, "src/größe.go", "src/gro\u0308ße.go", true},
		{FactFile, "src/some_name.go", `src/some\_name.go`, true},
		{FactFile, `src\_own\main.go`, `src\_own\main.go`, true},
		{FactIdentifier, "some_name", `**some\_name**`, true},
		{FactIdentifier, "--force", "--force-with-lease", false},
		{FactIdentifier, "maxRows", "maxRowsPerPage", false},
		{FactIdentifier, "maxRows", "set `maxRows` to 3", true},
		{FactIdentifier, "maxRows", "maxrows", false},
		{FactCommit, "9f8c3f1a2b", "see 9f8c3f1", true},
		{FactCommit, "9f8c3f1", "see 9f8c3f1a2b3c", true},
		{FactCommit, "9f8c3f1", "see 0f8c3f1", false},
		{FactCommit, "9f8c3f1", "see 9F8C3F1", true},
		{FactCommit, "9f8c3f1", "0aabf5d..9f8c3f1", true},
		{FactCommit, "9f8c3f1", "https://example.org/commit/9f8c3f1a2b", true},
		{FactCommit, "9f8c3f1", "x9f8c3f1", false},
		{FactNumber, "40 s", "after 40s", true},
		{FactNumber, "40 seconds", "after 40 s", true},
		{FactNumber, "40 s", "after 140 s", false},
		{FactNumber, "40 s", "a 40-second wait", true},
		{FactNumber, "1,000 ms", "1000ms", true},
		{FactNumber, "1,000 ms", "after 1 s", true},
		{FactNumber, "1,000 ms", "1.000 ms", false},
		{FactNumber, "90 minutes", "1.5 hours", true},
		{FactNumber, "2 days", "48 h", true},
		{FactNumber, "1 day", "every day", false},
		{FactNumber, "1,500 tokens", "1500 tokens", true},
		{FactNumber, "1,500 tokens", "1.5k tokens", true},
		{FactNumber, "1,5 MiB", "1.5 MiB", true},
		{FactNumber, "3 MiB", "3 MB", false},
		{FactNumber, "12.50%", "12.5 percent", true},
		{FactNumber, "$1,000", "$1000", true},
		{FactNumber, "$30", "$300", false},
		{FactNumber, "40 s", "after 40 ms", false},
		{FactURL, "https://example.org/a", "https://example.org/a/b", true},
		{FactURL, "https://example.org/a", "(https://example.org/a).", true},
		{FactURL, "https://example.org/a", "https://example.org/abc", false},
		{FactURL, "https://example.org", "https://example.org.example.com", false},
		{FactURL, "http://127.0.0.1:80", "http://127.0.0.1:8080", false},
		{FactURL, "https://example.org/a_b", `https://example.org/a\_b`, true},
		{FactError, "ENOENT", "failed with enoent", true},
		{FactError, "main.go:3: undefined: x", "build failed: undefined x in main.go 3", true},
		{FactRule, "Never touch the vendor folder!", "- the vendor folder must never be touched; never touch it", true},
		{FactRule, "Never touch the vendor folder!", "- moved the vendor folder", false},
		{FactRule, "Never touch the vendor folder!", "- the vendor folder: don't touch it", true},
		{FactRule, "Don't use tabs.", "- use tabs", false},
		{FactRule, "Don't use tabs.", "- use tabs, never spaces", false},
		{FactRule, "Don't use tabs.", "- use spaces, not tabs", true},
		{FactRule, "I prefer tabs over spaces.", "- prefers spaces over tabs", false},
		{FactRule, "I prefer tabs over spaces.", "- prefers tabs over spaces", true},
		{FactRule, "Always run make lint before a commit.", "- never run make lint before a commit", false},
		{FactRule, "Always run make lint before a commit.", "- run make lint before each commit, don't ask", true},
		{FactRule, "Always run make lint before a commit.", "- don't commit without running make lint before", true},
		{FactRule, "Never do it!", "- it was never done", false},
		{FactError, "Error: x", "no error", false},
	} {
		k := newKeeper(c.summary, map[string][]string{"main.go": {"main.go"}})
		if got := k.keeps(Fact{Kind: c.kind, Text: c.fact}); got != c.want {
			t.Errorf("%s %q in %q: %t", c.kind, c.fact, c.summary, got)
		}
	}
}

// What stays in messages that stay is not replaced; what an earlier summary held can be lost anew; of what was said twice the last place counts.
func TestFidelityOfAPlan(t *testing.T) {
	gone := saidBy(record.RoleUser, "Always run `make lint`. The file is a/b.go", "see a/b.go and c/d.go, it took 40 s")
	p := &Plan{
		Summarize: gone, Keep: saidBy(record.RoleAssistant, "c/d.go is done"),
		Previous: &record.Compaction{Summary: "## Goal\n- keep port_of_call\n\n<read-files>\nold.go\n</read-files>"}, PreviousSeq: 9,
	}
	want := &Fidelity{
		Kept: 1, Total: 4,
		Kinds: []FactCount{{FactRule, 0, 1}, {FactFile, 1, 1}, {FactIdentifier, 0, 1}, {FactNumber, 0, 1}},
		Lost:  []Fact{{FactRule, "Always run `make lint`.", 1}, {FactIdentifier, "port_of_call", 9}, {FactNumber, "40 s", 2}},
	}
	if diff := cmp.Diff(want, p.Fidelity("## Goal\n- look at a/b.go")); diff != "" {
		t.Error(diff)
	}
}

// A file that calls name from the root and people from where they are is one; a name alone is that of the one path that ends with it.
func TestFileOfManyNames(t *testing.T) {
	said := saidBy(record.RoleUser, "/home/me/lamps/src/a.go and /home/me/lamps/b/c.go", "src/a.go, then a.go and c.go", "d/c.go, /x/stays.go")
	p := &Plan{Summarize: said, Keep: saidBy(record.RoleAssistant, "see stays.go")}
	want := []Fact{{FactFile, "d/c.go", 3}, {FactFile, "/home/me/lamps/src/a.go", 2}, {FactFile, "c.go", 2}, {FactFile, "/home/me/lamps/b/c.go", 1}}
	if diff := cmp.Diff(want, p.Fidelity("## Goal").Lost); diff != "" {
		t.Error(diff)
	}
	want = []Fact{{FactFile, "d/c.go", 3}}
	if diff := cmp.Diff(want, p.Fidelity("- a.go and b/c.go").Lost); diff != "" {
		t.Error(diff)
	}
}

// What takes the place of messages may be messages, and long; what forges that is not looked at to its end.
func TestFactsOfALongSummary(t *testing.T) {
	p := &Plan{Summarize: saidBy(record.RoleUser, "After 40 s see a/b.go and c_d.")}
	long := strings.Repeat("All work and no play.\n", 2*proseMost/10)
	if f := p.Fidelity(long + "40 s, a/b.go, c_d\n" + long); f.Kept != 3 {
		t.Errorf("%+v", f)
	}
	line := strings.Repeat("x", 99) + "\n" // of words, so many take the race detector long
	if f := p.Fidelity("40 s, a/b.go\n" + strings.Repeat(line, keptMost/len(line)+1) + "c_d"); f.Kept != 2 {
		t.Errorf("%+v", f)
	}
}

func TestFidelityOfWhatNobodyCanRead(t *testing.T) {
	c := &overlay.Context{Messages: saidBy(record.RoleUser, "Never touch a/b.go")}
	unknown := record.Message{Content: []record.Block{{Kind: record.BlockUnknown, JSON: `{"type":"encrypted"}`}}}
	standing := func(text string) *record.Compaction {
		in := record.Message{Role: record.RoleUser, Content: []record.Block{{Kind: record.BlockText, Text: text}}}
		return &record.Compaction{FirstKeptSeq: 2, Replacement: []record.Message{{Content: []record.Block{{Kind: record.BlockText, Text: "kept"}}}, in}}
	}
	for name, made := range map[string]*record.Compaction{
		"empty": {FirstKeptSeq: 2}, "encrypted": {FirstKeptSeq: 2, Summary: "s", Replacement: []record.Message{unknown}},
		"its place": standing(record.SummaryEncrypted), "the place of nothing": standing(record.SummaryEmpty),
	} {
		if f, err := FidelityOf(c, made); f != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	stands := record.Message{Content: []record.Block{{Kind: record.BlockText, Text: "never touch a/b.go"}}}
	if f, err := FidelityOf(c, &record.Compaction{FirstKeptSeq: 1, Replacement: []record.Message{stands}}); err != nil || f == nil || f.Kept != 2 || f.Total != 2 {
		t.Errorf("%+v", f)
	}
}

// factual are texts that are made of facts and of words.
func factual(t *rapid.T) string {
	words := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{
			"Never", "must", "the", "a/b.go", "`maxRows`", "MAX_ROWS", "40 s", "1,5 MiB", "9f8c3f1", "https://x.org/a?b", "ENOENT", "$30", "日本語",
			"`c/d.yaml`:", "(e_f)", "run().", "don’t", "\n", "…", "12%", "error: x", "~/k/l", `C:\m\n.txt`, "…it's", "a/b.go's", "İstanbul_x",
			"go test -x", "&&", "sudo", "'", "$(", "<<E", "s/a//", "./up --now;",
		}),
		rapid.StringMatching(`[\pL\d_./:%$ -]{1,12}`),
	), 1, 30).Draw(t, "words")
	return strings.Join(words, " ")
}

// BenchmarkFidelity is of a long session: 20,000 messages with 20 MB of text.
func BenchmarkFidelity(b *testing.B) {
	texts := make([]string, 20_000)
	for i := range texts {
		texts[i] = fmt.Sprintf("Step %d of src/part%d/file.go took %d ms; see `name_%d` and the error ENOENT. ", i, i%300, i%90, i%500) +
			strings.Repeat("All work and no play makes the log a long one, which is read to its end. ", 13)
	}
	p := &Plan{Summarize: saidBy(record.RoleAssistant, texts...)}
	b.SetBytes(int64(len(strings.Join(texts, ""))))
	for b.Loop() {
		p.Fidelity("## Goal\n- src/part1/file.go")
	}
}
