package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// livedOnes is how many sessions a lived index has.
const livedOnes = 6

// lived is an index as it becomes with time: sessions that were put twice, appended to, removed, with texts in pieces, and one that nobody
// finished.
func lived(t testing.TB, dir string) {
	t.Helper()
	x, err := open(dir, OpenOptions{}, tiny)
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	for i := range livedOnes {
		must(x.Put(ctx, sample(i), texts(sampleTexts(i+100)...))) // what it was before
		s := sample(i)
		s.Gone = i%2 == 0
		s.Digest = []byte(strings.Repeat(fmt.Sprint("digest ", i), 30*i))
		s.Pieces = [][]byte{[]byte(strings.Repeat(fmt.Sprint("piece ", i), 20)), bytes.Repeat([]byte{byte(i)}, 3*pageSize)}
		must(x.Put(ctx, s, texts(append(livedTexts(i)[:3], Text{Seq: -1, Line: -1, Scope: Name, Text: "the name of before"})...)))
		s.Pieces = [][]byte{fmt.Append(nil, "the last piece of ", i)}
		must(x.Append(ctx, s, texts(livedTexts(i)[3:]...)))
	}
	must(x.Put(ctx, sample(98), texts(sampleTexts(98)...)))
	must(x.Remove(ctx, "session98"))
	broken := func(yield func(Text, error) bool) {
		for i := range 40 {
			if !yield(Text{Seq: 900, Line: i, Text: strings.Repeat(fmt.Sprint("never finished ", i), 60)}, nil) {
				return
			}
		}
		yield(Text{}, context.Canceled)
	}
	if err := x.Append(ctx, sample(3), broken); err == nil {
		t.Fatal("it was to break off")
	}
	must(x.Close())
}

func livedTexts(i int) []Text {
	out := sampleTexts(i)
	for n := range out {
		out[n].Time = time.Unix(int64(1000*i+n), 0).UTC()
	}
	out[2].Text = strings.Repeat(fmt.Sprintf("a long text 很长 of %d, ", i), 40) // in pieces
	out[4].Scope, out[4].Tool, out[4].Part = Call, "bash", 7
	return append(out, Text{Seq: -1, Line: -1, Scope: Name, Text: fmt.Sprint("the name of ", i)})
}

// textsOf are all texts of a session as a search gives them.
func textsOf(t testing.TB, x *Index, id string) []Hit {
	t.Helper()
	found, err := x.Search(context.Background(), Query{}, Options{Session: id})
	if err != nil {
		t.Fatal(err)
	}
	return found.Hits
}

type known struct {
	row   Session
	texts []Hit
}

func everything(t testing.TB, dir string) map[string]known {
	t.Helper()
	x, err := open(dir, OpenOptions{}, tiny)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	rows, err := x.Sessions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]known{}
	for _, r := range rows {
		r.Revision = 0
		out[r.ID] = known{r, textsOf(t, x, r.ID)}
	}
	return out
}

