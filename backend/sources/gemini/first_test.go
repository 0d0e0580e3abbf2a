package gemini

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestLongFirstPrompt: a first prompt that is longer than what a list reads is the first message all the same, and its file is not damaged.
func TestLongFirstPrompt(t *testing.T) {
	for _, length := range []int{300 << 10, 17 << 20} {
		first := user("u1", "begin "+strings.Repeat("x ", length/2))
		for form, files := range map[string]map[string]string{
			"lines":  {chats + "session-1-s1.jsonl": file(set(start), first, model("g1", "yes"), user("u2", "second"))},
			"object": {chats + "session-1-s1.json": `{"sessionId":"s1","messages":[` + first + `,` + model("g1", "yes") + `,` + user("u2", "second") + `]}`},
		} {
			f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, sourcetest.Home(t, files))))
			if !strings.HasPrefix(f.FirstMessage, "begin x") || f.Problem != "" || f.ID != "s1" {
				t.Errorf("%d %s: %s %.20q, %q", length, form, f.ID, f.FirstMessage, f.Problem)
			}
		}
	}
}
