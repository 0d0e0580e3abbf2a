package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/sources/sourcetest"
)

// pico writes a session of PicoClaw: messages by number, odd ones of the user, and the summary beside them.
func pico(t *testing.T, home, summary string, messages ...int) {
	t.Helper()
	const place = ".picoclaw/workspace/sessions/sk_v1_aa"
	var lines strings.Builder
	for _, n := range messages {
		role := []string{"assistant", "user"}[n%2]
		fmt.Fprintf(&lines, `{"role":%q,"content":"text %d","created_at":"2026-01-02T10:00:%02dZ"}`+"\n", role, n, n)
	}
	sourcetest.Write(t, home, place+".jsonl", lines.String())
	sourcetest.Write(t, home, place+".meta.json", fmt.Sprintf(`{"key":"sk_v1_aa","summary":%q,"skip":0,"count":%d,"updated_at":"2026-01-02T11:00:%02dZ"}`,
		summary, len(messages), len(summary)+messages[len(messages)-1]))
}

// TestImportOfWhatItsAgentHasSummarized: the agent takes out of its file what it has summarized. A copy from before goes on behind what both have,
// with the summary, and keeps the rest; where they have nothing in common both stay.
func TestImportOfWhatItsAgentHasSummarized(t *testing.T) {
	home := t.TempDir()
	b := abroad(t, home)
	bring := func(did string) Import {
		t.Helper()
		made, err := b.Import(t.Context(), "picoclaw:sk_v1_aa")
		newsMust(t, err)
		if checked, err := b.Check(made.ID); made.Did != did || err != nil || len(checked.Damage) > 0 {
			t.Errorf("%s, not %s: %+v, %v", made.Did, did, checked, err)
		}
		return made
	}
	pico(t, home, "", 1, 2, 3, 4)
	first := bring(ImportCreated)
	for _, step := range []struct {
		summary  string
		messages []int
		did      string
		count    int
	}{
		{"one", []int{3, 4, 5}, ImportUpdated, 5},
		{"one", []int{3, 4, 5}, ImportUnchanged, 5},
		{"one", []int{3, 4, 5, 6}, ImportUpdated, 6},
		{"one, two", []int{5, 6}, ImportUpdated, 6},
		{"one, two", []int{5, 6, 7}, ImportUpdated, 7},
	} {
		pico(t, home, step.summary, step.messages...)
		made := bring(step.did)
		if made.ID != first.ID || *made.MessageCount != step.count || made.Replaced != nil || made.Earlier != nil {
			t.Errorf("%v: %+v", step, made)
		}
		if diff := cmp.Diff(viewOf(t, b, "picoclaw:sk_v1_aa"), viewOf(t, b, made.ID)); diff != "" {
			t.Errorf("%v: %s", step, diff)
		}
	}
	whole, err := os.ReadFile(first.Path)
	newsMust(t, err)
	if got := strings.Count(string(whole), `"recordType":"compaction"`); got != 2 {
		t.Errorf("%d compactions\n%s", got, whole)
	}

	pico(t, home, "three", 9, 10)
	second := bring(ImportCreated)
	if second.ID == first.ID || second.Earlier == nil || *second.Earlier != first.ID || second.Replaced != nil {
		t.Errorf("%+v", second)
	}
	if _, err := b.Get(first.ID); err != nil {
		t.Errorf("the copy from before: %v", err)
	}
	pico(t, home, "three", 9, 10, 11)
	if grown := bring(ImportUpdated); grown.ID != second.ID {
		t.Errorf("%+v", grown)
	}
	pico(t, home, "four", 11, 12)
	if grown := bring(ImportUpdated); grown.ID != second.ID || *grown.MessageCount != 4 {
		t.Errorf("%+v", grown)
	}
}

