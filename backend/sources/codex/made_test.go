package codex

import (
	"strings"
	"testing"
)

// TestWhatTheServerDid: what was looked for on the web is a part of the answer, and a picture says what it was to show: both are words
// that a search finds.
func TestWhatTheServerDid(t *testing.T) {
	for name, c := range map[string]struct {
		item, told, holds string
	}{
		"a search": {
			`{"type":"web_search_call","id":"ws","status":"completed","action":{"type":"search","query":"heron"}}`,
			"2 message assistant: [as it is] A\n", `{"type":"search","query":"heron"}`,
		},
		"a picture": {
			`{"type":"image_generation_call","id":"ig","status":"completed","revised_prompt":"a grey heron","result":"iVBORw0KGgo="}`,
			"2 note codex.image_generation_call: a grey heron [image]\n3 message assistant: A\n", "a grey heron",
		},
		"a picture of nothing that is told": {
			`{"type":"image_generation_call","id":"ig","status":"completed","result":"iVBORw0KGgo="}`,
			"2 note codex.image_generation_call: [image]\n3 message assistant: A\n", "image/png",
		},
	} {
		r := read(t, envelope(0, item(user("one")), item(c.item), item(says("A"))))
		if want := "1 message user: one\n" + c.told; r.Story() != want {
			t.Errorf("%s: %s, not %s", name, r.Story(), want)
		}
		if !strings.Contains(string(r.Log), c.holds) {
			t.Errorf("%s: %s is not in %s", name, c.holds, r.Log)
		}
	}
}
