package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestLent: a thread that goes on from another one is another to read when what it has from that changes, and the same whatever is appended
// behind; of what it went on from in turn, too.
func TestLent(t *testing.T) {
	const grandparent = "01a1fbb2-0000-7cd2-9976-548effd87cf7"
	first := envelope(0, header(grandparent, ""), item(user("zero")), item(says("Z")))
	last := envelope(3, header(other, base(3, grandparent)), item(user("one")), item(says("A")))
	behind := envelope(6, item(user("two")), item(says("B")))
	at := func(thread string) string { return strings.ReplaceAll(place, id, thread) }
	const same, changed = true, false
	for name, c := range map[string]struct {
		thread, before, after string
		same                  bool
	}{
		"appended to, where it left at the end":   {other, last, last + behind, same},
		"appended to, where it left before that":  {other, last + behind, last + behind + behind, same},
		"changed behind":                          {other, last + behind, last + strings.Replace(behind, "two", "owt", 1), same},
		"whole, after half of it was there":       {other, last[:len(last)-200], last, changed},
		"whole, after the beginning was there":    {other, envelope(3, header(other, base(3, grandparent))), last, changed},
		"cut off":                                 {other, last, last[:len(last)-200], changed},
		"another text of the same length":         {other, last, strings.Replace(last, "one", "eno", 1), changed},
		"another text, and appended to":           {other, last, strings.Replace(last, "one", "eno", 1) + behind, changed},
		"what it went on from, appended to":       {grandparent, first, first + envelope(3, item(user("more"))), same},
		"what it went on from has another text":   {grandparent, first, strings.Replace(first, "zero", "four", 1), changed},
		"what it went on from, after half of it":  {grandparent, first[:len(first)-200], first, changed},
		"large, appended to, left before that":    {other, last + behind, last + behind + long, same},
		"large, and another text":                 {other, last + behind + long, strings.Replace(last, "one", "eno", 1) + behind + long, changed},
		"large, appended to, left at the end":     {other, envelope(3, header(other, base(3, grandparent))) + long + envelope(4, item(user("x")), item(user("y"))), envelope(3, header(other, base(3, grandparent))) + long + envelope(4, item(user("x")), item(user("y"))) + behind, same},
		"without ordinals, a text behind changed": {other, old(last + behind), old(last + behind + behind), changed},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
			at(grandparent): first, at(other): last, place: envelope(6, header(id, base(6, other)), item(user("three"))),
		}))
		memory := filepath.Join(t.TempDir(), "memory")
		look := func(text string) string {
			t.Helper()
			sourcetest.Write(t, env.Home, at(c.thread), text)
			env.Memory = sources.OpenMemory(memory, "")
			sourcetest.Find(t, Source{}, env)
			_, err := env.Memory.CatchUp(t.Context(), nil)
			found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
			if alone := found[grandparent]; err != nil || alone.Beside != "" || found[id].Beside == "" {
				t.Errorf("%s: %v, of what stands for itself %q, of the thread %q", name, err, alone.Beside, found[id].Beside)
			}
			if err := env.Memory.Save(); err != nil {
				t.Fatal(err)
			}
			return found[id].Beside
		}
		if before, after := look(c.before), look(c.after); (before == after) != c.same {
			t.Errorf("%s: %q, then %q", name, before, after)
		}
	}
}

// long is a line that makes a file so large that a list does not wait for what it lends.
var long = envelope(50, item(user(strings.Repeat("x", lendsMost))))

// old is a text as versions without ordinals wrote it.
func old(text string) string { return strings.ReplaceAll(text, `"ordinal":`, `"nothing":`) }

// TestLentByWhatHasGone: what others lent to a thread is what it was once a part of that is not there any more.
func TestLentByWhatHasGone(t *testing.T) {
	parent := strings.ReplaceAll(place, id, other)
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{
		parent: envelope(0, header(other, ""), item(user("one"))), place: envelope(2, header(id, base(2, other)), item(user("two"))),
	}))
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "")
	find := func() sources.Found { return sourcetest.ByID(sourcetest.Find(t, Source{}, env))[id] }
	before := find()
	if err := os.Remove(filepath.Join(env.Home, filepath.FromSlash(parent))); err != nil {
		t.Fatal(err)
	}
	if now := find(); now.Beside != before.Beside || now.Lacks != other {
		t.Errorf("%q lacking %q, before it was %q", now.Beside, now.Lacks, before.Beside)
	}
}
