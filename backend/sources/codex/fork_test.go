package codex

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestCopiedFork: what a fork has copied from its parent is in its context, and its tokens are the parent's.
func TestCopiedFork(t *testing.T) {
	text := envelope(0, header(id, `,"forked_from_id":"`+other+`"`), header(other, ""), `turn_context {"model":"m","turn_id":"01a1fbb2-0000-7000-8000-000000000000"}`,
		item(user("one")), item(says("A")), tokens(10, 1), `turn_context {"model":"m","turn_id":"01a1fbb8-0000-7000-8000-000000000000"}`,
		item(user("two")), item(says("B")), tokens(20, 2))
	text = strings.ReplaceAll(text, `"timestamp":"2026-11-21T01:22:0`, `"timestamp":"2026-11-21T01:22:1`)
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, strings.ReplaceAll(text, `"timestamp":"2026-11-21T01:22:1`, `"timestamp":"2026-11-21T01:22:10.00`+"1Z\",\"x\":\""))
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if found.Parent != other || found.Relation != sources.Fork || found.ID != id {
		t.Errorf("%+v", found)
	}
	r := sourcetest.Read(t, Source{}, env, found)
	if got := usages(r); got != "- 19+1+2" {
		t.Errorf("%s\n%s", got, r.Log)
	}
}

// TestLongCopy: to copy a large parent takes longer than to copy others. As long as lines of its turns come without a pause, they are copies.
func TestLongCopy(t *testing.T) {
	const turn = `turn_context {"model":"m","turn_id":"01a1fbb2-0000-7000-8000-000000000000"}`
	text := envelope(10, header(id, `,"forked_from_id":"`+other+`"`), header(other, ""), turn, item(user("one")), item(says("A")), tokens(10, 1),
		item(user("two")), item(says("B")), tokens(20, 2), turn, item(user("three")), item(says("C")), tokens(30, 3)) +
		envelope(40, `turn_context {"model":"m","turn_id":"01a1fbb8-0000-7000-8000-000000000000"}`, item(user("four")), item(says("D")), tokens(40, 4))
	if got := usages(read(t, text)); got != "- - - 39+1+2" {
		t.Error(got)
	}
	later := strings.Replace(text, "01a1fbb8", "01a1fbb2", 1) // whose own turns have no time in their ids
	if got := usages(read(t, later)); got != "- - - 39+1+2" {
		t.Error(got)
	}
}

func base(end int, thread string) string {
	return fmt.Sprintf(`,"history_base":{"thread_id":%q,"end_ordinal_exclusive":%d,"end_byte_offset":1}`, thread, end)
}

// TestForkByReference: a fork begins with its parent's first lines, wherever that is kept, and still opens without it.
func TestForkByReference(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	parent := sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, other), envelope(0, header(other, ""), item(user("one")), item(says("A")), item(user("two")), item(says("B"))))
	sourcetest.Write(t, env.Home, place, envelope(3, header(id, base(3, other)), item(user("three"))))
	find := func() sources.Found {
		for _, f := range sourcetest.Find(t, Source{}, env) {
			if f.ID == id {
				return f
			}
		}
		t.Fatal("the fork is not found")
		return sources.Found{}
	}
	found := find()
	if found.Parent != other || found.Relation != sources.Fork || found.FirstMessage != "three" {
		t.Errorf("%+v", found)
	}
	r := sourcetest.Read(t, Source{}, env, found)
	if got := r.View(t); r.Err != nil || !slices.Equal(got, []string{"user: one", "assistant: A", "user: three"}) {
		t.Errorf("%v %q", r.Err, got)
	}
	whole, err := os.ReadFile(parent)
	if err != nil {
		t.Fatal(err)
	}
	pack, _ := zstd.NewWriter(nil)
	for _, moved := range []struct{ to, text string }{
		{".codex/archived_sessions/" + filepath.Base(parent), string(whole)}, {".codex/archived_sessions/" + filepath.Base(parent) + ".zst", string(pack.EncodeAll(whole, nil))},
	} {
		if err := os.Remove(parent); err != nil {
			t.Fatal(err)
		}
		parent = sourcetest.Write(t, env.Home, moved.to, moved.text)
		if again := sourcetest.Read(t, Source{}, env, find()); again.Err != nil || !bytes.Equal(again.Log, r.Log) {
			t.Errorf("its parent is %s: %v\n%s", moved.to, again.Err, again.Story())
		}
	}
	if err := os.Remove(parent); err != nil {
		t.Fatal(err)
	}
	r = sourcetest.Read(t, Source{}, env, find())
	if got := r.View(t); r.Err != nil || !slices.Equal(got, []string{"user: three"}) || !bytes.Contains(r.Log, []byte("history_unavailable")) {
		t.Errorf("%v %q", r.Err, got)
	}
}

