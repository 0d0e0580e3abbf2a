package claudecode

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestForks: files that begin with the same row are a session and its forks, which say nothing of it; what was said before a fork goes on
// is counted in the session.
func TestForks(t *testing.T) {
	const fork = "5c1395b2-2a0f-4a6a-8a7c-c9e01cd8497c"
	said := func(uuid, parent, text, second string) string {
		row := rows(uuid + " " + parent + " " + user(text))
		return strings.Replace(row, "10:00:00", "10:00:"+second, 1)
	}
	common := said("1", "-", "one", "01") + said("2", "1", "two", "02")
	beside := strings.Replace(said("7", "-", "beside", "01"), `"type"`, `"isSidechain":true,"type"`, 1)
	long := said("5", "1", strings.Repeat("long ", 1<<16), "02") + said("2", "5", "two", "02")
	for name, c := range map[string]struct {
		session, fork string
		begins        int
	}{
		"the fork goes on":                     {common, common + said("3", "2", "three", "05"), 5},
		"nothing was said in it yet":           {common + said("3", "2", "three", "05"), common, -1},
		"both go on":                           {common + said("4", "2", "four", "09"), common + said("3", "2", "three", "05"), 5},
		"a branch was left before":             {said("1", "-", "one", "01") + said("0", "1", "left", "01") + said("2", "1", "two", "02"), common + said("3", "2", "three", "05"), 5},
		"a subagent spoke before":              {said("1", "-", "one", "01") + beside + said("2", "1", "two", "02") + said("4", "2", "four", "03"), common + said("3", "2", "three", "05"), 5},
		"rows stand there twice":               {common, common + said("3", "2", "three", "05") + said("2", "1", "two", "02"), 5},
		"long ones":                            {said("1", "-", "one", "01") + long + said("4", "2", "four", "09"), said("1", "-", "one", "01") + long + said("3", "2", "three", "05") + said("6", "3", "more", "08"), 5},
		"bookkeeping stands before":            {`{"type":"file-history-snapshot","messageId":"x"}` + "\n" + common, common + said("3", "2", "three", "05"), 5},
		"another session, with the same words": {common, said("8", "-", "one", "01") + said("9", "8", "two", "02"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			env := sourcetest.Env(t, t.TempDir())
			sourcetest.Write(t, env.Home, place, c.session)
			sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, fork), strings.ReplaceAll(c.fork, id, fork))
			env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
			for range 2 { // the second time it is remembered
				all := byID(t, env)
				of, is := all[id], all[fork]
				switch {
				case c.begins == 0:
					if is.Parent != "" || of.Parent != "" {
						t.Errorf("%+v\n%+v", of, is)
					}
				case c.begins < 0: // nothing tells which one it is
					if one := is.Parent == id && is.Relation == sources.Fork; one == (of.Parent == fork && of.Relation == sources.Fork) {
						t.Errorf("%+v\n%+v", of, is)
					}
				case of.Parent != "" || is.Parent != id || is.Relation != sources.Fork || is.CreatedAt.Second() != c.begins || of.CreatedAt.Second() != 1:
					t.Errorf("%+v\n%+v", of, is)
				}
			}
		})
	}
}

// TestForkOfACompaction: a fork that has nothing but what was copied begins behind all of it, also where that ends in no message.
func TestForkOfACompaction(t *testing.T) {
	const fork = "5c1395b2-2a0f-4a6a-8a7c-c9e01cd8497c"
	common := rows("1 - "+user("one"), "2 1 "+user("two"), "b - "+boundary(`,"logicalParentUuid":"2"`))
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, common)
	sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, fork), strings.ReplaceAll(common, id, fork))
	if made := byID(t, env)[fork]; made.Parent != id || made.CreatedAt.Second() != 2 || made.CreatedAt.Nanosecond() == 0 {
		t.Errorf("%+v", made)
	}
}

// TestForksOfForks: each stands below the one that it has most of, and begins behind all that one before it has.
func TestForksOfForks(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	const second, third = "5c1395b2-2a0f-4a6a-8a7c-c9e01cd8497c", "0a1395b2-2a0f-4a6a-8a7c-c9e01cd8497d" // not in the order of their names
	text := ""
	for _, c := range []struct{ id, uuid, parent, second string }{{id, "1", "-", "01"}, {second, "2", "1", "05"}, {third, "3", "2", "09"}} {
		text += strings.Replace(rows(c.uuid+" "+c.parent+" "+user(c.uuid)), "10:00:00", "10:00:"+c.second, 1)
		sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, c.id), strings.ReplaceAll(text, id, c.id))
	}
	all := byID(t, env)
	for _, c := range []struct {
		id, parent string
		begins     int
	}{{id, "", 1}, {second, id, 5}, {third, second, 9}} {
		if f := all[c.id]; f.Parent != c.parent || f.CreatedAt.Second() != c.begins {
			t.Errorf("%s: below %q, from second %d, not %q and %d", c.id, f.Parent, f.CreatedAt.Second(), c.parent, c.begins)
		}
	}
}

