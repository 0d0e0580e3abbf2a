package crabtalk

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestBothNames: a session in the folders of both names of CrabTalk, or in several forms, is told of once; two that have the same id are
// told of both, and read by what they are called.
func TestBothNames(t *testing.T) {
	const here, before = dir + "crab_user_1.jsonl", ".openwalrus/sessions/crab_user_1_a-title.jsonl"
	renamed := strings.Replace(lines(), "My title", "Another, longer title", 1)
	begin := strings.Join(talk[:6], "\n") + "\n"
	other := talk[0] + "\n" + `{"role":"user","content":"something else"}` + "\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  map[string]string // the last that was said, by id
	}{
		"the same":           {map[string]string{here: lines(), before: lines()}, map[string]string{"crab_user_1": "bye"}},
		"renamed since":      {map[string]string{here: renamed, before: lines()}, map[string]string{"crab_user_1": "bye"}},
		"went on":            {map[string]string{here: renamed, before: begin}, map[string]string{"crab_user_1": "bye"}},
		"went on there":      {map[string]string{here: begin, before: renamed}, map[string]string{"crab_user_1": "bye"}},
		"another":            {map[string]string{here: lines(), before: other}, map[string]string{"crab_user_1": "bye", "crab_user_1@openwalrus": "something else"}},
		"another here":       {map[string]string{here: other, before: lines()}, map[string]string{"crab_user_1": "something else", "crab_user_1@openwalrus": "bye"}},
		"nothing here":       {map[string]string{here: "", before: lines()}, map[string]string{"crab_user_1": "bye"}},
		"in another form":    {steps(map[string]string{here: begin}, "crab_user_1"), map[string]string{"crab_user_1": "bye"}},
		"two titles":         {map[string]string{here: lines(), dir + "crab_user_1_x.jsonl": other}, map[string]string{"crab_user_1": "bye", "crab_user_1@crab_user_1_x": "something else"}},
		"another in a store": {map[string]string{".crabtalk/store.crmem": storeOf(nil, [][2]string{{"session/crab_user_1/msg/000000000000", talk[8]}}), here: lines()}, map[string]string{"crab_user_1": "more", "crab_user_1@sessions": "bye"}},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, c.files))
		env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "1")
		sourcetest.Find(t, Source{}, env)
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env)) // from memory, too
		if got, want := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(c.want)); !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
		for id, want := range c.want {
			said, err := sources.Said(t.Context(), Source{}, env, found[id])
			if err != nil || len(said) == 0 || !strings.HasSuffix(said[len(said)-1], want) {
				t.Errorf("%s: %s: %q, %v", name, id, said, err)
			}
		}
	}
}

// TestManyInBoth: to compare sessions that are in a store as well takes with their number, not with its square: the store is gone through
// once, however many are in it.
func TestManyInBoth(t *testing.T) {
	allocations := func(sessions int) float64 {
		files, records := map[string]string{}, [][2]string(nil)
		for i := range sessions {
			text := talk[0] + "\n"
			for j, message := range talk[1:4] {
				records = append(records, [2]string{fmt.Sprintf("session/crab_user_%d/msg/%012d", i, j), message})
				text += message + "\n"
			}
			files[fmt.Sprintf(".openwalrus/sessions/crab_user_%d.jsonl", i)] = text
		}
		files[".crabtalk/store.crmem"] = storeOf(nil, records)
		env := sourcetest.Env(t, sourcetest.Home(t, files))
		return testing.AllocsPerRun(1, func() {
			if found := sourcetest.Find(t, Source{}, env); len(found) != sessions {
				t.Fatalf("%d sessions of %d", len(found), sessions)
			}
		})
	}
	if few, many := allocations(30), allocations(240); many > 12*few {
		t.Errorf("30 sessions take %.0f allocations, 240 take %.0f", few, many)
	}
}

// TestComparedOnce: what was compared is remembered as long as both are what they were.
func TestComparedOnce(t *testing.T) {
	text, records := talk[0]+"\n", [][2]string(nil)
	for i := range 200 {
		message := fmt.Sprintf(`{"role":"user","content":"message %d"}`, i)
		records, text = append(records, [2]string{fmt.Sprintf("session/crab_user_1/msg/%012d", i), message}), text+message+"\n"
	}
	const file, store = ".openwalrus/sessions/crab_user_1.jsonl", ".crabtalk/store.crmem"
	home := sourcetest.Home(t, map[string]string{file: text, store: storeOf(nil, records)})
	env := sourcetest.Env(t, home)
	find := func() []sources.Found { return sourcetest.Find(t, Source{}, env) }
	anew := testing.AllocsPerRun(1, func() { find() })
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "1")
	if again := testing.AllocsPerRun(1, func() { find() }); again > anew*2/3 {
		t.Errorf("%.0f allocations, %.0f without a memory", again, anew)
	}
	for _, state := range []struct {
		path, text string
		sessions   int
	}{
		{file, text + `{"role":"user","content":"here"}` + "\n", 1},
		{store, storeOf(nil, append(records, [2]string{"session/crab_user_1/msg/000000000200", `{"role":"user","content":"there"}`})), 2},
		{file, text, 1},
	} {
		sourcetest.Write(t, home, state.path, state.text)
		if found := find(); len(found) != state.sessions {
			t.Errorf("%s: %d sessions", state.path, len(found))
		}
	}
}

// TestCopyOfAnotherName: a file that somebody copied beside the other is no session of its own while it holds nothing else.
func TestCopyOfAnotherName(t *testing.T) {
	for name, c := range map[string]struct {
		id, copied string
	}{
		"a copy":             {"crab_user_1", "crab_user_1 copy"},
		"a copy of a title":  {"crab_user_1", "crab_user_1_a-title copy"},
		"a copy by a number": {"crab_user_1", "crab_user_1 (1)"},
		"a backup":           {"crab_user_1", "crab_user_1-backup"},
	} {
		for text, want := range map[string]int{lines(): 1, strings.Join(talk[:6], "\n") + "\n": 1, talk[0] + "\n" + talk[8] + "\n": 2} {
			env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{dir + c.id + ".jsonl": lines(), dir + c.copied + ".jsonl": text}))
			if found := sourcetest.ByID(sourcetest.Find(t, Source{}, env)); len(found) != want || !strings.HasSuffix(found[c.id].Files[0], c.id+".jsonl") {
				t.Errorf("%s: %+v", name, found)
			}
		}
	}
}

// TestTitleComes: of two files in which one session went on apart each keeps its id where one of them gets a title.
func TestTitleComes(t *testing.T) {
	apart := talk[0] + "\n" + talk[8] + "\n"
	for _, name := range []string{"crab_user_1.jsonl", "crab_user_1_a-title.jsonl"} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{dir + "2026-01/" + name: lines(), dir + "2026-02/crab_user_1.jsonl": apart}))
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		if len(found) != 2 || filepath.Base(filepath.Dir(found["crab_user_1"].Files[0])) != "2026-01" {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
