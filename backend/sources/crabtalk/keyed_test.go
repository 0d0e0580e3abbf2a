package crabtalk

import (
	"fmt"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestLongRuns: a store tells what was said first and how a session is called, however much is told of its runs, and which model was the last.
func TestLongRuns(t *testing.T) {
	records := [][2]string{{"session/a/meta", `{"title":"My title","created_by":"user"}`}, {"session/a/msg/000000000000", talk[1]}}
	for i := range 30 {
		records = append(records, [2]string{fmt.Sprintf("session/a/evt/%012d", i), talk[3]})
	}
	for i, model := range []string{"first", "last"} {
		records = append(records, [2]string{fmt.Sprintf("session/a/evt/%012d", 30+i), `{"event":"done","model":"` + model + `","iterations":1}`})
	}
	found, _ := read(t, map[string]string{".crabtalk/store.crmem": storeOf(nil, records)})
	if found.Title != "My title" || found.FirstMessage != `hello "compact": {}` || found.Model != "last" {
		t.Errorf("%+v", found)
	}
}

// TestEarlierArchives: a store has one archive of each session; the names of earlier ones are known by its own.
func TestEarlierArchives(t *testing.T) {
	content := func(text string) string { return `{"content":"` + text + `"}` }
	records := [][2]string{
		{"local/session/My.Handle/meta", stored},
		{"local/session/My.Handle/archive", `"my-handle-3"`},
		{"local/memory/my-handle-1", content("the first")},
		{"local/memory/my-handle-3", content("the third")},
		{"local/memory/my-handle-4", content("of nobody")},
		{"local/session/My.Handle/msg/000000000000", said},
		{"local/session/other/archive", `"shared-name-2"`},
		{"local/memory/shared-name-1", content("of another")},
		{"local/session/other/msg/000000000000", said},
	}
	text := storeOf(nil, nil)
	for _, record := range records {
		text += inColumn(1, record[0], record[1])
	}
	home := map[string]string{".crabtalk/store.crmem": text}
	for id, want := range map[string]string{
		"My.Handle": "1 note crabtalk.meta:\n2 compaction from 2 unknown: the first\n3 compaction from 3 unknown: the third\n4 message user: more\n",
		"other":     "1 compaction from 1 unknown: \n2 message user: more\n",
	} {
		if r := readOne(t, home, id); r.Story() != want || r.Damaged > 0 {
			t.Errorf("%s: %s", id, r.Story())
		}
	}
}

// readOne reads one session of several.
func readOne(t *testing.T, files map[string]string, id string) *sourcetest.Reading {
	t.Helper()
	env := sourcetest.Env(t, sourcetest.Home(t, files))
	r := sourcetest.Read(t, Source{}, env, sourcetest.ByID(sourcetest.Find(t, Source{}, env))[id])
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}
