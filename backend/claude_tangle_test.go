package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/drawn"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
)

// TestTangledRowsCountOnce: rows of a few answers in any files, of sessions and of subagents, in any order of the files and twice in one:
// what is counted is what a list of the names of answers says, each with what its last row tells.
func TestTangledRowsCountOnce(t *testing.T) {
	drawn.Few(t, func(r *rapid.T) {
		home, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		places := []string{"-w/s1.jsonl", "-w/s2.jsonl", "-w/s1/subagents/agent-x.jsonl", "-w/agent-y.jsonl", "-o/s3.jsonl"}
		want, used := int64(0), map[int]bool{}
		for f, place := range places {
			if rapid.IntRange(0, 3).Draw(r, "none") == 0 {
				continue
			}
			session := []string{"s1", "s2", "s1", "s1", "s3"}[f]
			sub := strings.Contains(place, "agent-")
			var out strings.Builder
			row := 0
			for range rapid.IntRange(1, 5).Draw(r, "answers") {
				n := rapid.IntRange(1, 8).Draw(r, "answer")
				ids := fmt.Sprintf("u%d", n)
				if rapid.Bool().Draw(r, "other ids") {
					row++
					ids = fmt.Sprintf("u%d-%d-%d", n, f, row)
				}
				marks := ""
				if rapid.IntRange(0, 4).Draw(r, "marked") == 0 && !sub {
					marks = `"forkedFrom":{"sessionId":"s9","messageUuid":"x"},`
				}
				side := sub || rapid.IntRange(0, 5).Draw(r, "beside") == 0
				at := func(ms int) string { return fmt.Sprintf("2026-01-02T10:%02d:00.%03dZ", n, ms) }
				if rapid.Bool().Draw(r, "asked") {
					fmt.Fprintf(&out, `{"type":"user","uuid":"%sq","parentUuid":null,"isSidechain":%t,"timestamp":%q,%s"sessionId":%q,"cwd":"/w","message":{"role":"user","content":"question %d"}}`+"\n", ids, side, at(0), marks, session, n)
				}
				for i := range 2 {
					fmt.Fprintf(&out, `{"type":"assistant","uuid":"%sa%d","parentUuid":null,"isSidechain":%t,"timestamp":%q,%s"sessionId":%q,"cwd":"/w","requestId":"req_%d","message":{"id":"msg_%d","role":"assistant","model":"m","content":[{"type":"text","text":"yes %d"}],"usage":{"input_tokens":%d,"output_tokens":1}}}`+"\n",
						ids, i, side, at(i+1), marks, session, n, n, i, 1<<n)
				}
				if !used[n] {
					used[n] = true
					want += 1 << n
				}
			}
			path := filepath.Join(home, ".claude/projects", place)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				r.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
				r.Fatal(err)
			}
		}
		b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{claudecode.Source{}}, Warn: func(err error) { r.Error(err) }})
		if err != nil {
			r.Fatal(err)
		}
		defer b.Close()
		if err := b.Scan(t.Context(), false, nil); err != nil {
			r.Fatal(err)
		}
		s, err := b.Statistics(t.Context(), StatisticsOptions{})
		if err != nil {
			r.Fatal(err)
		}
		got := int64(0)
		if s.Totals.Input != nil {
			got = *s.Totals.Input
		}
		if got != want {
			list, _ := b.List(t.Context(), ListOptions{})
			for i := range list {
				r.Logf("%s %v", list[i].ID, list[i].Parent)
			}
			r.Fatalf("%b tokens, not %b", got, want)
		}
	})
}
