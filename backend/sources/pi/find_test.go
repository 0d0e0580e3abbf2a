package pi

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func TestFind(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, tree(
		"1 - "+user("# AGENTS.md instructions for /w"), "2 1 "+user("<tag>x</tag>"), "3 2 "+user(`what\n  now?`), "4 3 "+said("x"),
		`5 4 "type":"session_info","name":"A"`, `6 5 "type":"session_info","name":" B "`, "7 6 "+compacted("S", "1", "")))
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if found.FirstMessage != "what now?" || found.Title != "B" || found.Model != "m" || found.Cwd != "/w" || *found.Messages != 4 || *found.Compactions != 1 {
		t.Errorf("%+v", found)
	}
	if found.UpdatedAt.Second() != 3 || found.CreatedAt.IsZero() {
		t.Errorf("%v to %v", found.CreatedAt, found.UpdatedAt)
	}
}

// TestFindLongFile: of a long file only the ends are read.
func TestFindLongFile(t *testing.T) {
	lines := []string{"1 - " + user("first")}
	for range 40 {
		lines = append(lines, "2 1 "+user(strings.Repeat("x", 8<<10)))
	}
	lines = append(lines, `3 2 "type":"session_info","name":"late"`, "4 3 "+said("x"))
	found, _ := read(t, tree(lines...))
	if found.Title != "late" || found.Messages != nil || found.FirstMessage != "first" || found.Model != "m" {
		t.Errorf("%+v", found)
	}
	lines = slices.Insert(lines, 1, `0 1 "type":"session_info","name":"early"`)
	lines[len(lines)-2] = `3 2 "type":"session_info","name":""`
	if found, _ = read(t, tree(lines...)); found.Title != "" {
		t.Errorf("a name that was taken away is there: %+v", found)
	}
}

// TestFindStrangers: what is no session is passed over, and what can't be read is told.
func TestFindStrangers(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	root := filepath.Join(env.Home, ".pi", "agent", "sessions")
	sourcetest.Write(t, root, "a/1_x.jsonl", "{\"type\":\"other\"}\n")
	sourcetest.Write(t, root, "a/2_y.jsonl", "")
	sourcetest.Write(t, root, "a/3_z.jsonl", "garbage\n"+head)
	sourcetest.Write(t, root, "a/4_h.jsonl", `{"kind":"header","v":4,"id":"h4"}`+"\n")
	stray := sourcetest.Write(t, env.Home, ".pi/agent/1_s2.jsonl", strings.Replace(head, "s1", "s2", 1))
	if err := os.Symlink(stray, filepath.Join(root, "a", "5_link.jsonl")); err != nil {
		t.Skip(err)
	}
	var ids []string
	for _, f := range sourcetest.Find(t, Source{}, env) {
		ids = append(ids, f.ID)
		if (f.Problem != "") != (f.ID == "y") {
			t.Errorf("%+v", f)
		}
	}
	if slices.Sort(ids); !slices.Equal(ids, []string{"h4", "s1", "s2", "y"}) {
		t.Error(ids)
	}
}

// TestDamagedHeader: the name of a file says whose it is, if its first line does not.
func TestDamagedHeader(t *testing.T) {
	for _, first := range []string{`{"type":"session","version":3,"id":"s1","time`, ""} {
		env := sourcetest.Env(t, t.TempDir())
		_, rest, _ := strings.Cut(tree("1 - "+user("one"), "2 1 "+said("A"), "3 1 "+user("two")), "\n")
		sourcetest.Write(t, env.Home, place, first+"\n"+rest)
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		r := sourcetest.Read(t, Source{}, env, found)
		if got := r.View(t); found.ID != "s1" || found.FirstMessage != "one" || r.Err != nil || !slices.Equal(got, []string{"user: one", "user: two"}) {
			t.Errorf("%+v %v %q", found, r.Err, got)
		}
	}
}

// TestNoHeader: what has no header is listed by the name of its file, whatever that is, with what can be read; that the header is not there
// is said as damage is.
func TestNoHeader(t *testing.T) {
	_, rest, _ := strings.Cut(tree("1 - "+user("one"), "2 1 "+said("A"), "3 1 "+user("two")), "\n")
	four := `{"kind":"entry","lane":"main","entry":{"id":"1","parentId":null,"timestamp":"2026-01-02T10:00:00.000Z",` + user("one") + `}}` + "\n" +
		`{"kind":"entry","lane":"main","entry":{"id":"2","parentId":"1","timestamp":"2026-01-02T10:00:00.000Z",` + user("two") + `}}` + "\n"
	broken := `{"type":"session","version":3,"id":"s1","time` + "\n"
	for name, c := range map[string]struct{ file, text, id string }{
		"its own name":             {"2026-01-02T10-00-00-000Z_s1", rest, "s1"},
		"another name":             {"my notes", rest, "my notes"},
		"another name, damaged":    {"my notes", broken + rest, "my notes"},
		"format 4":                 {"2026-01-02T10-00-00-000Z_s1", four, "s1"},
		"format 4 by another name": {"mine", four, "mine"},
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, ".pi/agent/sessions/--w--/"+c.file+".jsonl", c.text)
		sourcetest.Write(t, env.Home, ".pi/agent/sessions/--w--/log.jsonl", `{"type":"message","text":"not of pi"}`+"\n"+`{"kind":"entry","text":"nor this"}`+"\n")
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		r := sourcetest.Read(t, Source{}, env, found)
		if got := r.View(t); found.ID != c.id || found.FirstMessage != "one" || r.Err != nil || r.Damaged != 1 || !slices.Equal(got[len(got)-1:], []string{"user: two"}) {
			t.Errorf("%s: %+v %v %d %q", name, found, r.Err, r.Damaged, got)
		}
		if said := strings.Contains(string(r.Log), string(record.LeftOut("the first line of the file, which says whose session it is, is not there"))); said == strings.HasPrefix(c.text, broken) {
			t.Errorf("%s: %s", name, r.Log)
		}
	}
}

