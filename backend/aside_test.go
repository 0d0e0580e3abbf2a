package backend

import (
	"bytes"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestWhatAPersonAloneWasShown is searched as what the model does not see, exported with a mark of that, and counted once; it is no turn, and
// no model has the name that a mirrored answer has for one.
func TestWhatAPersonAloneWasShown(t *testing.T) {
	const entry = `{"type":"message","timestamp":"2026-01-02T10:00:00.000Z",`
	said := func(id, parent, message string) string {
		return entry + `"id":"` + id + `","parentId":` + parent + `,"message":{` + message + "}}\n"
	}
	for agent, file := range map[string]string{"openclaw": clawPlace + "s1.jsonl", "pi": piPlace} {
		t.Run(agent, func(t *testing.T) {
			home := t.TempDir()
			lines := `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}` + "\n" +
				said("a", "null", `"role":"user","content":"go"`) +
				said("b", `"a"`, `"role":"assistant","provider":"p","model":"m","content":[{"type":"text","text":"went"}],"stopReason":"stop","usage":{"input":10,"output":2,"cacheRead":0,"cacheWrite":0}`) +
				said("c", `"b"`, `"role":"bashExecution","command":"lighthouse","output":"dark","exitCode":0,"excludeFromContext":true`)
			input := int64(10)
			if agent == "openclaw" {
				lines += said("d", `"c"`, `"role":"user","content":"lighthouse","excludeFromContext":true`) +
					said("e", `"d"`, `"role":"assistant","model":"n","content":[{"type":"text","text":"lighthouse"}],"stopReason":"stop","usage":{"input":5,"output":1,"cacheRead":0,"cacheWrite":0},"excludeFromContext":true`) +
					said("f", `"e"`, `"role":"assistant","provider":"openclaw","model":"delivery-mirror","content":[{"type":"text","text":"lighthouse"}]`)
				input += 5
			}
			sourcetest.Write(t, home, file, lines)
			b := abroad(t, home)
			id := agent + ":s1"
			c, err := b.Context(id, ContextOptions{})
			newsMust(t, err)
			if len(c.Messages) != 2 || len(c.Repairs) != 0 {
				t.Errorf("%+v", c)
			}
			wants := strings.Count(lines, "lighthouse")
			newsMust(t, b.Scan(t.Context(), false, nil))
			found, err := b.Search(t.Context(), SearchOptions{Text: "lighthouse in:dropped", Count: true})
			newsMust(t, err)
			if len(found.Hits) != 1 || found.Hits[0].Count != wants {
				t.Errorf("%+v", found)
			}
			s, err := b.Statistics(t.Context(), StatisticsOptions{})
			newsMust(t, err)
			if got := s.Totals; got.Input == nil || *got.Input != input || got.Prompts != 1 || len(s.Models) > 2 {
				t.Errorf("%+v, %+v", got, s.Models)
			}
			if prompts := promptsOf(t, b, id, PromptOptions{}); prompts.Total != 1 {
				t.Errorf("%+v", prompts)
			}
			copied, err := b.Import(t.Context(), id)
			newsMust(t, err)
			if turns, err := b.Turns(copied.ID); err != nil || turns.CanRetry {
				t.Errorf("%+v, %v: the model has answered all that it was told", turns, err)
			}
			var doc bytes.Buffer
			_, err = b.Export(t.Context(), id, ExportOptions{Format: "markdown"}, &doc)
			newsMust(t, err)
			if strings.Count(doc.String(), "for a person only") != wants || strings.Count(doc.String(), "lighthouse") != wants {
				t.Error(doc.String())
			}
		})
	}
}
