package library

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/corpus"
	"palimpsest/backend/drawn"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/all"
)

// machine has a session of each agent that writes lines, and a library that tells nobody.
func machine(t *testing.T) (*Library, []*sources.Found) {
	t.Helper()
	const size = 150 << 10
	made, err := corpus.Make(t.TempDir(), corpus.Options{Large: 2, LargeBytes: size, Huge: size, Seed: 7}) // Claude Code, Codex and pi
	must(t, err)
	write := func(name string, line func(n int) string) {
		var text strings.Builder
		for n := 0; text.Len() < size; n++ {
			text.WriteString(line(n) + "\n")
		}
		path := filepath.Join(made.Home, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text.String()), 0o600))
	}
	words := func(n int) string { return fmt.Sprint("about ", n, strings.Repeat(" and so on", n%40)) }
	chat := func(n int) string { // of a person, of an agent that calls a tool, what that says, and an answer
		return []string{
			`"role":"user","content":"` + words(n) + `"`,
			fmt.Sprintf(`"role":"assistant","content":"","tool_calls":[{"id":"c%d","type":"function","function":{"name":"ls","arguments":"{}"}}]`, n),
			fmt.Sprintf(`"role":"tool","content":%q,"tool_call_id":"c%d"`, words(n), n-1),
			`"role":"assistant","content":"` + words(n) + `"`,
		}[n%4]
	}
	write(".picoclaw/workspace/sessions/sk_v1_aa.jsonl", func(n int) string {
		return fmt.Sprintf(`{%s,"created_at":"2026-01-02T10:00:00.%09dZ"}`, chat(n), n)
	})
	write(".crabtalk/sessions/crab.jsonl", func(n int) string {
		if n == 0 {
			return `{"agent":"crab","created_by":"user","created_at":"2026-04-01T10:00:00Z","title":"T","uptime_secs":0}`
		}
		return "{" + chat(n) + "}"
	})
	for _, agent := range []string{"openclaw", "coderclaw"} {
		write("."+agent+"/agents/main/sessions/s1.jsonl", func(n int) string {
			const at = `"timestamp":"2026-01-02T10:00:00.000Z"`
			if n == 0 {
				return `{"type":"session","version":3,"id":"s1",` + at + `,"cwd":"/w"}`
			}
			role := []string{"user", "assistant"}[n%2]
			return fmt.Sprintf(`{"id":"%d","parentId":"%d",%s,"type":"message","message":{"role":%q,"content":[{"type":"text","text":%q}]}}`, n, n-1, at, role, words(n))
		})
	}
	list, release := all.Open()
	l := Open(Options{
		Cache: t.TempDir(), Home: made.Home, Getenv: func(string) string { return "" }, GOOS: "linux", Sources: list,
		Warn: func(err error) { t.Error(err) },
	})
	t.Cleanup(func() { l.Close(); _ = release() })
	listing, err := l.List(t.Context())
	must(t, err)
	slices.SortFunc(listing.Found, func(a, b *sources.Found) int { return strings.Compare(a.Agent, b.Agent) })
	return l, listing.Found
}

// messages are those of a log, each as it is but for its number.
func messages(t *testing.T, log []byte) []string {
	t.Helper()
	var out []string
	for line := range bytes.Lines(log) {
		var record map[string]json.RawMessage
		if json.Unmarshal(line, &record) != nil || string(record["recordType"]) != `"message"` {
			continue
		}
		delete(record, "seq")
		delete(record, "origin") // which may count lines
		text, err := json.Marshal(record)
		must(t, err)
		out = append(out, string(text))
	}
	return out
}

func (l *Library) shelfOf(agent string) *shelf {
	return l.shelves[slices.IndexFunc(l.shelves, func(s *shelf) bool { return s.source.Agent() == agent })]
}

// TestAnExcerptIsTheEndOfTheWhole: wherever a file is cut, the messages behind the cut are the last of the whole reading.
func TestAnExcerptIsTheEndOfTheWhole(t *testing.T) {
	l, found := machine(t)
	agents := []string{}
	for _, f := range found {
		agents = append(agents, f.Agent)
	}
	if got, want := strings.Join(agents, " "), "claudecode coderclaw codex crabtalk openclaw pi picoclaw"; got != want {
		t.Fatalf("sessions of %s", got)
	}
	for i := range found {
		f := found[i]
		t.Run(f.Agent, func(t *testing.T) {
			r, err := l.Read(t.Context(), Ref{f.Agent, f.ID})
			must(t, err)
			text, err := os.ReadFile(l.Store().LogPath(r.ID))
			must(t, err)
			whole := messages(t, text)
			before, err := os.ReadFile(f.Files[0])
			must(t, err)
			drawn.Few(t, func(rt *rapid.T) {
				tail := rapid.Int64Range(8<<10, 90<<10).Draw(rt, "tail")
				x, err := l.excerptOf(t.Context(), l.shelfOf(f.Agent), *f, ends{2 << 10, tail})
				if err != nil {
					rt.Fatal(err)
				}
				got := messages(t, x.Log[x.From:])
				if len(got) == 0 || len(got) >= len(whole) || x.Total != int64(len(before)) || x.Read > tail+2<<10 || x.passes < 0.9 {
					rt.Fatalf("%d of %d messages, %d of %d bytes, in %.1f passes", len(got), len(whole), x.Read, x.Total, x.passes)
				}
				for n, want := range whole[len(whole)-len(got):] {
					if got[n] != want {
						rt.Fatalf("message %d of %d is\n%s\nnot\n%s", n, len(got), got[n], want)
					}
				}
			})
			if after, err := os.ReadFile(f.Files[0]); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
}