// TestForksAsTheyAreCopied: what was remembered of a fork of which the beginning alone was there does not stay.
func TestForksAsTheyAreCopied(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
	const fork = "5c1395b2-2a0f-4a6a-8a7c-c9e01cd8497c"
	said := func(uuid, parent, second string) string {
		return strings.Replace(rows(uuid+" "+parent+" "+user(uuid)), "10:00:00", "10:00:"+second, 1)
	}
	all := []string{said("1", "-", "01"), said("2", "1", "02"), said("3", "2", "03"), said("4", "3", "09")}
	sourcetest.Write(t, env.Home, place, strings.Join(all[:3], ""))
	for n := range all {
		sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, fork), strings.ReplaceAll(strings.Join(all[:n+1], ""), id, fork))
		byID(t, env)
	}
	if found := byID(t, env); found[id].Parent != "" || found[fork].Parent != id || found[fork].CreatedAt.Second() != 9 {
		t.Errorf("%+v\n%+v", found[id], found[fork])
	}
}

// TestForksWrittenAgain: which session is a fork of which stays where only one of their files is written again as it was, and of the others it is
// remembered.
func TestForksWrittenAgain(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")
	const fork, of = "5c1395b2-2a0f-4a6a-8a7c-c9e01cd8497c", "0a1395b2-2a0f-4a6a-8a7c-c9e01cd8497d" // the second is made of the first
	said := func(uuid, parent, second string) string {
		return strings.Replace(rows(uuid+" "+parent+" "+user(uuid)), "10:00:00", "10:00:"+second, 1)
	}
	begun, ended := said("1", "-", "01"), said("2", "1", "03")
	var last string
	for one, text := range map[string]string{id: begun + said("9", "1", "02") + ended, fork: begun + ended, of: begun + ended + said("3", "2", "05")} {
		path := sourcetest.Write(t, env.Home, strings.ReplaceAll(place, id, one), strings.ReplaceAll(text, id, one))
		if one == fork {
			last = path
		}
	}
	before := byID(t, env)
	if before[fork].Parent != id || before[of].Parent != fork || before[id].Parent != "" {
		t.Fatalf("%+v", before)
	}
	if err := os.Chtimes(last, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if again := byID(t, env); !reflect.DeepEqual(again, before) {
		t.Errorf("%+v\nnot\n%+v", again, before)
	}
}

// TestForksOfAContinuation: what goes on in another file from a session, whose rows stand there first under that one's name, may be forked,
// too; and a file that has the rows of another session alone counts of them what that one has not.
func TestForksOfAContinuation(t *testing.T) {
	const goesOn, fork, same = "5c1395b2-2a0f-4a6a-8a7c-c9e01cd8497c", "0a1395b2-2a0f-4a6a-8a7c-c9e01cd8497d", "0b1395b2-2a0f-4a6a-8a7c-c9e01cd8497d"
	said := func(uuid, parent, second string) string {
		return strings.Replace(rows(uuid+" "+parent+" "+user(uuid)), "10:00:00", "10:00:"+second, 1)
	}
	as := func(id2, text string) string { return strings.ReplaceAll(text, id, id2) }
	begun := said("1", "-", "01") + said("2", "1", "02")
	more := said("3", "2", "05")
	for name, ends := range map[string]string{"ended": "", "goes on itself": said("9", "2", "20"), "went on before": said("9", "2", "03")} {
		env := sourcetest.Env(t, t.TempDir())
		for of, text := range map[string]string{
			id: begun + ends, goesOn: begun + as(goesOn, more), fork: as(fork, begun+more+said("4", "3", "09")),
			same: strings.ReplaceAll(begun, `"version":"2.1"`, `"version":"2.0"`) + said("5", "2", "11"),
		} {
			sourcetest.Write(t, env.Home, as(of, place), text)
		}
		all := byID(t, env)
		for _, c := range []struct {
			id, parent string
			relation   sources.Relation
			begins     int
		}{{id, "", "", 1}, {goesOn, id, sources.Continuation, 5}, {fork, goesOn, sources.Fork, 9}, {same, id, sources.Continuation, 11}} {
			if f := all[c.id]; f.Parent != c.parent || f.Relation != c.relation || f.CreatedAt.Second() != c.begins {
				t.Errorf("%s: %s: %q of %q, from second %d, not %q of %q and %d", name, c.id, f.Relation, f.Parent, f.CreatedAt.Second(), c.relation, c.parent, c.begins)
			}
		}
	}
}