// TestRevertOfAFork: a file goes on from a place of the thread that it names: that of a fork, or the one that this was made from, whose lines
// have the same numbers.
func TestRevertOfAFork(t *testing.T) {
	const grandparent = "01a1fbb2-0000-7cd2-9976-548effd87cf7"
	history := map[string]string{
		grandparent: envelope(0, header(grandparent, ""), item(user("zero")), item(says("Z"))),
		other:       envelope(3, header(other, base(3, grandparent)), item(user("one")), item(says("A")), item(user("two")), item(says("B"))),
	}
	for name, c := range map[string]struct {
		thread string
		end    int
		want   string
	}{
		"the parent, where the fork began":      {other, 8, "zero Z one A two B last"},
		"the parent, before that":               {other, 6, "zero Z one A last"},
		"the parent, by what that goes on from": {other, 2, "zero last"},
		"what the parent was made from":         {grandparent, 3, "zero Z last"},
		"the fork":                              {id, 8, "zero Z one A four last"},
		"the fork, by what it goes on from":     {id, 5, "zero Z one last"},
	} {
		env := sourcetest.Env(t, t.TempDir())
		for thread, text := range history {
			sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, thread), text)
		}
		segment := func(time, name string) string {
			return strings.Replace(strings.Replace(place, "01-22-10", time, 1), ".jsonl", "_"+name+".jsonl", 1)
		}
		sourcetest.Write(t, env.Home, place, envelope(8, header(id, base(8, other)), item(user("three")), item(says("C"))))
		sourcetest.Write(t, env.Home, segment("01-30-00", "aa"), envelope(6, header(id, base(6, other)), item(user("four")), item(says("D"))))
		sourcetest.Write(t, env.Home, segment("01-40-00", "bb"), envelope(c.end, header(id, base(c.end, c.thread)), item(user("last"))))
		var r *sourcetest.Reading
		for _, f := range sourcetest.Find(t, Source{}, env) {
			if f.ID == id {
				r = sourcetest.Read(t, Source{}, env, f)
			}
		}
		got := strings.Join(r.View(t), " ")
		if got = strings.NewReplacer("user: ", "", "assistant: ", "").Replace(got); r.Err != nil || got != c.want {
			t.Errorf("%s: %v %q, not %q", name, r.Err, got, c.want)
		}
	}
}

// TestForksInACircle ends.
func TestForksInACircle(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, other), envelope(1, header(other, base(9, id))))
	sourcetest.Write(t, env.Home, place, envelope(1, header(id, base(9, other)), item(user("one"))))
	for _, found := range sourcetest.Find(t, Source{}, env) {
		if r := sourcetest.Read(t, Source{}, env, found); r.Err != nil {
			t.Error(r.Err)
		}
	}
}

// TestRevert: the turns that were taken back are off the path, and not lost; reverts can follow each other.
func TestRevert(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	segment := func(time, name string) string {
		return strings.Replace(strings.Replace(place, "01-22-10", time, 1), ".jsonl", "_"+name+".jsonl", 1)
	}
	sourcetest.Write(t, env.Home, place, envelope(0, header(id, ""), settings, item(user("one")), item(says("A")), item(user("dead")), item(says("B"))))
	sourcetest.Write(t, env.Home, segment("01-30-00", "aa"), envelope(4, header(id, base(4, id)), item(user("two")), item(says("C")), item(user("dead too"))))
	sourcetest.Write(t, env.Home, segment("01-40-00", "bb"), envelope(7, header(id, base(7, id)), settings, item(user("three"))))
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if found.FirstMessage != "one" || len(found.Files) != 3 {
		t.Errorf("%+v", found)
	}
	r := sourcetest.Read(t, Source{}, env, found)
	want := []string{"user: one", "assistant: A", "user: two", "assistant: C", "user: three"}
	if got := r.View(t); r.Err != nil || !slices.Equal(got, want) || !bytes.Contains(r.Log, []byte("dead too")) {
		t.Errorf("%v %q", r.Err, got)
	}
	if m := r.Context(t).Model; m.Model != "m" || m.Provider != "mock" {
		t.Errorf("%+v", m)
	}
}

// TestRevertFurtherBack: where a file goes on from matters to those before it alone. Of one behind it, an answer with a line of the same
// number is in one piece.
func TestRevertFurtherBack(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	segment := func(at, name string) string {
		return strings.Replace(strings.Replace(place, "01-22-10", at, 1), ".jsonl", "_"+name+".jsonl", 1)
	}
	thought := item(`{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}`)
	sourcetest.Write(t, env.Home, place, envelope(0, header(id, ""), item(user("one")), item(says("A")), item(user("two")), item(says("B")), item(user("three"))))
	sourcetest.Write(t, env.Home, segment("01-30-00", "aa"), envelope(5, header(id, base(5, id)), item(user("four"))))
	sourcetest.Write(t, env.Home, segment("01-31-00", "bb"), envelope(2, header(id, base(2, id)), item(user("five")), thought, item(says("C"))))
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if got, want := r.View(t), []string{"user: one", "user: five", "assistant: (hm) | C"}; r.Err != nil || !slices.Equal(got, want) {
		t.Errorf("%v %q\n%s", r.Err, got, r.Story())
	}
}

