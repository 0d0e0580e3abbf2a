package crabtalk

import (
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestLongFirstPrompt: a first prompt that is longer than what a list reads is the first message all the same, in each form.
func TestLongFirstPrompt(t *testing.T) {
	first := `{"role":"user","content":"begin ` + strings.Repeat("x ", 150<<10) + `"}`
	const second = `{"role":"user","content":"second"}`
	for form, files := range map[string]map[string]string{
		"file":   {dir + "crab_user_1.jsonl": talk[0] + "\n" + first + "\n" + second + "\n"},
		"steps":  {dir + "crab_user_1/meta": talk[0], dir + "crab_user_1/step-000001": first, dir + "crab_user_1/step-000002": second},
		"store":  {".crabtalk/store.crmem": storeOf(nil, [][2]string{{"session/a/meta", talk[0]}, {"session/a/msg/000000000000", first}, {"session/a/msg/000000000001", second}})},
		"folder": {dir + "h/meta.json": talk[0], dir + "h/messages.jsonl": talk[3] + "\n" + first + "\n" + second + "\n"},
		"tables": nil,
	} {
		home := sourcetest.Home(t, files)
		if files == nil {
			database(t, filepath.Join(home, ".crabtalk/a.db"), sessionsTable, messagesTables, row(h1, "My title", "NULL"),
				"INSERT INTO session_messages VALUES ('"+h1+"', 0, "+quoted(first)+"), ('"+h1+"', 1, "+quoted(second)+")")
		}
		f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home)))
		if !strings.HasPrefix(f.FirstMessage, "begin x") || f.Title != "My title" || f.Problem != "" {
			t.Errorf("%s: %.20q, %q, %q", form, f.FirstMessage, f.Title, f.Problem)
		}
	}
}
