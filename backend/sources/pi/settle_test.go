package pi

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestByID: what the model sees of a file that is not in the order in which pi wrote it, or in which an id comes twice. Each case was held
// against pi's library, which comes back from all but the way without an end.
func TestByID(t *testing.T) {
	call := `"type":"message","message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{}}],"stopReason":"toolUse"}`
	failed := strings.Replace(said("failed"), `"stopReason":"stop"`, `"stopReason":"error"`, 1)
	for name, c := range map[string]struct{ text, want string }{
		"a parent further down":    {tree("1 - "+user("one"), "3 2 "+user("three"), "2 1 "+user("two"), "4 3 "+user("four")), "user: one|user: two|user: three|user: four"},
		"an id twice":              {tree("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+user("three"), "2 - "+user("other"), "4 3 "+user("four")), "user: other|user: three|user: four"},
		"twice, elsewhere":         {tree("1 - "+user("one"), "2 1 "+user("two"), "1 - "+user("other"), "3 - "+user("three")), "user: three"},
		"with a compaction":        {tree("1 - "+user("one"), "4 3 "+compacted("S", "2", ""), "3 2 "+user("three"), "2 1 "+user("two"), "5 4 "+user("five")), fmt.Sprintf(summary, "S") + "|user: two|user: three|user: five"},
		"that keeps nothing":       {tree("1 - "+user("one"), "3 2 "+compacted("S", "gone", ""), "2 1 "+user("two"), "4 3 "+user("four")), fmt.Sprintf(summary, "S") + "|user: four"},
		"with an edit":             {tree("1 - "+user("one"), `3 2 "type":"context_edit","targetId":"2","replacement":{"content":"2!"}`, "2 1 "+user("two"), "4 3 "+user("four")), "user: one|user: 2!|user: four"},
		"a result without output":  {tree("2 1 "+call, "1 - "+user("one"), `3 2 "type":"message","message":{"role":"toolResult","toolCallId":"c","content":[]}`), "user: one|assistant: bash{}|toolResult: [no output]"},
		"an answer that failed":    {tree("2 1 "+failed, "1 - "+user("one"), "3 2 "+user("three")), "user: one|user: three"},
		"nothing":                  {tree("1 - "+user("one"), "2 1 "+user("two"), `2 - "type":"custom","customType":"x"`, `3 2 "type":"custom","customType":"y"`), ""},
		"a way without an end":     {tree("1 2 "+user("one"), "2 1 "+user("two")), "user: one|user: two"},
		"a label, edits elsewhere": {tree("1 - "+user("one"), "2 1 "+user("two"), `1 - "type":"label","targetId":"2","label":"L"`, "3 2 "+user("three")), "user: two|user: three"},
	} {
		t.Run(name, func(t *testing.T) {
			_, r := read(t, c.text)
			got := strings.Join(r.View(t), "|")
			if r.Err != nil || got != c.want {
				t.Errorf("%v\n got %q\nwant %q\n%s", r.Err, got, c.want, r.Log)
			}
		})
	}
}

// TestModelByID: so it is with the model, and where an edit leaves nothing of what was said to one.
func TestModelByID(t *testing.T) {
	changed := func(model string) string { return `"type":"model_change","provider":"p","modelId":"` + model + `"` }
	for name, text := range map[string]string{
		"nothing is left":           tree("1 - "+changed("m"), "2 1 "+user("one"), `3 2 "type":"context_edit","targetId":"2","replacement":null`),
		"nothing is left by its id": tree("2 1 "+user("one"), "1 - "+changed("m"), `3 2 "type":"context_edit","targetId":"2","replacement":null`),
		"other words, too":          tree("1 - "+user("one"), "2 1 "+changed("n"), "1 - "+user("other"), "2 1 "+changed("m"), `3 1 "type":"label"`, "4 2 "+user("two")),
		"of what stands before":     tree("3 2 "+user("three"), `2 1 "type":"thinking_level_change","thinkingLevel":"high"`, "1 - "+changed("m"), "4 3 "+user("four")),
		"the same words":            tree("1 - "+changed("n"), "2 1 "+compacted("S", "2", ""), "1 - "+changed("m"), "3 2 "+user("two")),
	} {
		_, r := read(t, text)
		if m := r.Context(t).Model; m.Model != "m" || m.Provider != "p" || (m.ReasoningEffort == "high") != strings.Contains(text, "high") {
			t.Errorf("%s: %+v\n%s", name, m, r.Story())
		}
	}
}

// TestListsCount: in version 1 pi takes a line with a list for an entry, to which a compaction may count.
func TestListsCount(t *testing.T) {
	const text = `{"type":"session","id":"s1","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}
{"type":"message","message":{"role":"user","content":"one"}}
[{"type":"message"}]
{"type":"message","message":{"role":"user","content":"two"}}
{"type":"compaction","summary":"S","firstKeptEntryIndex":%d,"tokensBefore":5}
{"type":"message","message":{"role":"user","content":"three"}}
`
	for i, kept := range []string{"user: one|user: two|", "user: two|", "user: two|"} {
		_, r := read(t, fmt.Sprintf(text, i+1))
		if got, want := strings.Join(r.View(t), "|"), fmt.Sprintf(summary, "S")+"|"+kept+"user: three"; got != want || r.Damaged > 0 {
			t.Errorf("%d: %q, %d damaged", i+1, got, r.Damaged)
		}
	}
}

// TestByIDGrows: where the end says what the context is, it is said anew.
func TestByIDGrows(t *testing.T) {
	for text, goesOn := range map[string]bool{
		tree("1 - "+user("one"), "2 1 "+user("two")):                       true,
		tree("2 gone "+user("two"), "3 2 "+user("one")):                    true,
		tree("2 1 "+user("two"), "1 - "+user("one")):                       true, // which is where it stands
		tree("2 1 "+user("two"), "1 - "+user("one"), "3 2 "+user("three")): false,
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, text)
		log := sources.NewLog(agent, "s1", &strings.Builder{}, func([]byte) (string, error) { return "sha", nil })
		reading, err := Source{}.Follow(t.Context(), env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)), log)
		if err != nil || (reading != nil) != goesOn {
			t.Errorf("%v, %v\n%s", reading, err, text)
		}
	}
}

// TestByIDInPieces: a file whose end said nothing else may say it when more stands there.
func TestByIDInPieces(t *testing.T) {
	for _, text := range []string{
		tree("2 1 "+user("two"), "1 - "+user("one"), "3 2 "+user("three")),
		tree("1 2 "+user("one"), "2 1 "+user("two"), "3 - "+user("three"), "1 - "+user("other"), "4 1 "+user("four")),
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, text)
		var cuts []int
		for i := range text {
			if text[i] == '\n' {
				cuts = append(cuts, i+1)
			}
		}
		if went := sourcetest.Pieces(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)), cuts); went == 0 {
			t.Errorf("no reading went on\n%s", text)
		}
	}
}
