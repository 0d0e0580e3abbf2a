package claudecode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestLargeForks: a list reads no rows of files over 8 MB. What they tell in the background tells forks then, and of what they grow by only
// that is read, unless the file is another one.
func TestLargeForks(t *testing.T) {
	const fork = "5c1395b2-2a0f-4a6a-8a7c-c9e01cd8497c"
	home := t.TempDir()
	env := sourcetest.Env(t, home)
	kept := filepath.Join(t.TempDir(), "told")
	env.Memory = sources.OpenMemory(kept, "")
	said := func(uuid, parent, text, second string) string {
		return strings.Replace(rows(uuid+" "+parent+" "+user(text)), "10:00:00", "10:00:"+second, 1)
	}
	common := said("1", "-", "one", "01") + said("9", "1", strings.Repeat("long ", 1<<21), "01") + said("2", "9", "two", "02")
	forkPlace := strings.ReplaceAll(place, id, fork)
	find := func(what string, read int64, parent string, begins int) {
		t.Helper()
		meter := &atomic.Int64{}
		ctx := sources.Metered(t.Context(), meter)
		all := map[string]sources.Found{}
		if err := (Source{}).Find(ctx, env, func(f sources.Found) error { all[f.ID] = f; return nil }); err != nil {
			t.Fatal(err)
		}
		if f := all[fork]; f.Parent != parent || f.CreatedAt.Second() != begins || meter.Load() != read {
			t.Errorf("%s: below %q, from second %d, %d bytes read, not %q, %d and %d", what, f.Parent, f.CreatedAt.Second(), meter.Load(), parent, begins, read)
		}
	}
	catchUp := func(what string, want bool) {
		t.Helper()
		if some, err := env.Memory.CatchUp(t.Context(), nil); err != nil || some != want {
			t.Errorf("%s: %t %v", what, some, err)
		}
	}
	sourcetest.Write(t, home, place, common)
	path := sourcetest.Write(t, home, forkPlace, strings.ReplaceAll(common+said("3", "2", "three", "05"), id, fork))
	find("at first", 0, "", 1)
	catchUp("at first", true)
	find("once they were read", 0, id, 5)
	catchUp("once they were read", false)
	if err := env.Memory.Save(); err != nil {
		t.Fatal(err)
	}
	env.Memory = sources.OpenMemory(kept, "")
	find("in the next program", 0, id, 5)
	more := strings.ReplaceAll(said("4", "3", "four", "06"), id, fork)
	add(t, path, more[:20])
	find("with half a row more", 2*20, id, 5) // for its rows, and for its title
	add(t, path, more[20:])
	find("with the other half", 2*int64(len(more)), id, 5)
	sourcetest.Write(t, home, forkPlace, strings.ReplaceAll(common+said("5", "2", "five", "07")+said("6", "5", "six", "08"), id, fork))
	find("written anew", 0, "", 1)
	catchUp("written anew", true)
	find("written anew, and read", 0, id, 7)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	sourcetest.Write(t, home, forkPlace, strings.ReplaceAll(common+said("5", "2", "five", "07")+said("6", "5", "six", "09"), id, fork))
	find("put off, and gone before it was read", 0, "", 1)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	catchUp("gone", true)
	if _, there := env.Memory.Known(sheetOfRows, path); there {
		t.Error("of what is gone something is known")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	sourcetest.Write(t, home, forkPlace, strings.ReplaceAll(common+said("7", "2", "seven", "07"), id, fork))
	find("another one", 0, "", 1)
	if _, err := env.Memory.CatchUp(ended, nil); err == nil {
		t.Error("it reads on when nobody waits any more")
	}
}

func add(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString(text)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestManyForks: however many files begin alike, a list reads 64 MB of them at most, and none where only one does not say what it goes on
// from.
func TestManyForks(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
	const groups, size = 6, 7 << 20
	for n := range groups {
		for i := range 2 {
			of := fmt.Sprintf("00000000-0000-4000-8000-%012d", n*2+i)
			text := rows(fmt.Sprintf("%d - %s", n, user("one")))
			if n == 0 && i == 0 { // the second goes on from the first
				of = id
			} else if n > 0 {
				text = strings.ReplaceAll(text, id, of)
			}
			sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, of), text+strings.Repeat(" ", size)+"\n")
		}
	}
	meter := &atomic.Int64{}
	err := Source{}.Find(sources.Metered(t.Context(), meter), env, func(sources.Found) error { return nil })
	if n := meter.Load(); err != nil || n > kinAll || n < 8*size {
		t.Errorf("%d bytes read, %v", n, err)
	}
	if some, err := env.Memory.CatchUp(t.Context(), nil); !some || err != nil {
		t.Error(some, err)
	}
}

// TestForksThatGrow: of files that begin alike and go on, what they were compared with before is forgotten.
func TestForksThatGrow(t *testing.T) {
	const fork = "5c1395b2-2a0f-4a6a-8a7c-c9e01cd8497c"
	env := sourcetest.Env(t, t.TempDir())
	kept := filepath.Join(t.TempDir(), "told")
	env.Memory = sources.OpenMemory(kept, "")
	common := rows("1 - " + user("one"))
	sourcetest.Write(t, env.Home, place, common)
	path := sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, fork), strings.ReplaceAll(common, id, fork))
	for i := range 5 {
		add(t, path, strings.ReplaceAll(rows(fmt.Sprintf("f%d 1 %s", i, user("more"))), id, fork))
		if err := (Source{}).Find(t.Context(), env, func(sources.Found) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if err := env.Memory.Save(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(kept)
	if n := strings.Count(string(text), agent+" kin"); err != nil || n != 2 {
		t.Errorf("%d are remembered of two files, %v", n, err)
	}
}

// TestAnotherFileMeanwhile: a file that was put off and is another one by the time that it is read is read from its beginning.
func TestAnotherFileMeanwhile(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
	path := sourcetest.Write(t, env.Home, place, rows("1 - "+user("one"), "2 1 "+user("two")))
	has := func() *kin {
		t.Helper()
		if _, err := env.Memory.CatchUp(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		told, _ := env.Memory.Known(sheetOfRows, path)
		return kinOf(nil, told.Notes[1])
	}
	f := &sources.Found{Files: []string{path}}
	first := sheetOf(env, f, &sources.Told{})
	first.readLater(env)
	if k := has(); !k.holds(numberOf("2")) {
		t.Fatal("the second row is not known")
	}
	add(t, path, rows("3 2 "+user("three")))
	then := sheetOf(env, f, &sources.Told{})
	then.readLater(env)
	sourcetest.Write(t, env.Home, place, rows("7 - "+user("seven"), "8 7 "+user("eight"), "9 8 "+user("nine"), "a 9 "+user("ten")))
	if k := has(); !k.holds(numberOf("7")) || k.holds(numberOf("2")) {
		t.Error("what is known is of the file that was there before")
	}
}
