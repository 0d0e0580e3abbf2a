package crabtalk

import (
	"fmt"
	"maps"
	"net/url"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

func folder(handle string) map[string]string {
	return map[string]string{
		dir + handle + "/meta.json":      strings.Replace(stored, `"created_by"`, `"title":"My title","root":"/w","created_by"`, 1),
		dir + handle + "/messages.jsonl": strings.Join(talk[8:12], "\n") + "\n{\"message\":{\"ro",
		dir + handle + "/events.jsonl":   talk[3] + "\n" + talk[6] + "\n",
		dir + handle + "/archive":        entry + "\n",
	}
}

// TestFolder: the form after the store has a folder for each session, with a name for the archive.
func TestFolder(t *testing.T) {
	found, r := read(t, folder("01JZ%3A1"))
	if found.ID != "01JZ:1" || found.Title != "My title" || found.Cwd != "/w" || found.FirstMessage != "more" || found.Model != "m" || found.Problem != "" {
		t.Errorf("%+v", found)
	}
	const want = `1 note crabtalk.meta:
2 compaction from 2 unknown: What was said
3 message user: more
4 message assistant: ~ah read#c2{"path":"x"} (toolUse)
5 message toolResult!: gone
6 message assistant: bye
7 note crabtalk.event:
8 note crabtalk.event:
`
	if r.Story() != want || r.Damaged > 0 {
		t.Error(r.Story())
	}
	if beside := (Source{}).Beside(t.Context(), sourcetest.Env(t, t.TempDir()), found); len(beside) != 2 {
		t.Error(beside)
	}
}

// TestFolders: each is a session, also one of which a part is missing, and none of its files is.
func TestFolders(t *testing.T) {
	files := folder("a")
	maps.Copy(files, folder("b"))
	delete(files, dir+"b/meta.json")
	files[dir+"c/meta.json"] = stored
	files[dir+"d/notes.txt"] = "x"
	env := sourcetest.Env(t, sourcetest.Home(t, files))
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	for id, want := range map[string]string{
		"a": "user: What was said\nuser: more\n", "b": "user: [summary not readable: empty]\nuser: more\n", "c": "",
	} {
		if r := sourcetest.Read(t, Source{}, env, found[id]); r.Err != nil || !strings.HasPrefix(r.Seen(t), want) || len(found) != 3 {
			t.Errorf("%s of %d: %v\n%s", id, len(found), r.Err, r.Seen(t))
		}
	}
}

// ofCode is a session of the program for code, which calls it by the directory that it works in, and has a file for each summary.
func ofCode(named, slug string) map[string]string {
	const root = ".crabtalk/store/code/"
	files := map[string]string{root + "memory/" + slug + "-note.json": `{"name":"x","content":"no summary"}`}
	for i, text := range []string{"the first", "the second"} {
		files[fmt.Sprintf("%smemory/%s-%d.json", root, url.PathEscape(slug), i+1)] = fmt.Sprintf(`{"name":"%s-%d","kind":"archive","content":%q,"aliases":[]}`, slug, i+1, text)
	}
	for name, text := range folder(named) {
		files[strings.Replace(name, dir, root+"sessions/", 1)] = text
	}
	files[root+"sessions/"+named+"/archive"] = slug + "-2"
	return files
}

// TestFoldersOfCode: the program for code has folders of its own, and its memory the summaries of all compactions.
func TestFoldersOfCode(t *testing.T) {
	for named, id := range map[string]string{"%2Fhome%2Fu%2Fwork": "/home/u/work", "%2Fw": "/w", "%2Fhome%2F%C3%BC": "/home/ü"} {
		home := sourcetest.Home(t, ofCode(named, slug(id)))
		env := sourcetest.Env(t, home)
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		r := sourcetest.Read(t, Source{}, env, found)
		const want = "2 compaction from 2 unknown: the first\n3 compaction from 3 unknown: the second\n4 message user: more\n"
		if found.ID != id || found.Cwd != "/w" || !strings.Contains(r.Story(), want) || r.Damaged > 0 || r.Err != nil {
			t.Errorf("%+v %v\n%s", found, r.Err, r.Story())
		}
		if beside := (Source{}).Beside(t.Context(), env, found); len(beside) != 4 { // its events, its archive and two summaries
			t.Error(beside)
		}
	}
}

func TestFolderSurvives(t *testing.T) {
	sourcetest.Survives(t, Source{}, sourcetest.Home(t, folder("a")))
	sourcetest.Bends(t, Source{}, sourcetest.Home(t, ofCode("a", "a")))
}

// TestFolderWithItsSummary: what is no name is the summary itself.
func TestFolderWithItsSummary(t *testing.T) {
	files := folder("a")
	files[dir+"a/archive"] = "They spoke of it.\n"
	if _, r := read(t, files); !strings.Contains(r.Seen(t), "They spoke of it.") {
		t.Error(r.Seen(t))
	}
}

// TestFolderIsCompacted: another name in the archive is a change of the session.
func TestFolderIsCompacted(t *testing.T) {
	home := sourcetest.Home(t, folder("a"))
	env := sourcetest.Env(t, home)
	before := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	sourcetest.Write(t, home, dir+"a/archive", entry+" once more\n")
	if after := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); after.Bytes == before.Bytes || len(after.Files) != 2 {
		t.Errorf("%+v\n%+v", before, after)
	}
}

// TestBesideItsFiles: what is told of its runs, another name in the archive, and another summary under that in the memory make a folder with lines
// another session to read: its messages and its metadata stay as they are.
func TestBesideItsFiles(t *testing.T) {
	const root = ".crabtalk/store/code/"
	for name, c := range map[string]struct{ path, text string }{
		"runs":      {root + "sessions/a/events.jsonl", talk[6] + "\n"},
		"archive":   {root + "sessions/a/archive", "a-1"},
		"memory":    {root + "memory/a-2.json", `{"name":"a-2","kind":"archive","content":"another","aliases":[]}`},
		"forgotten": {root + "memory/a-2.json", ""},
	} {
		home := sourcetest.Home(t, ofCode("a", "a"))
		env := sourcetest.Env(t, home)
		before, again := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)), sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		sourcetest.Write(t, home, c.path, c.text)
		if after := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); before.Beside != again.Beside || after.Beside == before.Beside {
			t.Errorf("%s: %q, %q, and then %q", name, before.Beside, again.Beside, after.Beside)
		}
	}
}

// TestFolderWithoutRuns: what is told of runs is not what makes a session readable.
func TestFolderWithoutRuns(t *testing.T) {
	files := folder("a")
	delete(files, dir+"a/events.jsonl")
	files[dir+"a/events.jsonl/x"] = ""
	found, r := read(t, files)
	if found.Problem != "" || r.Err != nil || !strings.Contains(r.Seen(t), "user: more") {
		t.Errorf("%+v %v\n%s", found, r.Err, r.Seen(t))
	}
}
