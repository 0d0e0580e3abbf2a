package claudecode

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func byID(t *testing.T, env sources.Env) map[string]sources.Found {
	t.Helper()
	all := map[string]sources.Found{}
	for _, f := range sourcetest.Find(t, Source{}, env) {
		all[f.ID] = f
	}
	return all
}

func TestFind(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, rows(`{"type":"ai-title","aiTitle":"made"}`, `{"type":"custom-title","customTitle":"first"}`,
		`1 - "isMeta":true,`+user("meta"), "2 1 "+user("<command-name>/x</command-name>"), "3 2 "+user(`do\nit`), "4 3 "+said("m", text("A"), 1), `{"type":"custom-title","customTitle":"last"}`))
	f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if f.ID != id || f.Title != "last" || f.FirstMessage != `do\nit` || f.Model != "claude-x" || f.Cwd != "/w" || f.Version != "2.1" || f.Parent != "" {
		t.Errorf("%+v", f)
	}
	if f.CreatedAt.Second() != 2 || f.UpdatedAt.Second() != 5 {
		t.Errorf("%v to %v", f.CreatedAt, f.UpdatedAt)
	}
}

// TestLastIsAMessage: a list tells when something was said last. That is no compaction, nor what Claude Code puts in behind one.
func TestLastIsAMessage(t *testing.T) {
	spoken := []string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1)}
	summed := []string{"b - " + boundary(`,"logicalParentUuid":"2"`), "3 b " + summed}
	for name, c := range map[string]struct {
		last int
		more []string
	}{
		"a compaction": {1, summed},
		"what was typed for it": {1, append(slices.Clone(summed), `4 3 "isMeta":true,`+user("caveat"), "5 4 "+user("<command-name>/compact</command-name>"),
			"6 5 "+user("<local-command-stdout>Compacted</local-command-stdout>"), `7 6 "type":"attachment","attachment":{"type":"text","content":"x"}`)},
		"an interruption": {1, []string{"3 2 " + user("[Request interrupted by user]")}},
		"a result":        {2, append([]string{"3 2 " + done("c", "out")}, summed...)},
		"a prompt since":  {4, append(slices.Clone(summed), "4 3 "+user("two"), `5 4 "type":"system","subtype":"turn_duration"`)},
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, rows(append(slices.Clone(spoken), c.more...)...))
		if at := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)).UpdatedAt; at.Second() != c.last {
			t.Errorf("%s: %v", name, at)
		}
	}
}

// TestSubagents: they are found in all layouts, those that only warmed up are not, nor are files in which nothing was said.
func TestSubagents(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	dir := ".claude/projects/-w/"
	sourcetest.Write(t, env.Home, place, rows("1 - "+user("one"), `a - "isSidechain":true,`+user("inline")))
	sourcetest.Write(t, env.Home, dir+"agent-1234567.jsonl", rows(`1 - "isSidechain":true,`+user("sibling")))
	sourcetest.Write(t, env.Home, dir+"agent-7654321.jsonl", rows(`1 - "isSidechain":true,`+user("Warmup")))
	sourcetest.Write(t, env.Home, dir+id+"/subagents/agent-ae13af68ac0bbc4f2.jsonl", rows(`1 - "isSidechain":true,`+user("nested"), `2 1 "isSidechain":true,`+said("m", text("A"), 1)))
	sourcetest.Write(t, env.Home, dir+id+"/subagents/agent-ae13af68ac0bbc4f2.meta.json", `{"description":"list files"}`)
	sourcetest.Write(t, env.Home, dir+"empty.jsonl", "")
	sourcetest.Write(t, env.Home, dir+"bookkeeping.jsonl", `{"type":"mode","mode":"normal"}`+"\n")
	found := byID(t, env)
	if len(found) != 4 {
		t.Errorf("%d: %+v", len(found), found)
	}
	for name, first := range map[string]string{"agent-1234567": "sibling", "agent-ae13af68ac0bbc4f2": "nested", "side-a": "inline"} {
		f := found[id+"."+name]
		if f.FirstMessage != first || f.Relation != sources.Subagent || f.Parent != id {
			t.Errorf("%s: %+v", name, f)
		}
		if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || r.View(t)[0] != "user: "+first {
			t.Errorf("%s: %v %q", name, r.Err, r.View(t))
		}
	}
	if f := found[id+".agent-ae13af68ac0bbc4f2"]; f.Title != "list files" {
		t.Errorf("%+v", f)
	}
}

