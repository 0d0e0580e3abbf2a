package claudecode

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// asks is a call that starts a subagent.
func asks(id, prompt string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"Task","input":{"description":"about ` + id + `","prompt":"` + prompt + `"}}`
}

// beside is a row of a subagent.
const beside = `"isSidechain":true,`

// TestSubagentsInTheFileOfTheirSession: each is a session below it, with its rows and no others, and the call that asked the same started it.
func TestSubagentsInTheFileOfTheirSession(t *testing.T) {
	one := []string{"1 - " + user("one"), "2 1 " + said("m", asks("t1", "look")+","+asks("t2", "look"), 1)}
	end := []string{"3 2 " + done("t1", "did"), "4 3 " + said("n", text("end"), 1)}
	main := []string{"user: one", `assistant: Task{"description":"about t1","prompt":"look"} | Task{"description":"about t2","prompt":"look"}`, "toolResult: did", "toolResult: no", "assistant: end"}
	for name, c := range map[string]struct {
		rows []string
		want map[string]string // what was said, by the first row and the call
	}{
		"none": {nil, map[string]string{}},
		"two side by side, asked the same": {
			[]string{"a - " + beside + user("look"), "x - " + beside + user("look"), "b a " + beside + said("s", text("A"), 1), "y x " + beside + said("r", text("X"), 1)},
			map[string]string{"a t1": "user: look, assistant: A", "x t2": "user: look, assistant: X"},
		},
		"one that no call asked":                 {[]string{"a - " + beside + user("see")}, map[string]string{"a ": "user: see"}},
		"one more than there are calls":          {[]string{"a - " + beside + user("look"), "b - " + beside + user("look"), "c - " + beside + user("look")}, map[string]string{"a t1": "user: look", "b t2": "user: look", "c ": "user: look"}},
		"with a row that only links":             {[]string{"p - " + beside + `"type":"progress"`, "a p " + beside + user("look")}, map[string]string{"p t1": "user: look"}},
		"below the call":                         {[]string{"a 2 " + beside + user("look"), "b a " + beside + said("s", text("A"), 1)}, map[string]string{"a t1": "user: look, assistant: A"}},
		"a row again":                            {[]string{"a - " + beside + user("look"), "b a " + beside + said("s", text("A"), 1), "a - " + beside + user("look")}, map[string]string{"a t1": "user: look, assistant: A"}},
		"compacted":                              {[]string{"a - " + beside + user("look"), "b - " + beside + boundary(`,"logicalParentUuid":"a"`), "c b " + beside + summed}, map[string]string{"a t1": summary}},
		"one that only warmed up":                {[]string{"a - " + beside + user("Warmup")}, map[string]string{}},
		"nothing said":                           {[]string{"a - " + beside + `"type":"progress"`}, map[string]string{}},
		"written by hand, with spaces":           {[]string{`a - "isSidechain": true,` + user("look")}, map[string]string{"a t1": "user: look"}},
		"an answer whose blocks are rows":        {[]string{"a - " + beside + user("look"), "b a " + beside + said("s", text("A"), 1), "c b " + beside + said("s", text("B"), 2)}, map[string]string{"a t1": "user: look, assistant: A | B"}},
		"a row below one that was never written": {[]string{"a - " + beside + user("look"), "b gone " + beside + said("s", text("A"), 1)}, map[string]string{"a t1": "user: look, assistant: A"}},
	} {
		t.Run(name, func(t *testing.T) {
			env := sourcetest.Env(t, t.TempDir())
			sourcetest.Write(t, env.Home, place, rows(slices.Concat(one, c.rows, end[:1], []string{"5 3 " + done("t2", "no")}, end[1:])...))
			found := sourcetest.Find(t, Source{}, env)
			if got := sourcetest.Read(t, Source{}, env, found[0]).View(t); !slices.Equal(got, main) {
				t.Errorf("%q", got)
			}
			got := map[string]string{}
			for _, f := range found[1:] {
				r := sourcetest.Read(t, Source{}, env, f)
				if f.Parent != id || f.Relation != sources.Subagent || f.Call != "" && f.Title != "about "+f.Call || r.Err != nil {
					t.Errorf("%+v: %v", f, r.Err)
				}
				got[strings.TrimPrefix(f.ID, id+sideMark)+" "+f.Call] = strings.Join(r.View(t), ", ")
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestSubagentsInALongFile: those in the middle are known once somebody had the time to look, and as they were until somebody looks again.
func TestSubagentsInALongFile(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
	long := func(id string) string { return id + " 1 " + user(strings.Repeat("x", 100<<10)) }
	lines := []string{"1 - " + user("one"), long("2"), "a - " + beside + user("look"), long("3")}
	below := func(n int) {
		t.Helper()
		if found := sourcetest.Find(t, Source{}, env); len(found) != 1+n {
			t.Errorf("%d, not %d below it", len(found)-1, n)
		}
	}
	catchUp := func() {
		t.Helper()
		if some, err := env.Memory.CatchUp(t.Context(), nil); !some || err != nil {
			t.Errorf("%v, %v", some, err)
		}
	}
	sourcetest.Write(t, env.Home, place, rows(lines...))
	below(0)
	catchUp() // whether there are some
	below(0)
	catchUp() // and which
	below(1)
	sourcetest.Write(t, env.Home, place, rows(append(lines, "b - "+beside+user("more"), long("4"))...))
	below(1)
	catchUp()
	below(2)
}

// TestSubagentsGoOn: what is appended of a subagent is read on from, and so is what is appended of the others meanwhile.
func TestSubagentsGoOn(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{place: rows("1 - "+user("one"), "a - "+beside+user("look"), "b a "+beside+said("s", text("A"), 1), "2 1 "+said("m", text("B"), 1),
		"x - "+beside+user("see"), "c b "+beside+said("r", text("C"), 1), "y x "+beside+said("q", text("D"), 1), "3 2 "+user("two"))})
	env := sourcetest.Env(t, home)
	found := sourcetest.Find(t, Source{}, env)
	if len(found) != 3 {
		t.Fatalf("%+v", found)
	}
	for _, f := range found {
		text, err := os.ReadFile(f.Files[0])
		if err != nil {
			t.Fatal(err)
		}
		cut, went := 0, 0
		for line := range bytes.Lines(text) {
			cut += len(line)
			went += sourcetest.KeptPieces(t, Source{}, env, f, []int{cut - 1, cut, len(text)})
		}
		if went < len(found) {
			t.Errorf("%s: gone on from %d times", f.ID, went)
		}
	}
}
