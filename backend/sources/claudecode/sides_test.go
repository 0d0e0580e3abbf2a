package claudecode

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// asks is a call that starts a subagent.
func asks(id, prompt string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"Task","input":{"description":"about ` + id + `","prompt":"` + prompt + `"}}`
}

// beside is of a row of a subagent's.
const beside = `"isSidechain":true,`

// TestSubagentsInTheFileOfTheirSession: each is a session below it, with its rows and no others, and the call that asked the same started it.
func TestSubagentsInTheFileOfTheirSession(t *testing.T) {
	one := []string{"1 - " + user("one"), "2 1 " + said("m", asks("t1", "look")+","+asks("t2", " look ")+","+asks("t3", "<ide_x> see"), 1)}
	end := []string{"3 2 " + done("t1", "did"), "5 3 " + done("t2", "no"), "6 5 " + done("t3", "so"), "4 6 " + said("n", text("end"), 1)}
	main := []string{
		"user: one", `assistant: Task{"description":"about t1","prompt":"look"} | Task{"description":"about t2","prompt":" look "} | Task{"description":"about t3","prompt":"<ide_x> see"}`,
		"toolResult: did", "toolResult: no", "toolResult: so", "assistant: end",
	}
	answers := func(parent string, n int) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprintf("o%d %s ", i, parent)+beside+said(fmt.Sprint("o", i), text("O"), 1))
		}
		return lines
	}
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
		"asked what looks like no prompt":        {[]string{"a - " + beside + user("<ide_x> see"), "b a " + beside + said("s", text("A"), 1)}, map[string]string{"a t3": "user: <ide_x> see, assistant: A"}},
		"with a row that only links":             {[]string{"p - " + beside + `"type":"progress"`, "a p " + beside + user("look")}, map[string]string{"a t1": "user: look"}},
		"below the call":                         {[]string{"a 2 " + beside + user("look"), "b a " + beside + said("s", text("A"), 1)}, map[string]string{"a t1": "user: look, assistant: A"}},
		"a row again":                            {[]string{"a - " + beside + user("look"), "b a " + beside + said("s", text("A"), 1), "a - " + beside + user("look")}, map[string]string{"a t1": "user: look, assistant: A"}},
		"compacted":                              {[]string{"a - " + beside + user("look"), "b - " + beside + boundary(`,"logicalParentUuid":"a"`), "c b " + beside + summed}, map[string]string{"a t1": summary}},
		"compacted without a word of where":      {[]string{"a - " + beside + user("look"), "b - " + beside + boundary(""), "c - " + beside + summed}, map[string]string{"a t1": summary}},
		"ones that only warmed up":               {[]string{"a - " + beside + user("Warmup"), "b a " + beside + said("s", text("A"), 1), "x - " + beside + user(" Warmup ")}, map[string]string{}},
		"nothing said":                           {[]string{"a - " + beside + `"type":"progress"`}, map[string]string{}},
		"written by hand, with spaces":           {[]string{`a - "isSidechain" :  true,` + user("look")}, map[string]string{"a t1": "user: look"}},
		"another kind of true":                   {[]string{`a - "isSidechain":"true",` + user("look"), `b a "isSidechain":1,` + said("s", text("A"), 1)}, map[string]string{"a t1": "user: look, assistant: A"}},
		"a row without an id":                    {[]string{"a - " + beside + user("look"), `{"parentUuid":"a",` + beside + said("s", text("A"), 1) + "}"}, map[string]string{"a t1": "user: look, assistant: A"}},
		"an id that can be no name":              {[]string{"../a - " + beside + user("look")}, map[string]string{"_x7132d6a6838c3be5 t1": "user: look"}},
		"an answer whose blocks are rows":        {[]string{"a - " + beside + user("look"), "b a " + beside + said("s", text("A"), 1), "c b " + beside + said("s", text("B"), 2)}, map[string]string{"a t1": "user: look, assistant: A | B"}},
		"a row below one that was never written": {[]string{"a - " + beside + user("look"), "b gone " + beside + said("s", text("A"), 1), "c b " + beside + said("r", text("B"), 1)}, map[string]string{"a t1": "user: look, assistant: A, assistant: B"}},
		"many of those":                          {append([]string{"a - " + beside + user("look")}, answers("gone", adoptedMost+1)...), map[string]string{"a t1": "user: look" + strings.Repeat(", assistant: O", adoptedMost), fmt.Sprintf("o%d ", adoptedMost): "assistant: O"}},
		"answers alone":                          {answers("gone", 2), map[string]string{"o0 ": "assistant: O, assistant: O"}},
		"a branch of its own": {
			[]string{"a - " + beside + user("look"), "b a " + beside + said("s", text("A"), 1), "c b " + beside + user("or"), "d b " + beside + user("and")},
			map[string]string{"a t1": "user: look, assistant: A, user: and"},
		},
		"a line nobody can read": {[]string{"a - " + beside + user("look"), `{"isSidechain":true,"uuid":`, "b a " + beside + said("s", text("A"), 1)}, map[string]string{"a t1": "user: look, assistant: A"}},
	} {
		t.Run(name, func(t *testing.T) {
			env := sourcetest.Env(t, t.TempDir())
			sourcetest.Write(t, env.Home, place, rows(slices.Concat(one, c.rows, end)...))
			found := sourcetest.Find(t, Source{}, env)
			if got := sourcetest.Read(t, Source{}, env, found[0]).View(t); !slices.Equal(got, main) || found[0].FirstMessage != "one" {
				t.Errorf("%q, %+v", got, found[0])
			}
			got := map[string]string{}
			for _, f := range found[1:] {
				r := sourcetest.Read(t, Source{}, env, f)
				if f.Parent != id || f.Relation != sources.Subagent || f.Call != "" && f.Title != "about "+f.Call || r.Err != nil || r.Damaged > 0 {
					t.Errorf("%+v: %v", f, r.Err)
				}
				got[strings.TrimPrefix(f.ID, id+sideMark)+" "+f.Call] = strings.Join(r.View(t), ", ")
			}
			if !maps.Equal(got, c.want) {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestAFileOfSubagentsAlone: its session is there for what it started, and is not if that did nothing.
func TestAFileOfSubagentsAlone(t *testing.T) {
	for prompt, want := range map[string]int{"look": 2, "Warmup": 0} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, rows("a - "+beside+user(prompt), "b a "+beside+said("s", text("A"), 1)))
		if found := sourcetest.Find(t, Source{}, env); len(found) != want {
			t.Errorf("%s: %+v", prompt, found)
		}
	}
}

// TestWhatASubagentIsAskedIsNobodys: it was asked by an agent, also where it was copied, with what it took, from a session that is gone.
func TestWhatASubagentIsAskedIsNobodys(t *testing.T) {
	const other = `"sessionId":"11111111-19f7-458d-8a6f-db618bf7386b",`
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, rows("1 - "+other+user("one"), "a - "+other+beside+user("look"), "b a "+other+beside+said("s", text("A"), 1), "2 1 "+user("two"), "c - "+beside+user("see"), "d c "+beside+said("r", text("B"), 1)))
	found := sourcetest.Find(t, Source{}, env)
	if len(found) != 3 {
		t.Fatalf("%+v", found)
	}
	for i, copied := range []bool{true, false} {
		asked, took := false, 0
		for _, rec := range sourcetest.Read(t, Source{}, env, found[1+i]).Records {
			if m := rec.Message; m != nil && m.Role == record.RoleUser {
				asked = m.ByAgent
			} else if m != nil && m.Usage != nil {
				took++
			}
		}
		if !asked || (took == 0) != copied {
			t.Errorf("%s: by an agent %t, usage %d", found[1+i].ID, asked, took)
		}
	}
}

// TestSubagentsInALongFile: those in the middle are known once somebody had the time to look, and what is appended at once.
func TestSubagentsInALongFile(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
	long := func(id string) string { return id + " 1 " + user(strings.Repeat("x", 100<<10)) }
	lines := []string{"1 - " + user("one"), long("2"), "a - " + beside + user("look"), long("3")}
	below := func(want ...string) {
		t.Helper()
		sourcetest.Write(t, env.Home, place, rows(lines...))
		var got []string
		for _, f := range sourcetest.Find(t, Source{}, env)[1:] {
			got = append(got, strings.Join(sourcetest.Read(t, Source{}, env, f).View(t), ", "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, not %q", got, want)
		}
	}
	catchUp := func(want bool) {
		t.Helper()
		if some, err := env.Memory.CatchUp(t.Context(), nil); some != want || err != nil {
			t.Errorf("%v, %v", some, err)
		}
	}
	below()
	catchUp(true)
	below("user: look")
	catchUp(false)
	lines = append(lines, "b - "+beside+user("more"), long("4"), "c a "+beside+said("s", text("A"), 1))
	below("user: look, assistant: A", "user: more")
	for i := range headsMost + 1 {
		lines = append(lines, fmt.Sprintf("b%d b ", i)+beside+said(fmt.Sprint("b", i), text("B"), 1))
	}
	below("user: look, assistant: A", "user: more, assistant: B")
	lines = append(lines, "d b0 "+beside+user("or"), "a - "+beside+user("look")) // below a row that is not remembered
	below("user: look, assistant: A", "user: more, assistant: B")
	catchUp(true)
	below("user: look, assistant: A", "user: more, assistant: B, user: or")
	catchUp(false)
}

// TestASubagentIsReadWhereItStands: nothing else of its file is, and what is appended for others leaves it what it is.
func TestASubagentIsReadWhereItStands(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
	lines := []string{"1 - " + user(strings.Repeat("x", 1<<20)), "a - " + beside + user("look"), "2 1 " + said("m", text("A"), 1), "b a " + beside + said("s", text("B"), 1), "3 2 " + user(strings.Repeat("x", 1<<20))}
	find := func() sources.Found {
		t.Helper()
		sourcetest.Write(t, env.Home, place, rows(lines...))
		sourcetest.Find(t, Source{}, env)
		_, err := env.Memory.CatchUp(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return sourcetest.Find(t, Source{}, env)[1]
	}
	found := find()
	var through atomic.Int64
	log := sources.LogOf(&found, &strings.Builder{}, func([]byte) (string, error) { return "", nil })
	if err := (Source{}).Read(sources.Metered(t.Context(), &through), env, found, log); err != nil || through.Load() > 4<<10 {
		t.Errorf("%d bytes, %v", through.Load(), err)
	}
	sourcetest.Write(t, env.Home, strings.TrimSuffix(place, ".jsonl")+"/tool-results/a.txt", "of its session")
	if files := (Source{}).Beside(t.Context(), env, found); len(files) > 0 {
		t.Errorf("with %q", files)
	}
	lines = append(lines, "4 3 "+user("more"), "c - "+beside+user("see"))
	if after := find(); after.Within != found.Within || !after.UpdatedAt.Equal(found.UpdatedAt) {
		t.Errorf("%+v, not %+v", after, found)
	}
	lines = append(lines, "d b "+beside+user("on"))
	after := find()
	if after.Within == found.Within {
		t.Errorf("the same: %+v", after)
	}
	sourcetest.Write(t, env.Home, place, rows(lines[:2]...)+rows("e - "+user("else"))) // it was written anew since
	if r := sourcetest.Read(t, Source{}, env, after); r.Err == nil {
		t.Errorf("%s", r.Log)
	}
}

// TestCopiedSubagents: those that a fork has copied are the first session's, whatever goes on.
func TestCopiedSubagents(t *testing.T) {
	const fork = "99999999-19f7-458d-8a6f-db618bf7386b"
	own := []string{"1 - " + user("one"), "a - " + beside + user("look"), "b a " + beside + said("s", text("A"), 1), "2 1 " + said("m", text("B"), 1)}
	under := func(name string, lines ...string) string { return strings.ReplaceAll(rows(lines...), id, name) }
	for name, c := range map[string]struct {
		first, copied string
		want          []string
	}{
		"a continuation":        {rows(own...), rows(own...) + under(fork, "3 2 "+user("two"), "c - "+beside+user("see")), []string{id + ".side-a", fork + ".side-c"}},
		"a fork without a word": {rows(append(own, "9 2 "+user("on"))...), under(fork, append(own, "3 2 "+user("two"), "c - "+beside+user("see"))...), []string{id + ".side-a", fork + ".side-c"}},
		"that went on":          {rows(own...), rows(own...) + under(fork, "3 2 "+user("two"), "c b "+beside+user("see")), []string{id + ".side-a", fork + ".side-a"}},
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, c.first)
		sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, fork), c.copied)
		got := func() (ids []string) {
			for _, f := range sourcetest.Find(t, Source{}, env) {
				if f.Relation == sources.Subagent {
					ids = append(ids, f.ID)
				}
			}
			slices.Sort(ids)
			return ids
		}
		if ids := got(); !slices.Equal(ids, c.want) {
			t.Errorf("%s: %q", name, ids)
		}
		if err := os.Remove(filepath.Join(env.Home, filepath.FromSlash(place))); err != nil {
			t.Fatal(err)
		}
		if ids := got(); !slices.Contains(ids, fork+".side-a") {
			t.Errorf("%s, where the first is gone: %q", name, ids)
		}
	}
}