// TestSameID: of two files with one id both are there, unless one is an older copy of the other.
func TestSameID(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	older := tree("1 - "+user("one"), "2 1 "+said("A"))
	sourcetest.Write(t, env.Home, place, older)
	copied := strings.Replace(place, "--w--", "--x--", 1)
	sourcetest.Write(t, env.Home, copied, tree("1 - "+user("one"), "2 1 "+said("A"), "3 2 "+user("two")))
	if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.ID != "s1" || *f.Messages != 3 {
		t.Errorf("%+v", f)
	}
	sourcetest.Write(t, env.Home, copied, tree("1 - "+user("three")))
	for _, f := range sourcetest.Find(t, Source{}, env) {
		want := map[string]int{"s1": 2, "s1@--x--": 1}[f.ID]
		if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || len(r.View(t)) != want || want == 0 {
			t.Errorf("%+v: %v", f, r.Err)
		}
	}
}

// TestSameIDs: of several copies in one folder that went on, each is there.
func TestSameIDs(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, tree("1 - "+user("one"), "2 1 "+said("A")))
	for _, name := range []string{"b/x", "c/b/x", "b/2026-01-01T10-00-00-000Z_s1", "b/2026-01-02T10-00-00-000Z_s1"} {
		sourcetest.Write(t, env.Home, ".pi/agent/sessions/"+name+".jsonl", tree("1 - "+user("in "+name)))
	}
	seen := map[string]bool{}
	for _, f := range sourcetest.Find(t, Source{}, env) {
		r := sourcetest.Read(t, Source{}, env, f)
		if r.Err != nil {
			t.Errorf("%s: %v", f.ID, r.Err)
		}
		seen[strings.Join(r.View(t), " ")] = true
	}
	if len(seen) != 5 {
		t.Errorf("%d of 5: %v", len(seen), seen)
	}
}

func TestRoots(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, "agent/settings.json", `{"sessionDir":"~/mine"}`)
	env.Getenv = func(name string) string {
		return map[string]string{"PI_CODING_AGENT_DIR": "~/agent", "PI_CODING_AGENT_SESSION_DIR": "relative"}[name]
	}
	here, err := filepath.Abs("relative")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(env.Home, "agent", "sessions"), here, filepath.Join(env.Home, "mine")}
	if got := (Source{}).Roots(env); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestReadAnother: a file that is another session by now is not read as the one that was found.
func TestReadAnother(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	path := sourcetest.Write(t, env.Home, place, head)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	sourcetest.Write(t, env.Home, place, strings.Replace(head, "s1", "s2", 1))
	if r := sourcetest.Read(t, Source{}, env, found); !errors.Is(r.Err, sources.ErrGone) || len(r.Records) > 0 {
		t.Errorf("%v, %d records", r.Err, len(r.Records))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if r := sourcetest.Read(t, Source{}, env, found); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
}

// sampler has an entry of each kind.
func sampler() string {
	return tree("1 - "+system("A"), "2 1 "+user("two"), "3 2 "+said("three"), "4 1 "+compacted("S", "2", `,"systemMessage":{"role":"system","content":"new"}`),
		`5 4 "type":"branch_summary","fromId":"2","summary":"B"`, `6 5 "type":"context_edit","targetId":"5","replacement":null`,
		`7 6 "type":"label","targetId":"2","label":"L"`, `8 3 "type":"custom_message","customType":"x","content":"E","display":true`,
		`9 8 "type":"message","message":{"role":"bashExecution","command":"ls","output":"a","exitCode":2}`, "a 9 "+compacted("S2", "3", ""))
}

func TestSurvives(t *testing.T) {
	home := t.TempDir()
	sourcetest.Write(t, home, place, sampler())
	sourcetest.Survives(t, Source{}, home)
}

// TestCut: a file that is still being written loses nothing of what stands before its last line.
func TestCut(t *testing.T) {
	text := tree("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+user("three"))
	whole := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
	for cut := whole; cut < len(text)-1; cut++ {
		if _, r := read(t, text[:cut]); r.Damaged != 0 || !slices.Equal(r.View(t), []string{"user: one", "user: two"}) {
			t.Fatalf("cut at %d: %d damaged, %q", cut, r.Damaged, r.View(t))
		}
	}
}

func FuzzRead(f *testing.F) {
	sourcetest.Fuzz(f, Source{}, place, sampler(), head)
}

func TestSamples(t *testing.T) {
	if n := sourcetest.CheckSamples(t, Source{}, "pi-"); n < 2 {
		t.Errorf("only %d sessions", n)
	}
}

func TestSamplesSurvive(t *testing.T) {
	sourcetest.Survives(t, Source{}, sourcetest.Samples(t, "pi-")[0])
}

func TestCapabilities(t *testing.T) {
	sourcetest.CheckCapabilities(t, Source{}.Capabilities())
}
