package sourcetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// Survives changes or cuts the files of a home at any byte, and reads what is found then: a session or damage, never a panic.
func Survives(t *testing.T, source sources.Source, home string) {
	t.Helper()
	whole := files(t, home)
	names := make([]string, 0, len(whole))
	for name := range whole {
		names = append(names, name)
	}
	slices.Sort(names)
	env := Env(t, t.TempDir())
	for _, name := range names {
		Write(t, env.Home, name, string(whole[name]))
	}
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(names).Draw(rt, "file")
		path := Write(t, env.Home, name, string(harm(rt, whole[name])))
		for _, f := range Find(t, source, env) {
			if slices.Contains(f.Files, path) || len(whole) < few {
				r := Read(t, source, env, f)
				r.Context(t)
				Counted(t, f, r)
			}
		}
		Write(t, env.Home, name, string(whole[name]))
		if t.Failed() {
			rt.Fatal("a harmed file broke more than itself")
		}
	})
}

// few files are all read again when one of them was harmed.
const few = 5

func harm(rt *rapid.T, data []byte) []byte {
	if len(data) == 0 {
		return data
	}
	at := rapid.IntRange(0, len(data)-1).Draw(rt, "at")
	if rapid.Bool().Draw(rt, "cut") {
		return data[:at]
	}
	data = slices.Clone(data)
	data[at] = rapid.Byte().Draw(rt, "byte")
	return data
}

func files(t testing.TB, home string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(home, path)
		if err == nil {
			all[filepath.ToSlash(name)], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files below %s: %v", len(all), home, err)
	}
	return all
}

// Fuzz reads any bytes as the file that place names.
func Fuzz(f *testing.F, source sources.Source, place string, seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	env := Env(f, f.TempDir()) // one for all: what was written last is what is read
	f.Fuzz(func(t *testing.T, data []byte) {
		Write(t, env.Home, place, string(data))
		for _, found := range Find(t, source, env) {
			Read(t, source, env, found).Context(t)
		}
	})
}

// CheckSamples reads real sessions: nothing in them is damaged or written to, each has what lists show, and what the model sees needed
// no repair but those allowed. It returns how many there were.
func CheckSamples(t *testing.T, source sources.Source, prefix string, allowed ...string) int {
	t.Helper()
	sessions := 0
	for _, home := range Samples(t, prefix) {
		env := Env(t, home)
		Unchanged(t, home, func() {
			for _, found := range Find(t, source, env) {
				sessions++
				r := Read(t, source, env, found)
				if r.Err != nil || r.Damaged != 0 || found.Problem != "" {
					t.Errorf("%s: %v, %d lines damaged, %q", found.Files[0], r.Err, r.Damaged, found.Problem)
				}
				if found.UpdatedAt.IsZero() || strings.HasPrefix(found.FirstMessage, "<") || strings.HasPrefix(found.Title, "<") {
					t.Errorf("%s: %+v", found.Files[0], found)
				}
				Counted(t, found, r)
				for _, repair := range r.Context(t).Repairs {
					if !slices.ContainsFunc(allowed, func(a string) bool { return strings.Contains(repair.Reason, a) }) {
						t.Errorf("%s: seq %d: %s", found.Files[0], repair.Seq, repair.Reason)
					}
				}
				checkOrigins(t, found, r)
			}
		})
	}
	return sessions
}

// Counted holds what a list counts against what is read.
func Counted(t *testing.T, found sources.Found, r *Reading) {
	t.Helper()
	messages, compactions := 0, 0
	for _, rec := range r.Records {
		switch rec.Type {
		case record.TypeMessage:
			messages++
		case record.TypeCompaction:
			if rec.Compaction.Counts() {
				compactions++
			}
		}
	}
	for name, count := range map[string]struct {
		listed *int
		read   int
	}{"messages": {found.Messages, messages}, "compactions": {found.Compactions, compactions}} {
		if count.listed != nil && *count.listed != count.read {
			t.Errorf("%s: the list says %d %s, read were %d", found.Files[0], *count.listed, name, count.read)
		}
	}
}

// checkOrigins holds the entries of a reading against each other: no two records have the same.
func checkOrigins(t *testing.T, found sources.Found, r *Reading) {
	t.Helper()
	seen := map[string]int64{}
	for _, rec := range r.Records {
		id := Entry(rec)
		if before := seen[id]; before != 0 && id != "" {
			t.Errorf("%s: records %d and %d are both of entry %q", found.Files[0], before, rec.Seq, id)
		}
		seen[id] = rec.Seq
	}
}

// Entry is the id that a record has in its source.
func Entry(rec record.Record) string {
	_, rest, _ := strings.Cut(rec.JSON, `"entry":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}
