package backend

import (
	"encoding/json"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestWhatAnAgentAskedIsNotTheUsers: what a sub-agent was asked is no message of the user's in statistics, in searches and in the conversation,
// and is to the model what it was.
func TestWhatAnAgentAskedIsNotTheUsers(t *testing.T) {
	for name, family := range families {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for path, text := range family.files {
				sourcetest.Write(t, home, path, text)
			}
			asked := 1
			if name == "opencode" {
				sourcetest.Write(t, home, openPlace+"message/ses_c/m9.json", `{"id":"m9","sessionID":"ses_c","role":"user","time":{"created":1767348001000}}`)
				sourcetest.Write(t, home, openPlace+"part/m9/p9.json", `{"id":"p9","messageID":"m9","sessionID":"ses_c","type":"text","text":"look"}`)
				asked = 0 // the other has nothing but an answer
			}
			b := abroad(t, home)
			scanned(t, b)
			s, err := b.Statistics(t.Context(), StatisticsOptions{})
			newsMust(t, err)
			if s.Totals.Prompts != asked {
				t.Errorf("%d are the user's", s.Totals.Prompts)
			}
			context, err := b.Context(family.child, ContextOptions{})
			newsMust(t, err)
			if len(context.Messages) != 1 || context.Messages[0].Role != "user" {
				t.Errorf("%+v", context.Messages)
			}
			newsMust(t, b.Show(t.Context(), family.child, ShowOptions{}, func(line *Shown) error {
				var rec struct {
					Role    string
					ByAgent bool
				}
				newsMust(t, json.Unmarshal(line.JSON, &rec))
				if rec.ByAgent != (rec.Role == "user") {
					t.Errorf("%s", line.JSON)
				}
				return nil
			}))
			first, err := b.Get(family.child)
			newsMust(t, err)
			if first.FirstMessage == nil {
				t.Fatal("it is called nothing")
			}
			found, err := b.SearchIn(t.Context(), family.child, SearchOptions{Text: *first.FirstMessage})
			newsMust(t, err)
			scopes := map[string]int{}
			for _, hit := range found.Hits {
				scopes[hit.Scope]++
			}
			if scopes["injected"] != 1 || scopes["user"] != 0 {
				t.Errorf("%v", scopes)
			}
		})
	}
}
