package crabtalk

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// memoryOf is a memory with entries: pairs of a name and a text.
func memoryOf(pairs ...string) string {
	text := func(s string) []byte { return append(binary.LittleEndian.AppendUint32(nil, uint32(len(s))), s...) }
	out := append([]byte(magic), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(pairs)/2+1))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(pairs)/2))
	for i := 0; i < len(pairs); i += 2 {
		out = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, uint64(i+1)), 1767348000)
		out = binary.LittleEndian.AppendUint32(out, 1)
		out = append(append(out, text(pairs[i])...), text(pairs[i+1])...)
		out = append(binary.LittleEndian.AppendUint32(out, 2), append(text("alias"), text("")...)...)
	}
	return string(out)
}

// named is a session in steps with two compactions, whose summaries the memory has.
func named(name string) map[string]string {
	return map[string]string{
		dir + name + "/meta": strings.Replace(stored, "What was said", "the second", 1), dir + name + "/step-000001": before,
		dir + name + "/step-000002": `{"archive_name":"crab-user-1-1","archived_at":"2026-04-01T10:05:00Z"}`, dir + name + "/step-000003": before,
		dir + name + "/step-000004": `{"archive_name":"crab-user-1-2","archived_at":"2026-04-01T10:06:00Z"}`, dir + name + "/step-000005": said,
	}
}

// TestEarlierSummaries: the memory beside the sessions has the summary of each compaction under the name that its marker says.
func TestEarlierSummaries(t *testing.T) {
	memory := memoryOf("a note", "nothing", "crab-user-1-1", "the first", "crab-user-1-2", "the second, whole")
	for name, c := range map[string]struct{ memory, first, last string }{
		"both":         {memory, "the first", "the second, whole"},
		"none":         {"", "", "the second"},
		"cut off":      {memory[:len(memory)-30], "the first", "the second"},
		"another file": {"SQLite format 3\x00" + memory, "", "the second"},
		"empty":        {memory[:headerLength/2], "", "the second"},
	} {
		files := named("crab_user_1")
		if c.memory != "" {
			files[".crabtalk/memory.db"] = c.memory
		}
		_, r := read(t, files)
		want := "3 compaction from 3 unknown: " + c.first + "\n4 message user: before\n5 compaction from 5 unknown: " + c.last + "\n"
		if !strings.Contains(r.Story(), want) || r.Damaged > 0 {
			t.Errorf("%s: %s", name, r.Story())
		}
	}
}

// TestOpaqueFolder: later versions call the folder of a session by an id that says nothing.
func TestOpaqueFolder(t *testing.T) {
	const id = "01JZ1111111111111111111111"
	found, r := read(t, named(id))
	if found.ID != id || found.Title != "" || found.FirstMessage != "before" || strings.Count(r.Story(), "message") != 3 {
		t.Errorf("%+v\n%s", found, r.Story())
	}
}

// TestTopic: where a session has a topic and no title, that is its title.
func TestTopic(t *testing.T) {
	for meta, want := range map[string]string{`"topic":"deploys"`: "deploys", `"topic":"deploys","title":"A title"`: "A title"} {
		found, _ := read(t, map[string]string{dir + "crab_user_1/meta": strings.Replace(stored, `"created_by"`, meta+`,"created_by"`, 1), dir + "crab_user_1/step-000001": before})
		if found.Title != want {
			t.Errorf("%q of %s", found.Title, meta)
		}
	}
}

// TestStoreFolder: a store may stand in a folder for stores.
func TestStoreFolder(t *testing.T) {
	found, r := read(t, map[string]string{".crabtalk/store/crabtalk.crmem": aStore()})
	if found.ID != "crab-1" || !strings.Contains(r.Story(), "3 message user: more\n") {
		t.Errorf("%+v\n%s", found, r.Story())
	}
}

func FuzzMemory(f *testing.F) {
	f.Add([]byte(memoryOf("crab-user-1-1", "the first")))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := named("crab_user_1")
		files[".crabtalk/memory.db"] = string(data)
		home := sourcetest.Home(t, files)
		env := sourcetest.Env(t, home)
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if r.Err != nil || r.Damaged > 0 || strings.Count(r.Story(), "compaction") != 2 {
			t.Errorf("%v\n%s", r.Err, r.Story())
		}
	})
}

// TestMemoryChanges: a session that grows is read anew when the memory has another summary for one of its compactions, or one at last.
func TestMemoryChanges(t *testing.T) {
	const file = dir + "crab_user_1.jsonl"
	text := talk[0] + "\n" + before + "\n" + `{"archive_name":"crab-user-1-1","archived_at":"2026-04-01T10:05:00Z"}` + "\n"
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{file: text}))
	grows := sourcetest.NewGrowing(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	for i, memory := range []string{"", memoryOf("crab-user-1-1", "first"), memoryOf("a note", "n", "crab-user-1-1", "first"), memoryOf("crab-user-1-1", "other"), memoryOf()} {
		if memory != "" {
			sourcetest.Write(t, env.Home, ".crabtalk/memory.db", memory)
		}
		grows.Look(func() string { return fmt.Sprint("with memory ", i) })
		text += said + "\n"
		sourcetest.Write(t, env.Home, file, text)
		grows.Look(func() string { return fmt.Sprint("grown with memory ", i) })
	}
	if grows.Went == 0 {
		t.Error("it was never read on")
	}
}