// TestImportBesideWhatItsAgentTookOut: where it can't be told what is to be added, the copy that has what was taken out stays all the same.
func TestImportBesideWhatItsAgentTookOut(t *testing.T) {
	for name, change := range map[string]func(home string){
		"between two steps": func(home string) {
			pico(t, home, "one, two", 3, 4, 5, 6)
			meta := filepath.Join(home, ".picoclaw/workspace/sessions/sk_v1_aa.meta.json")
			text, err := os.ReadFile(meta)
			newsMust(t, err)
			newsMust(t, os.WriteFile(meta, []byte(strings.Replace(string(text), `"skip":0`, `"skip":2`, 1)), 0o600))
		},
		"with damage": func(home string) {
			pico(t, home, "one", 3, 4, 5)
			lines := filepath.Join(home, ".picoclaw/workspace/sessions/sk_v1_aa.jsonl")
			text, err := os.ReadFile(lines)
			newsMust(t, err)
			newsMust(t, os.WriteFile(lines, append([]byte("{\"role\":\n"), text...), 0o600))
		},
	} {
		home := t.TempDir()
		b := abroad(t, home)
		pico(t, home, "", 1, 2, 3, 4)
		first, err := b.Import(t.Context(), "picoclaw:sk_v1_aa")
		newsMust(t, err)
		change(home)
		second, err := b.Import(t.Context(), "picoclaw:sk_v1_aa")
		if err != nil || second.Replaced != nil || second.Earlier == nil || *second.Earlier != first.ID {
			t.Errorf("%s: %+v, %v", name, second, err)
		}
		if _, err := b.Get(first.ID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestImportOfWhatWasSummarizedBefore: a compaction that a copy has is not added once more when its messages have gone from the original, and
// messages without times are known by what stands beside them.
func TestImportOfWhatWasSummarizedBefore(t *testing.T) {
	home := t.TempDir()
	b := abroad(t, home)
	meta := filepath.Join(home, ".picoclaw/workspace/sessions/sk_v1_aa.meta.json")
	untimed := func() {
		lines := filepath.Join(home, ".picoclaw/workspace/sessions/sk_v1_aa.jsonl")
		text, err := os.ReadFile(lines)
		newsMust(t, err)
		newsMust(t, os.WriteFile(lines, regexp.MustCompile(`,"created_at":"[^"]*"`).ReplaceAll(text, nil), 0o600))
	}
	pico(t, home, "one", 1, 2, 3, 4)
	text, err := os.ReadFile(meta)
	newsMust(t, err)
	newsMust(t, os.WriteFile(meta, []byte(strings.Replace(string(text), `"skip":0`, `"skip":2`, 1)), 0o600))
	untimed()
	first, err := b.Import(t.Context(), "picoclaw:sk_v1_aa")
	newsMust(t, err)
	for _, messages := range [][]int{{3, 4}, {3, 4, 5}} {
		pico(t, home, "one", messages...)
		untimed()
		made, err := b.Import(t.Context(), "picoclaw:sk_v1_aa")
		if err != nil || made.ID != first.ID || *made.Compactions != 1 || made.Earlier != nil {
			t.Errorf("%v: %+v, %v", messages, made, err)
		}
	}
}

// TestImportRejoinsNoCopyThatWasContinued: what a person has added stays, in a copy of its own.
func TestImportRejoinsNoCopyThatWasContinued(t *testing.T) {
	home := t.TempDir()
	b := abroad(t, home)
	pico(t, home, "", 1, 2, 3, 4)
	first, err := b.Import(t.Context(), "picoclaw:sk_v1_aa")
	newsMust(t, err)
	_, err = b.Append(t.Context(), first.ID, strings.NewReader(`{"recordType":"message","role":"user","content":[]}`))
	newsMust(t, err)
	pico(t, home, "one", 3, 4, 5)
	second, err := b.Import(t.Context(), "picoclaw:sk_v1_aa")
	if err != nil || second.Did != ImportCreated || second.Earlier == nil || *second.Earlier != first.ID {
		t.Errorf("%+v, %v", second, err)
	}
}