// salvaged opens what was damaged, makes it find that out, and puts back what can be read. What is there then, what it told of, and whether
// it was begun anew at all.
func salvaged(t testing.TB, dir string) (now map[string]known, told string, anew bool) {
	t.Helper()
	x, err := open(dir, OpenOptions{Warn: func(err error) { told += err.Error() + "\n" }}, tiny)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for range 2 {
		_, err := x.Sessions(ctx)
		if err == nil {
			_, err = x.Search(ctx, Query{All: []Pattern{{Text: "e"}}}, Options{Count: true})
		}
		if err == nil { // blocks that this does not read
			for i := range livedOnes {
				if _, err = x.Search(ctx, Query{}, Options{Session: fmt.Sprint("session", i)}); err != nil {
					break
				}
			}
		}
		if err == nil {
			break
		}
	}
	if anew = len(asides(dir)) > 0; anew {
		if err := x.Salvage(ctx, func() error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return everything(t, dir), told, anew
}

// faithful checks that what is there was there before, and returns the sessions of which something is missing.
func faithful(t testing.TB, before, now map[string]known) (lost []string) {
	t.Helper()
	for id, k := range now {
		was, ok := before[id]
		if !ok {
			t.Fatalf("%s was not there before", id)
		}
		if k.row.Stamp == "" { // to be read again
			was.row.Stamp, was.row.Offset = "", 0
		}
		some := len(k.row.Pieces) < len(was.row.Pieces)
		if some && k.row.Stamp == "" { // all of them, or none
			was.row.Pieces = nil
		}
		if diff := cmp.Diff(was.row, k.row, cmp.Comparer(bytes.Equal)); diff != "" {
			t.Fatalf("%s is another one: %s", id, diff)
		}
		for _, text := range k.texts {
			if !slices.Contains(was.texts, text) {
				t.Fatalf("%s never had %+v", id, text)
			}
		}
		if some || len(k.texts) < len(was.texts) {
			if k.row.Stamp != "" {
				t.Fatalf("%s lacks texts and is not read again", id)
			}
			lost = append(lost, id)
		}
	}
	for id := range before {
		if _, ok := now[id]; !ok {
			lost = append(lost, id)
		}
	}
	return lost
}

func TestSalvage(t *testing.T) {
	good := t.TempDir()
	lived(t, good)
	before := everything(t, good)
	if len(before) != livedOnes || len(before["session3"].texts) != 7 {
		t.Fatalf("%d sessions, %+v", len(before), before["session3"])
	}
	data, err := os.ReadFile(filepath.Join(good, fileName))
	if err != nil {
		t.Fatal(err)
	}
	pages := len(data) / pageSize
	flip := func(at int) []byte {
		broken := slices.Clone(data)
		broken[at] ^= 0x10
		return broken
	}
	twice := func(broken []byte, at int) []byte {
		broken[at] ^= 0x10
		return broken
	}
	for _, test := range []struct {
		name   string
		broken []byte
		most   int // sessions of which something is lost
	}{
		{"the first bytes", flip(3), 0},
		{"the size of a page", flip(16), 0},
		{"who may write it", flip(18), 0},
		{"who may read it", flip(19), 0},
		{"its version, which is a higher one", flip(63), 0},
		{"its version, which is much higher", flip(62), 0},
		{"what the tables are called", flip(pageSize - 20), 0},
		{"the first and the list of free pages", twice(flip(3), 39), livedOnes},           // what is free, nobody knows
		{"the first page", append(make([]byte, pageSize), data[pageSize:]...), livedOnes}, // whether anything is missing nobody knows
		{"cut by a page", data[:(pages-1)*pageSize], 3},
		{"cut in half", data[:len(data)/2], livedOnes},
		{"cut by a hundredth", data[:len(data)/100*99], 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, fileName), test.broken, 0o600); err != nil {
				t.Fatal(err)
			}
			now, told, anew := salvaged(t, dir)
			lost := faithful(t, before, now)
			if !anew || !strings.Contains(told, "begun anew") || len(lost) > test.most {
				t.Errorf("anew: %v, lost: %v; told %q", anew, lost, told)
			}
			if _, err := os.Stat(filepath.Join(dir, unreadName)); (err == nil) != strings.Contains(told, "could not be read") {
				t.Errorf("what was not read is there: %v; told %q", err, told)
			}
			if len(lost) > 0 && !strings.Contains(told, "could not be read") {
				t.Errorf("%v are lost, and it is not told: %q", lost, told)
			}
			if left := asides(dir); len(left) > 0 {
				t.Errorf("left aside: %v", left)
			}
		})
	}
}

// TestSalvageOfOlder: sessions of an older version are all there, to be read again where they still are.
func TestSalvageOfOlder(t *testing.T) {
	dir := t.TempDir()
	lived(t, dir)
	before := everything(t, dir)
	older(t, dir)
	now, told, _ := salvaged(t, dir)
	for id, k := range before { // which had none
		k.row.Pieces = nil
		before[id] = k
	}
	if lost := faithful(t, before, now); len(lost) > 0 || !strings.Contains(told, "everything is back: 6 sessions") {
		t.Errorf("lost %v; told %q", lost, told)
	}
	for id, k := range now {
		if k.row.Stamp != "" || k.row.Gone != before[id].row.Gone {
			t.Errorf("%+v", k.row)
		}
	}
}

