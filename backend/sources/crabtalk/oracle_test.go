package crabtalk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources/sourcetest"
)

// spokenLine is a record of a session, and what the model sees of it; a marker begins anew with its summary.
type spokenLine struct {
	json, sees string
	marker     bool
}

func drawLine(rt *rapid.T, i int) spokenLine {
	text := fmt.Sprintf("t%d", i)
	role := rapid.SampledFrom([]string{"user", "assistant"}).Draw(rt, "role")
	said := spokenLine{sees: role + ": " + text}
	more := rapid.SampledFrom([]string{"", `,"reasoning_content":null`, `,"tool_calls":null`, `,"tool_calls":[]`, `,"name":7`, `,"later":{"compact":"x"}`, `,"timestamp":7`}).Draw(rt, "more")
	switch rapid.IntRange(0, 7).Draw(rt, "form") {
	case 0:
		said.json = fmt.Sprintf(`{"message":{"role":%q,"content":[{"type":"text","text":%q}]%s}}`, role, text, more)
	case 1:
		said.json = fmt.Sprintf(`{"agent":"","message":{"role":%q,"content":%q%s}}`, role, text, more)
	case 2:
		said.json = fmt.Sprintf(`{"agent":"g","message":{"role":%q,"content":[{"type":"text","text":%q}]}}`, role, text)
		if role == "assistant" {
			said.sees = role + ": <from agent=\"g\">\n" + text + "\n</from>"
		}
	case 3:
		return spokenLine{json: rapid.SampledFrom([]string{talk[3], talk[6], `{"event":"user_steered","content":"x","ts":"y"}`, `{"odd":1}`, `{}`}).Draw(rt, "aside")}
	default:
		said.json = fmt.Sprintf(`{"role":%q,"content":%q%s}`, role, text, more)
	}
	return said
}

// TestFormsSayTheSame: whichever form a session has, the model sees what was said since the last compaction, behind its summary.
func TestFormsSayTheSame(t *testing.T) {
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		var lines []spokenLine
		memory := []string{}
		named := rapid.Bool().Draw(rt, "named")
		for i := range rapid.IntRange(1, 10).Draw(rt, "lines") {
			if rapid.IntRange(0, 6).Draw(rt, "compacts") > 0 {
				lines = append(lines, drawLine(rt, i))
				continue
			}
			marker := spokenLine{fmt.Sprintf(`{"compact":"s%d","title":"","archived_at":"2026-04-01T10:05:00Z"}`, i), fmt.Sprintf("user: s%d", i), true}
			if named {
				memory = append(memory, fmt.Sprintf("handle-%d", len(memory)/2+1), fmt.Sprintf("s%d", i))
				marker.json = fmt.Sprintf(`{"archive_name":%q,"archived_at":"2026-04-01T10:05:00Z"}`, memory[len(memory)-2])
			}
			lines = append(lines, marker)
		}
		var want []string
		since, summary := lines, ""
		for i, line := range lines {
			if line.marker {
				want, since, summary = nil, lines[i+1:], strings.TrimPrefix(line.sees, "user: ")
			}
			if line.sees != "" {
				want = append(want, line.sees)
			}
		}
		if len(want) == 0 {
			return
		}
		n++
		home := filepath.Join(root, fmt.Sprint(n))
		defer func() { _ = os.RemoveAll(home) }() // the test's own folder goes with it
		for form, id := range writeForms(t, rt, home, lines, since, summary, memory) {
			env := sourcetest.Env(t, filepath.Join(home, form))
			found := sourcetest.Find(t, Source{}, env)
			if len(found) != 1 || found[0].ID != id || found[0].Title != "T" {
				rt.Fatalf("%s: %+v", form, found)
			}
			r := sourcetest.Read(t, Source{}, env, found[0])
			if got := r.View(t); r.Err != nil || !slices.Equal(got, want) {
				rt.Fatalf("%s: %v\ngot  %q\nwant %q\n%s", form, r.Err, got, want, r.Story())
			}
		}
	})
}

// writeForms writes a session in each form into a home of its own, and gives their ids.
func writeForms(t *testing.T, rt *rapid.T, home string, lines, since []spokenLine, summary string, memory []string) map[string]string {
	const meta = `{"agent":"crab","created_by":"user","created_at":"2026-04-01T10:00:00Z","title":"T"}`
	write := func(form, name, text string) { sourcetest.Write(t, filepath.Join(home, form), name, text) }
	forms := map[string]string{"file": "crab_user_1", "steps": "handle", "store": "handle", "folder": "handle"}
	ends := rapid.SampledFrom([]string{"\n", "\r\n", "\n\n", "\n \n"}).Draw(rt, "ends")
	all := []string{meta}
	for i, line := range lines {
		all = append(all, line.json)
		write("steps", fmt.Sprintf("%shandle/step-%06d", dir, i+1), line.json)
	}
	write("steps", dir+"handle/meta", rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(rt, "mark")+meta)
	write("file", dir+"crab_user_1.jsonl", rapid.SampledFrom([]string{"", "\xEF\xBB\xBF"}).Draw(rt, "mark")+strings.Join(all, ends)+ends+rapid.SampledFrom([]string{"", `{"role":"us`}).Draw(rt, "tail"))
	records := [][2]string{{"local/session/handle/meta", meta}}
	messages := ""
	for i, line := range since {
		if strings.Contains(line.json, `"event"`) {
			records = append(records, [2]string{fmt.Sprintf("local/session/handle/evt/%012d", i), line.json})
		} else {
			records = append(records, [2]string{fmt.Sprintf("local/session/handle/msg/%012d", i), line.json})
			messages += line.json + "\n"
		}
	}
	write("folder", dir+"handle/meta.json", meta)
	write("folder", dir+"handle/messages.jsonl", messages)
	if summary != "" {
		archive, name := summary, "handle-1"
		if len(memory) > 0 {
			archive, name = memory[len(memory)-2], memory[len(memory)-2]
		}
		records = append(records, [2]string{"local/session/handle/archive", `"` + archive + `"`})
		write("folder", dir+"handle/archive", name)
		write("folder", ".crabtalk/memory/"+name+".json", `{"content":"`+summary+`"}`)
	}
	for i := 0; i < len(memory); i += 2 {
		records = append(records, [2]string{"local/memory/" + memory[i], `{"content":"` + memory[i+1] + `"}`})
	}
	text := storeOf(nil, nil)
	for _, record := range records {
		text += inColumn(1, record[0], record[1])
	}
	write("store", ".crabtalk/store/x.crmem", text)
	if len(memory) > 0 {
		for form := range forms {
			write(form, ".crabtalk/memory.db", memoryOf(memory...))
		}
	}
	return forms
}