// TestNestedSubagents: one that a subagent started stands below it; where no note says which call began it, below the session.
func TestNestedSubagents(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	dir := ".claude/projects/-w/" + id + "/subagents/"
	sourcetest.Write(t, env.Home, place, rows("1 - "+user("one"), "2 1 "+said("m", call("outer"), 1)))
	for name, note := range map[string]string{
		"agent-a1": `{"toolUseId":"outer","spawnDepth":1}`, "agent-a2": "{\n  \"description\": \"inner\",\n  \"toolUseId\": \"inner\",\n  \"spawnDepth\": 2\n}",
		"agent-a3": `{"toolUseId":"nobody's","spawnDepth":2}`, "agent-a4": `not JSON`, "agent-a5": `{"toolUseId":"other","spawnDepth":1}`,
	} {
		lines := []string{"1 - " + user(name)}
		if name == "agent-a1" {
			lines = append(lines, "2 1 "+said("m", text(strings.Repeat("x", 3<<20)), 1), "3 2 "+said("n", call("inner"), 1))
		}
		sourcetest.Write(t, env.Home, dir+name+".jsonl", rows(lines...))
		sourcetest.Write(t, env.Home, dir+name+".meta.json", note)
	}
	found := byID(t, env)
	for name, parent := range map[string]string{"agent-a1": id, "agent-a2": id + ".agent-a1", "agent-a3": id, "agent-a4": id, "agent-a5": id} {
		if f := found[id+"."+name]; f.Parent != parent || f.Relation != sources.Subagent {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := found[id+".agent-a2"]; f.Title != "inner" || f.Call != "inner" {
		t.Errorf("%+v", f)
	}
}

// TestNoteComesLater: what the note beside a subagent's file says is told once it is there, though the file stays as it was.
func TestNoteComesLater(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "found"), "1")
	dir := ".claude/projects/-w/" + id + "/subagents/"
	sourcetest.Write(t, env.Home, dir+"agent-a1.jsonl", rows("1 - "+user("one")))
	for range 2 { // the second time it is remembered
		if f := byID(t, env)[id+".agent-a1"]; f.Title != "" || f.FirstMessage != "one" {
			t.Errorf("%+v", f)
		}
	}
	sourcetest.Write(t, env.Home, dir+"agent-a1.meta.json", `{"description":"look around","toolUseId":"call"}`)
	if f := byID(t, env)[id+".agent-a1"]; f.Title != "look around" || f.Call != "call" {
		t.Errorf("%+v", f)
	}
}

// TestANoteWrittenAnew: a subagent is called as the note beside its file says now, and what a session spilled makes it another one to read, with
// none of its subagents.
func TestANoteWrittenAnew(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "")
	folder := ".claude/projects/-w/" + id + "/"
	sourcetest.Write(t, env.Home, place, rows("1 - "+user("one")))
	sourcetest.Write(t, env.Home, folder+"subagents/agent-a1.jsonl", rows("1 - "+user("one")))
	for _, name := range []string{"look around", "look elsewhere", "look again"} {
		sourcetest.Write(t, env.Home, folder+"subagents/agent-a1.meta.json", `{"description":"`+name+`","toolUseId":"call"}`)
		for range 2 { // the second time it is remembered
			if f := byID(t, env)[id+".agent-a1"]; f.Title != name || f.Call != "call" {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	seen := map[string]bool{}
	for i, text := range []string{"", "whole", "whole and more"} {
		if i > 0 {
			sourcetest.Write(t, env.Home, folder+"tool-results/a.txt", text)
		}
		found := byID(t, env)
		if now := found[id].Beside; seen[now] || (now == "") != (i == 0) || found[id+".agent-a1"].Beside != "" {
			t.Errorf("%q: %q, and %q", text, now, found[id+".agent-a1"].Beside)
		}
		seen[found[id].Beside] = true
	}
}

// TestInTwoFolders: a session that went on in another folder is listed once if that has all of it, and twice if both have something.
func TestInTwoFolders(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	begun := []string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1)}
	sourcetest.Write(t, env.Home, place, rows(begun...))
	sourcetest.Write(t, env.Home, ".claude/projects/-x/"+id+".jsonl", rows(append(begun, "3 2 "+user("two"))...))
	found := byID(t, env)
	if r := sourcetest.Read(t, Source{}, env, found[id]); len(found) != 1 || len(r.View(t)) != 3 {
		t.Errorf("%+v", found)
	}
	sourcetest.Write(t, env.Home, place, rows(append(begun, "4 2 "+user("three"), "5 4 "+user("four"))...))
	found = byID(t, env)
	for name, want := range map[string]int{id: 4, id + "@-x": 3} {
		if r := sourcetest.Read(t, Source{}, env, found[name]); len(found) != 2 || r.Err != nil || len(r.View(t)) != want {
			t.Errorf("%s: %v %+v", name, r.Err, found)
		}
	}
}

// TestAncestry: older versions went on in a new file, and named the older session in it; newer ones say what a fork is of.
func TestAncestry(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	dir := ".claude/projects/-w/"
	sourcetest.Write(t, env.Home, place, rows("1 - "+user("one"), "2 1 "+said("m", text("A"), 1)))
	sourcetest.Write(t, env.Home, dir+"next.jsonl", rows(`{"type":"summary","summary":"Named later","leafUuid":"2"}`, "1 - "+user("one"), `3 1 "sessionId":"next",`+user("two")))
	sourcetest.Write(t, env.Home, dir+"fork.jsonl", rows(`1 - "sessionId":"fork","forkedFrom":{"sessionId":"`+id+`"},`+user("one")))
	found := byID(t, env)
	if found[id].Title != "Named later" {
		t.Errorf("%+v", found[id])
	}
	if f := found["next"]; f.Parent != id || f.Relation != sources.Continuation {
		t.Errorf("%+v", f)
	}
	if f := found["fork"]; f.Parent != id || f.Relation != sources.Fork {
		t.Errorf("%+v", f)
	}
}