// older makes an index what the version before made, which had no pieces.
func older(t *testing.T, dir string) {
	t.Helper()
	x := openAt(t, dir, tiny)
	var all []row
	err := eachRow(t.Context(), x.store.write, func(r row) error {
		r.Digest, r.pieces = slices.Clone(r.Digest), 0
		all = append(all, r)
		return nil
	}, "")
	for i := range all {
		err = errors.Join(err, x.store.write.exec(t.Context(), "UPDATE sessions SET sum = ? WHERE row = ?", all[i].sum(), all[i].row))
	}
	for _, statement := range []string{
		"ALTER TABLE sessions DROP COLUMN pieces", "DROP TABLE pieces",
		fmt.Sprintf("PRAGMA user_version = %d", version-1), fmt.Sprintf("PRAGMA application_id = %d", version-1),
	} {
		err = errors.Join(err, x.store.write.exec(t.Context(), statement))
	}
	if err = errors.Join(err, x.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestSalvageGoesOn: what was not put back when it was ended waits, and what was read meanwhile stays.
func TestSalvageGoesOn(t *testing.T) {
	dir := t.TempDir()
	lived(t, dir)
	before := everything(t, dir)
	if err := setAside(filepath.Join(dir, fileName)); err != nil {
		t.Fatal(err)
	}
	x := openAt(t, dir, tiny)
	if err := x.Put(t.Context(), sample(5), texts(sampleTexts(5)...)); err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := x.Salvage(t.Context(), func() error {
		if n++; n == 4 {
			return context.Canceled
		}
		return nil
	}); err == nil {
		t.Fatal("it was to end")
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	now, _, anew := salvaged(t, dir)
	if !anew || len(now) != livedOnes || len(now["session5"].texts) != 6 {
		t.Errorf("%v, %d sessions, %+v", anew, len(now), now["session5"])
	}
	delete(before, "session5")
	delete(now, "session5")
	if lost := faithful(t, before, now); len(lost) > 0 {
		t.Errorf("lost %v", lost)
	}
}

// TestSalvageOfWrites: what stands in the log of writes alone is put back, too, though the database can't be opened.
func TestSalvageOfWrites(t *testing.T) {
	good := t.TempDir()
	x := openAt(t, good, tiny)
	for i := range 12 {
		if err := x.Put(t.Context(), sample(i), texts(sampleTexts(i)...)); err != nil {
			t.Fatal(err)
		}
	}
	before := map[string]known{}
	for i := range 12 {
		s := sample(i)
		before[s.ID] = known{s, textsOf(t, x, s.ID)}
	}
	writes, err := os.ReadFile(filepath.Join(good, fileName+"-wal"))
	if err != nil {
		t.Fatal(err)
	}
	broken, err := os.ReadFile(filepath.Join(good, fileName))
	if err != nil {
		t.Fatal(err)
	}
	copy(broken, "no database")
	for _, test := range []struct {
		name, file string
		database   []byte
	}{
		{"no database any more", asideName + "1.db", broken},
		{"emptied", fileName, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for suffix, data := range map[string][]byte{"": test.database, "-wal": writes} {
				if err := os.WriteFile(filepath.Join(dir, test.file+suffix), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			now, told, _ := salvaged(t, dir)
			if lost := faithful(t, before, now); len(lost) > 0 || len(now) != 12 {
				t.Errorf("%d sessions, lost %v; told %q", len(now), lost, told)
			}
		})
	}
}

// TestSalvageOfOthers: one that can't be read waits, and keeps no other from being put back.
func TestSalvageOfOthers(t *testing.T) {
	dir := t.TempDir()
	lived(t, dir)
	before := everything(t, dir)
	if err := setAside(filepath.Join(dir, fileName)); err != nil {
		t.Fatal(err)
	}
	strange := filepath.Join(dir, asideName+"9.db")      // the newest, by its name
	if err := os.Symlink(strange, strange); err != nil { // leads to itself
		t.Fatal(err)
	}
	x := openAt(t, dir, tiny)
	if err := x.Salvage(t.Context(), func() error { return nil }); err == nil || !strings.Contains(err.Error(), strange) {
		t.Errorf("%v", err)
	}
	if lost := faithful(t, before, everything(t, dir)); len(lost) > 0 || !slices.Equal(asides(dir), []string{strange}) {
		t.Errorf("lost %v; left aside: %v", lost, asides(dir))
	}
}
