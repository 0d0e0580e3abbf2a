package all

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/openclaw"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// called is a source with a file of which the cheap read sees the ends only, and how a line gives a name in it.
type called struct {
	source     sources.Source
	place      string
	first      string
	line, name func(i int) string
	// below is a name that does not count beside one of these, and clears tells that an empty name takes one away.
	below  func(i int) string
	clears bool
}

func (c *called) text(lines int, at map[int]string) string {
	var out strings.Builder
	out.WriteString(c.first + "\n")
	for i := 1; i < lines; i++ {
		if line, is := at[i]; is {
			out.WriteString(line + "\n")
		}
		out.WriteString(c.line(i) + "\n")
	}
	return out.String()
}

func quoted(value any) string {
	text, _ := json.Marshal(value) // texts can always be encoded
	return string(text)
}

func namedFiles() map[string]*called {
	pad := strings.Repeat("word ", 200)
	tree := func(source sources.Source, place string) *called {
		return &called{
			source: source, place: place, clears: true,
			first: `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}` + "\n" +
				`{"type":"message","id":"a0","parentId":null,"timestamp":"2026-01-02T10:00:01.000Z","message":{"role":"user","content":"prompt"}}`,
			line: func(i int) string {
				return fmt.Sprintf(`{"type":"message","id":"a%d","parentId":"a%d","timestamp":"2026-01-02T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":%s}],"stopReason":"stop"}}`,
					i, i-1, quoted(`{"type":"session_info","name":"said"} `+pad))
			},
			name: func(i int) string {
				return fmt.Sprintf(`{"type":"session_info","id":"n%d","parentId":"a%d","timestamp":"2026-01-02T10:00:03.000Z","name":"NAME"}`, i, i-1)
			},
		}
	}
	const session = "00000001-0000-4000-8000-000000000000"
	row := func(kind string, i int, rest string) string {
		return fmt.Sprintf(`{"type":"%s","uuid":"x-%d","parentUuid":"x-%d","sessionId":"%s","timestamp":"2026-01-02T10:00:02.000Z","cwd":"/w","version":"2.1",%s}`, kind, i, i-1, session, rest)
	}
	return map[string]*called{
		"pi":       tree(pi.Source{}, ".pi/agent/sessions/--w--/2026-01-02T10-00-00-000Z_s1.jsonl"),
		"openclaw": tree(openclaw.Source{}, ".openclaw/agents/main/sessions/s1.jsonl"),
		"claudecode": {
			source: claudecode.Source{}, place: ".claude/projects/-w/" + session + ".jsonl",
			first: row("user", 0, `"message":{"role":"user","content":"prompt"}`),
			line: func(i int) string {
				return row("assistant", i, fmt.Sprintf(`"message":{"id":"m%d","role":"assistant","model":"c","content":[{"type":"tool_use","id":"t","name":"n","input":{"type":"custom-title","customTitle":"said","pad":%s}}]}`, i, quoted(pad)))
			},
			name: func(int) string {
				return `{"type":"custom-title","customTitle":"NAME","sessionId":"` + session + `"}`
			},
			below: func(int) string { return `{"type":"ai-title","aiTitle":"made","sessionId":"` + session + `"}` },
		},
		"gemini": {
			source: gemini.Source{}, place: ".gemini/tmp/app/chats/session-1-s1.jsonl",
			first: `{"sessionId":"s1","startTime":"2026-01-02T10:00:00.000Z","kind":"main"}` + "\n" + `{"id":"u1","timestamp":"2026-01-02T10:00:01Z","type":"user","content":"prompt"}`,
			line: func(i int) string {
				return fmt.Sprintf(`{"id":"g%d","timestamp":"2026-01-02T10:00:02Z","type":"gemini","content":%s,"model":"m","toolCalls":[{"args":{"summary":"said"}}]}`, i, quoted(pad))
			},
			name: func(int) string { return `{"$set":{"summary":"NAME"}}` },
		},
	}
}

// TestTitlesBetweenTheEnds: whatever stands in a long file, and wherever, the name that was given last is that of the session, once its middle
// was looked through; what is appended is looked at at once.
func TestTitlesBetweenTheEnds(t *testing.T) {
	const lines, early, middle, late = 600, 3, 300, 597
	for name, c := range namedFiles() {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			env := sourcetest.Env(t, home)
			env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
			title := func() string {
				t.Helper()
				var out []string
				for _, found := range sourcetest.Find(t, c.source, env) {
					out = append(out, found.Title)
				}
				if len(out) != 1 {
					t.Fatalf("%q", out)
				}
				return out[0]
			}
			is := func(what, want string) {
				t.Helper()
				if _, err := env.Memory.CatchUp(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				if got := title(); got != want {
					t.Errorf("%s: %q, not %q", what, got, want)
				}
			}
			give := func(i int, name string) string { return strings.Replace(c.name(i), "NAME", name, 1) }
			write := func(at map[int]string) string { return sourcetest.Write(t, home, c.place, c.text(lines, at)) }
			for what, given := range map[string]struct {
				at   map[int]string
				want string
			}{
				"none":               {nil, ""},
				"in the middle":      {map[int]string{middle: give(middle, "mine")}, "mine"},
				"early, then later":  {map[int]string{early: give(early, "old"), middle: give(middle, "mine")}, "mine"},
				"later, then at end": {map[int]string{middle: give(middle, "old"), late: give(late, "mine")}, "mine"},
			} {
				write(given.at)
				title()
				is(what, given.want)
			}
			if c.clears {
				write(map[int]string{early: give(early, "old"), middle: give(middle, "")})
				title()
				is("taken away", "")
			}
			if c.below != nil {
				write(map[int]string{middle: give(middle, "mine"), late: c.below(late)})
				title()
				is("another kind behind it", "mine")
				write(map[int]string{middle: c.below(middle)})
				title()
				is("another kind alone", "made")
			}
			path := write(map[int]string{middle: give(middle, "mine")})
			title()
			is("before it grows", "mine")
			more := give(lines, "newest") + "\n"
			appendTo(t, path, c.line(lines)+"\n"+more[:len(more)/2])
			if got := title(); got != "mine" {
				t.Errorf("with half a line more: %q", got)
			}
			appendTo(t, path, more[len(more)/2:]+c.line(lines+1)+"\n")
			if got := title(); got != "newest" {
				t.Errorf("with the other half: %q", got)
			}
			for range 4 {
				appendTo(t, path, c.text(lines, nil)[len(c.first)+1:])
			}
			if got := title(); got != "newest" {
				t.Errorf("with much more: %q", got)
			}
			is("with much more, once that was looked through", "newest")
		})
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = file.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err = file.Close(); err != nil {
		t.Fatal(err)
	}
}
