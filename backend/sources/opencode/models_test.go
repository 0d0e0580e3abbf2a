package opencode

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestTheModelThatAnsweredLast: what a list tells of the model without a reading is what a reading would tell, or nothing.
func TestTheModelThatAnsweredLast(t *testing.T) {
	by := func(n int, model string) []string {
		one := answered(n, "say")
		one[0] = strings.Replace(one[0], `"modelID":"m"`, `"modelID":"`+model+`"`, 1)
		return one
	}
	first := by(2, "first")
	metadata := by(2, "")
	metadata[0] = strings.Replace(metadata[0], `"modelID":""`, `"metadata":{"assistant":{"modelID":"inner"}}`, 1)
	summary := by(4, "other")
	summary[0] = strings.Replace(summary[0], `"role"`, `"summary":true,"role"`, 1)
	waits := asked(3, "ask")
	waits[0] = strings.Replace(waits[0], `"role"`, `"model":{"modelID":"asked"},"role"`, 1)
	long := [][]string{asked(1, "ask"), first, asked(3, "ask"), by(4, "second"), asked(5, "ask"), by(6, "third")}
	for name, c := range map[string]struct {
		messages            [][]string
		inFiles, inDatabase string
	}{
		"one":                        {[][]string{asked(1, "ask"), first}, "first", "first"},
		"two":                        {[][]string{asked(1, "ask"), first, asked(3, "ask"), by(4, "second")}, "second", "second"},
		"a summary is no answer":     {[][]string{asked(1, "ask"), first, asked(3, "ask"), summary}, "first", "first"},
		"asked and not answered":     {[][]string{waits}, "asked", "asked"},
		"asked of another":           {[][]string{asked(1, "ask"), first, waits}, "first", "first"},
		"of the first versions":      {[][]string{asked(1, "ask"), metadata}, "inner", "inner"},
		"more than the beginning is": {long, "third", ""},
	} {
		homes := map[string]string{"files": chat(c.messages...).home(t, conversation.newer), "database": t.TempDir(), "with indexes": t.TempDir()}
		database(t, homes["database"], "opencode.db", chat(c.messages...))
		change(t, database(t, homes["with indexes"], "opencode.db", chat(c.messages...)), "CREATE INDEX m ON message(session_id, time_created, id)", "CREATE INDEX p ON part(message_id, id)")
		for place, home := range homes {
			want := c.inDatabase
			if place == "files" {
				want = c.inFiles
			}
			if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))); f.Model != want || f.FirstMessage != "ask" {
				t.Errorf("%s, %s: %q, not %q; %q", name, place, f.Model, want, f.FirstMessage)
			}
		}
	}
}