// TestLongFile: of a long file the ends are read.
func TestLongFile(t *testing.T) {
	lines := []string{"0 - " + user("first")}
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("%d %d ", i+1, i)+user(strings.Repeat("x", 8<<10)))
	}
	lines = append(lines, `{"type":"custom-title","customTitle":"late"}`, "z 60 "+said("m", text("A"), 1))
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, rows(lines...))
	f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if f.FirstMessage != "first" || f.Title != "late" || f.Model != "claude-x" || f.Messages != nil {
		t.Errorf("%+v", f)
	}
	if got := sourcetest.Read(t, Source{}, env, f).View(t); len(got) != 62 {
		t.Errorf("%d messages", len(got))
	}
}

func TestPlaces(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	if r := (Source{}).Retention(env)[0]; *r.Days != 30 || r.From != sources.RetentionDefault {
		t.Error(r)
	}
	sourcetest.Write(t, env.Home, ".claude/settings.json", `{"cleanupPeriodDays":90}`)
	if r := (Source{}).Retention(env)[0]; *r.Days != 90 || r.From != sources.RetentionSettings || !strings.HasSuffix(r.File, "settings.json") {
		t.Error(r)
	}
	env.Getenv = func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(env.Home, "b") + ", ~/c"}[name]
	}
	roots := Source{}.Roots(env)
	if len(roots) != 2 || !strings.HasPrefix(roots[1], env.Home) || !strings.HasSuffix(roots[0], "projects") {
		t.Error(roots)
	}
}

func TestReadAnother(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	path := sourcetest.Write(t, env.Home, place, rows("1 - "+user("one")))
	if r := sourcetest.Read(t, Source{}, env, sources.Found{ID: "other", Files: []string{path}}); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
	if r := sourcetest.Read(t, Source{}, env, sources.Found{ID: "x", Files: []string{path + ".gone"}}); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
}

// sampler has a row of each kind.
func sampler() string {
	return rows(`{"type":"summary","summary":"T","leafUuid":"2"}`, "1 - "+user("one"), "2 1 "+said("m", call("c"), 1), "3 2 "+said("m", call("d"), 2), `a - "isSidechain":true,`+user("aside"),
		"4 2 "+done("c", "out"), "5 3 "+done("d", `<persisted-output>\nsaved to: /x/a.txt`), `6 5 "type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"compactedToolIds":["c"]}`,
		"7 - "+boundary(`,"logicalParentUuid":"6","compactMetadata":{"preservedSegment":{"headUuid":"4"}}`), "8 7 "+summed, `9 8 "type":"attachment","attachment":{"type":"date"},"rendered":[{"content":"D"}]`,
		"b 9 "+user("two"), "c 9 "+user("three"), "d x "+said("n", text("A"), 1), `{"type":"mystery"}`, "e d "+summed)
}

func TestSurvives(t *testing.T) {
	home := t.TempDir()
	sourcetest.Write(t, home, place, sampler())
	sourcetest.Write(t, home, ".claude/projects/-w/"+id+"/tool-results/a.txt", "whole")
	sourcetest.Survives(t, Source{}, home)
}

// TestCut: what stands before the last line is read, wherever that one was cut off.
func TestCut(t *testing.T) {
	whole := rows("1 - "+user("one"), "2 1 "+user("two"))
	last := strings.LastIndex(strings.TrimSuffix(whole, "\n"), "\n") + 1
	for cut := last; cut < len(whole)-1; cut++ {
		if r := read(t, whole[:cut]); r.Damaged != 0 || !slices.Equal(r.View(t), []string{"user: one"}) {
			t.Fatalf("cut at %d: %d damaged, %q", cut, r.Damaged, r.View(t))
		}
	}
}

func FuzzRead(f *testing.F) {
	sourcetest.Fuzz(f, Source{}, place, sampler(), rows("1 - "+user("one")),
		rows("1 - "+user("one"), "2 1 "+said("m", asks("t", "look"), 1), "a - "+beside+user("look"), "b a "+beside+said("s", text("A"), 1), "x gone "+beside+boundary(""), "c x "+beside+user("see")))
}

func TestSamples(t *testing.T) {
	if n := sourcetest.CheckSamples(t, Source{}, "claude-", "the answer failed"); n < 3 {
		t.Errorf("only %d sessions", n)
	}
}

func TestSamplesSurvive(t *testing.T) {
	sourcetest.Survives(t, Source{}, sourcetest.Samples(t, "claude-")[0])
}

func TestCapabilities(t *testing.T) {
	sourcetest.CheckCapabilities(t, Source{}.Capabilities())
}
