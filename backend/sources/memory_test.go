package sources

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestMemory: what a file told is told again without looking, also by the next program, until the file is another one.
func TestMemory(t *testing.T) {
	dir := t.TempDir()
	path, kept := filepath.Join(dir, "session"), filepath.Join(dir, "cache", "found")
	looks := 0
	ask := func(m *Memory, want string, looked int, whole bool) {
		t.Helper()
		looks = 0
		told := m.Recall("a", path, func() (Told, bool) {
			looks++
			text, err := os.ReadFile(path)
			return Told{Found: Found{Title: string(text)}, Notes: []string{"x", ""}}, err == nil && whole
		})
		if told.Found.Title != want || len(told.Notes) != 2 || looks != looked {
			t.Errorf("%q %q after %d looks, not %q after %d", told.Found.Title, told.Notes, looks, want, looked)
		}
	}
	write := func(text string, at int64) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(at, 0)); err != nil {
			t.Fatal(err)
		}
	}
	save := func(m *Memory) {
		t.Helper()
		if err := m.Save(); err != nil {
			t.Fatal(err)
		}
	}
	write("one", 1)
	ask(nil, "one", 1, true)
	m := OpenMemory(kept, "v1")
	ask(m, "one", 1, false) // there may be more to tell
	ask(m, "one", 1, true)
	ask(m, "one", 0, true)
	save(m)
	m = OpenMemory(kept, "v1")
	ask(m, "one", 0, true)
	write("two", 2)
	ask(m, "two", 1, true)
	write("four", 2)
	ask(m, "four", 1, true)
	save(m)
	ask(OpenMemory(kept, "v2"), "four", 1, true)
	text, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	for i := range text { // damage of any kind is forgetting
		for _, bad := range [][]byte{text[:i], append(append(append([]byte{}, text[:i]...), text[i]^1), text[i+1:]...)} {
			if err := os.WriteFile(kept, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			ask(OpenMemory(kept, "v1"), "four", 1, true)
		}
	}
}

// TestMemoryForgets: what nobody asked for since the program began is not kept for the next one.
func TestMemoryForgets(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "found")
	for _, name := range []string{"one", "two", "three"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	look := func(m *Memory, name string) (looked bool) {
		m.Recall("a", filepath.Join(dir, name), func() (Told, bool) { looked = true; return Told{}, true })
		return looked
	}
	open := func() *Memory { return OpenMemory(kept, "v1") }
	m := open()
	look(m, "one")
	look(m, "two")
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	m = open()
	if look(m, "two") || !look(m, "three") {
		t.Error("what was told was not remembered")
	}
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	if m = open(); look(m, "two") || look(m, "three") || !look(m, "one") {
		t.Error("one was asked for by nobody, the others were")
	}
	m = open()
	m.Recall("b", filepath.Join(dir, "one"), func() (Told, bool) { return Told{}, true })
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	if m = open(); look(m, "two") || look(m, "three") {
		t.Error("who asked for sessions of one agent alone forgot those of another")
	}
}

// TestPacked: what was told is what is read, and any other bytes are told from it without a panic.
func TestPacked(t *testing.T) {
	times := rapid.Custom(func(t *rapid.T) time.Time {
		at := time.Unix(rapid.Int64Range(-1e11, 2e11).Draw(t, "s"), rapid.Int64Range(0, 999999999).Draw(t, "ns"))
		return rapid.SampledFrom([]time.Time{{}, at.UTC(), at.In(time.FixedZone("", 7200))}).Draw(t, "zone")
	})
	counts := rapid.Custom(func(t *rapid.T) *int {
		if rapid.Bool().Draw(t, "none") {
			return nil
		}
		n := rapid.IntRange(0, 1<<40).Draw(t, "n")
		return &n
	})
	rapid.Check(t, func(t *rapid.T) {
		var want Told
		for _, text := range want.Found.texts() {
			*text = rapid.String().Draw(t, "text")
		}
		f := &want.Found
		f.CreatedAt, f.UpdatedAt = times.Draw(t, "created"), times.Draw(t, "updated")
		f.Messages, f.Compactions = counts.Draw(t, "messages"), counts.Draw(t, "compactions")
		f.Bytes, f.Archived = rapid.Int64().Draw(t, "bytes"), rapid.Bool().Draw(t, "archived")
		path := rapid.StringN(1, -1, -1).Draw(t, "path")
		names := rapid.OneOf(rapid.StringN(1, -1, -1), rapid.Just(path))
		if files := rapid.SliceOf(names).Draw(t, "files"); len(files) > 0 {
			f.Files, want.Notes = files, files[1:len(files):len(files)]
		}
		if len(want.Notes) == 0 {
			want.Notes = nil
		}
		bytes := packTold(nil, &want, path)
		p := packed{text: string(bytes)}
		got := p.told(path)
		for _, pair := range [][2]*time.Time{{&got.Found.CreatedAt, &f.CreatedAt}, {&got.Found.UpdatedAt, &f.UpdatedAt}} {
			if !pair[0].Equal(*pair[1]) {
				t.Fatalf("%v, not %v", pair[0], pair[1])
			}
			*pair[0] = *pair[1]
		}
		if p.bad || p.text != "" || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v %q: %+v, not %+v", p.bad, p.text, got, want)
		}
		cut := packed{text: string(bytes[:rapid.IntRange(0, len(bytes)-1).Draw(t, "cut")])}
		if cut.told(path); !cut.bad {
			t.Fatal("half of it was taken for all")
		}
		bytes[rapid.IntRange(0, len(bytes)-1).Draw(t, "at")] ^= rapid.Byte().Draw(t, "by")
		other := packed{text: string(bytes)}
		other.told(path)
	})
}

// TestFoundIsPacked: a member that lists show and nobody packs would be lost at the next start.
func TestFoundIsPacked(t *testing.T) {
	full := Told{Notes: []string{"note"}}
	v := reflect.ValueOf(&full.Found).Elem()
	one := 1
	for i := range v.NumField() {
		switch field := v.Field(i); field.Interface().(type) {
		case string, Relation:
			field.SetString(v.Type().Field(i).Name)
		case []string:
			field.Set(reflect.ValueOf([]string{"file"}))
		case time.Time:
			field.Set(reflect.ValueOf(time.Unix(1, 0).UTC()))
		case *int:
			field.Set(reflect.ValueOf(&one))
		case int64:
			field.SetInt(1)
		case bool:
			field.SetBool(true)
		default:
			t.Fatalf("%s: of a kind that is not packed", v.Type().Field(i).Name)
		}
	}
	full.Found.KeptAt, full.Found.FromCopy, full.Found.Stood, full.Found.Own, full.Found.EarlierOf = time.Time{}, false, "", "", "" // which no source sets

	full.Found.Lacks, full.Found.Beside = "", "" // which no file tells of itself
	p := packed{text: string(packTold(nil, &full, "/path"))}
	if got := p.told("/path"); !reflect.DeepEqual(got, full) {
		t.Errorf("%+v, not %+v", got, full)
	}
}
