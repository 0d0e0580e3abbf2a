package codex

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestLineage: a thread goes on from lines of others, its own files from lines of each of those; where they are not there, it is told.
func TestLineage(t *testing.T) {
	const third = "01a1fbb9-0000-7000-8000-000000000003"
	segment := strings.Replace(strings.Replace(place, "01-22-10", "01-30-00", 1), ".jsonl", "_aa.jsonl", 1)
	of := func(thread string) string { return strings.ReplaceAll(place, id, thread) }
	parent := envelope(0, header(other, ""), item(user("one")), item(says("A")), item(user("two")), item(says("B")))
	fork := func(thread, base string) string {
		return envelope(3, header(thread, base), item(user("three")), item(says("C")))
	}
	for name, c := range map[string]struct {
		files   map[string]string
		want    string
		missing bool
	}{
		"a fork of a fork, from its beginning": {map[string]string{
			of(other): parent, of(third): fork(third, base(3, other)), place: envelope(3, header(id, base(3, third)), item(user("four"))),
		}, "user: one|assistant: A|user: four", false},
		"a fork of a fork, from before that": {map[string]string{
			of(other): parent, of(third): fork(third, base(3, other)), place: envelope(2, header(id, base(2, third)), item(user("four"))),
		}, "user: one|user: four", false},
		"taken back to where it was forked": {map[string]string{
			of(other): parent, place: fork(id, base(3, other)), segment: envelope(3, header(id, base(3, id)), item(user("four"))),
		}, "user: one|assistant: A|user: four", false},
		"taken back to before it was forked": {map[string]string{
			of(other): parent, place: fork(id, base(3, other)), segment: envelope(2, header(id, base(2, id)), item(user("four"))),
		}, "user: one|user: four", false},
		"the same, by the name of the other": {map[string]string{
			of(other): parent, place: fork(id, base(3, other)), segment: envelope(2, header(id, base(2, other)), item(user("four"))),
		}, "user: one|user: four", false},
		"taken back to the beginning": {map[string]string{
			of(other): parent, place: fork(id, base(3, other)), segment: envelope(0, header(id, base(0, id)), item(user("four"))),
		}, "user: four", false},
		"taken back to another thread": {map[string]string{
			of(other): parent, place: envelope(0, header(id, ""), item(user("three"))), segment: envelope(3, header(id, base(3, other)), item(user("four"))),
		}, "user: one|assistant: A|user: four", false},
		"a fork of what was taken back": {map[string]string{
			of(other): parent, strings.ReplaceAll(segment, id, other): envelope(3, header(other, base(3, other)), item(user("three"))), place: envelope(5, header(id, base(5, other)), item(user("four"))),
		}, "user: one|assistant: A|user: three|user: four", false},
		"taken back, and the first file is gone": {map[string]string{segment: envelope(3, header(id, base(3, id)), item(user("four")))}, "user: four", true},
		"taken back to what is gone": {map[string]string{
			place: fork(id, base(3, other)), segment: envelope(2, header(id, base(2, id)), item(user("four"))),
		}, "user: four", true},
	} {
		t.Run(name, func(t *testing.T) {
			env := sourcetest.Env(t, t.TempDir())
			for path, text := range c.files {
				sourcetest.Write(t, env.Home, path, text)
			}
			all := sourcetest.Find(t, Source{}, env)
			at := slices.IndexFunc(all, func(f sources.Found) bool { return f.ID == id })
			if at < 0 {
				t.Fatalf("%+v", all)
			}
			r := sourcetest.Read(t, Source{}, env, all[at])
			if got := strings.Join(r.View(t), "|"); r.Err != nil || got != c.want || bytes.Contains(r.Log, []byte("history_unavailable")) != c.missing {
				t.Errorf("%v %s\n%s", r.Err, got, r.Story())
			}
			copied := sourcetest.Env(t, t.TempDir())
			for _, path := range append((Source{}).Beside(t.Context(), env, all[at]), all[at].Files...) {
				within, err := filepath.Rel(env.Home, path)
				if err != nil {
					t.Fatal(err)
				}
				sourcetest.Write(t, copied.Home, within, c.files[filepath.ToSlash(within)])
			}
			of := sourcetest.Find(t, Source{}, copied)
			if again := sourcetest.Read(t, Source{}, copied, of[slices.IndexFunc(of, func(f sources.Found) bool { return f.ID == id })]); !bytes.Equal(again.Log, r.Log) {
				t.Errorf("of what is kept: %s", again.Story())
			}
			if strings.Contains(c.files[place], `"three"`) && !bytes.Contains(r.Log, []byte(`"three"`)) {
				t.Errorf("what was taken back is lost: %s", r.Story())
			}
		})
	}
}