// TestRevertIntoAnAnswer: Codex counts lines, of which one answer may have several; what stands behind the cut is off the path.
func TestRevertIntoAnAnswer(t *testing.T) {
	segment := strings.Replace(strings.Replace(place, "01-22-10", "01-30-00", 1), ".jsonl", "_aa.jsonl", 1)
	lines := []string{
		header(id, ""), settings, item(user("one")), item(says("A")), item(says("B")),
		item(`{"type":"function_call","call_id":"c","name":"shell","arguments":"{}"}`), item(`{"type":"function_call_output","call_id":"c","output":"x"}`), item(says("C")),
	}
	for end, want := range map[int]string{
		3: "", 4: "assistant: A\n", 5: "assistant: A B\n", 6: "assistant: A B shell#c{}\ntoolResult!: [no result: interrupted]\n",
		7: "assistant: A B shell#c{}\ntoolResult: x\n", len(lines): "assistant: A B shell#c{}\ntoolResult: x\nassistant: C\n",
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place, envelope(0, lines...))
		sourcetest.Write(t, env.Home, segment, envelope(end, header(id, base(end, id)), item(user("two"))))
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if got := r.Seen(t); r.Err != nil || got != "user: one\n"+want+"user: two\n" || !bytes.Contains(r.Log, []byte(`"C"`)) {
			t.Errorf("before line %d: %v\n%s", end, r.Err, got)
		}
	}
}

// TestCompressed: a file that was compressed is read as the plain one was, and where both are there, it is one session.
func TestCompressed(t *testing.T) {
	text := envelope(0, header(id, ""), settings, item(user("one")), item(says("A")))
	pack, _ := zstd.NewWriter(nil)
	env := sourcetest.Env(t, t.TempDir())
	plain := sourcetest.Write(t, env.Home, place, text)
	packed := sourcetest.Write(t, env.Home, place+".zst", string(pack.EncodeAll([]byte(text), nil)))
	sourcetest.Write(t, env.Home, ".codex/archived_sessions/"+filepath.Base(place), text)
	before := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if before.Files[0] != plain || before.Archived {
		t.Errorf("%+v", before)
	}
	want := sourcetest.Read(t, Source{}, env, before)
	for _, path := range []string{plain, filepath.Join(env.Home, ".codex/archived_sessions", filepath.Base(place))} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if found.Files[0] != packed || found.FirstMessage != "one" || found.Model != "m" {
		t.Errorf("%+v", found)
	}
	for _, f := range []sources.Found{found, before} { // the second was compressed after it was found
		if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || !bytes.Equal(r.Log, want.Log) {
			t.Errorf("%v\n%s", r.Err, r.Log)
		}
	}
}

// TestCompressedInParts: what is unpacked are all frames of a file, and of one that is damaged or cut off those lines that stand before it.
func TestCompressedInParts(t *testing.T) {
	pack, _ := zstd.NewWriter(nil)
	first := pack.EncodeAll([]byte(envelope(0, header(id, ""), settings, item(user("one")))), nil)
	second := pack.EncodeAll([]byte(envelope(3, item(says("A")), item(user("two")))), nil)
	skipped := append([]byte{0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0}, "any"...)
	for name, c := range map[string]struct {
		frames  [][]byte
		want    string
		damaged int
	}{
		"two frames": {[][]byte{first, skipped, second}, "user: one|assistant: A|user: two", 0},
		"cut off":    {[][]byte{first, second[:len(second)/2]}, "user: one", 1},
		"rubbish":    {[][]byte{first, []byte("rubbish")}, "user: one", 1},
	} {
		env := sourcetest.Env(t, t.TempDir())
		sourcetest.Write(t, env.Home, place+".zst", string(bytes.Join(c.frames, nil)))
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		for line := range bytes.Lines(r.Log) {
			if _, err := record.Decode(bytes.TrimSpace(line)); err != nil && !strings.HasPrefix(err.Error(), "the rest of "+filepath.Base(place)+".zst can't be unpacked: ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := strings.Join(r.View(t), "|"); r.Err != nil || r.Damaged != c.damaged || got != c.want {
			t.Errorf("%s: %v, %d damaged, %s", name, r.Err, r.Damaged, got)
		}
	}
}

// TestMigrated: Codex rewrites older files in place, with other events on the same lines; the entries stay the same.
func TestMigrated(t *testing.T) {
	entries := func(text string) (out []string) {
		for _, rec := range read(t, text).Records {
			out = append(out, sourcetest.Entry(rec))
		}
		return out
	}
	newer := envelope(0, header(id, `,"history_mode":"paginated"`), item(user("one")), `event_msg {"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"one"}]}}`, item(says("A")))
	older := strings.NewReplacer(`"ordinal":0,`, "", `"ordinal":1,`, "", `"ordinal":2,`, "", `"ordinal":3,`, "").Replace(
		envelope(0, header(id, ""), item(user("one")), `event_msg {"type":"user_message","message":"one"}`, item(says("A"))))
	if a, b := entries(newer), entries(older); !slices.Equal(a, b) || len(a) != 3 {
		t.Errorf("%q, %q", a, b)
	}
}
