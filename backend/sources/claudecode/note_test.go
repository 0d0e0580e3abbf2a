package claudecode

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestLongNote: the note beside a subagent's file counts however much the subagent was asked.
func TestLongNote(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	const folder = ".claude/projects/-w/" + id + "/subagents/"
	sourcetest.Write(t, env.Home, folder+"agent-a1.jsonl", rows("1 - "+user("go"), "2 1 "+said("m", `{"type":"text","text":"done"}`, 1)))
	sourcetest.Write(t, env.Home, folder+"agent-a1.meta.json", `{"prompt":"`+strings.Repeat("look ", 50_000)+`","toolUseId":"call"}`)
	if found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); found.Call != "call" {
		t.Errorf("%+v", found)
	}
}
