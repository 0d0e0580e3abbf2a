package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// filled makes an index with sheets, loose blocks and sessions.
func filled(t *testing.T, dir string) {
	t.Helper()
	x := openAt(t, dir, tiny)
	for i := range 12 {
		if err := x.Put(t.Context(), sample(i), texts(sampleTexts(i)...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

func sample(i int) Session {
	return Session{ID: fmt.Sprint("session", i), Stamp: fmt.Sprint("stamp", i), Updated: time.Unix(int64(i), 0).UTC(), Offset: int64(i), Digest: []byte(strings.Repeat("digest ", 20))}
}

func sampleTexts(i int) []Text {
	var out []Text
	for n := range 6 {
		out = append(out, Text{Seq: int64(n), Line: n, Scope: Scopes[n%4], Text: fmt.Sprintf("common words of %d and more of them needle%d", n, i)})
	}
	return out
}

// checkFilled asks for everything there should be. An index that says it was damaged is fine, and empty then.
func checkFilled(t *testing.T, x *Index) {
	t.Helper()
	rows, err := x.Sessions(t.Context())
	if errors.Is(err, ErrRebuilt) {
		if rows, err = x.Sessions(t.Context()); err != nil || len(rows) != 0 {
			t.Fatalf("after it was begun anew there are %d sessions, %v", len(rows), err)
		}
		checkWrites(t, x)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		checkWrites(t, x)
		return
	}
	if len(rows) != 12 {
		t.Fatalf("%d of 12 sessions", len(rows))
	}
	for _, s := range rows {
		var i int
		if _, err := fmt.Sscanf(s.ID, "session%d", &i); err != nil {
			t.Fatal(err)
		}
		s.Revision = 0
		if diff := cmp.Diff(sample(i), s); diff != "" {
			t.Fatal(diff)
		}
	}
	for i := range 12 {
		found, err := x.Search(t.Context(), Query{All: []Pattern{{Text: fmt.Sprint("needle", i)}}, None: []Pattern{{Text: fmt.Sprintf("needle%d0", i)}, {Text: "needle11"}}}, Options{Count: true})
		if errors.Is(err, ErrRebuilt) {
			checkWrites(t, x)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 || i == 11 {
			continue
		}
		if len(found.Hits) != 1 || found.Counts[fmt.Sprint("session", i)] != 6 {
			t.Fatalf("needle%d: %+v", i, found)
		}
	}
	checkWrites(t, x)
}

// checkWrites writes until that works, as it must at the second time.
func checkWrites(t *testing.T, x *Index) {
	t.Helper()
	var err error
	for range 2 {
		if err = x.Put(t.Context(), sample(99), texts(sampleTexts(99)...)); !errors.Is(err, ErrRebuilt) {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Search(t.Context(), Query{All: []Pattern{{Text: "needle99"}}}, Options{})
	if errors.Is(err, ErrRebuilt) {
		return // damage that only this search came across
	}
	if err != nil || len(found.Hits) != 1 {
		t.Fatalf("what was written is not found: %+v, %v", found, err)
	}
}

// TestDamageWhileOpen damages the file under an open index.
func TestDamageWhileOpen(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	x := openAt(t, dir, tiny)
	path := filepath.Join(dir, fileName)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("noise", int(info.Size()/5))), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Search(t.Context(), Query{All: []Pattern{{Text: "common"}}}, Options{}); !errors.Is(err, ErrRebuilt) {
		t.Fatalf("not rebuilt: %v", err)
	}
	found, err := x.Search(t.Context(), Query{All: []Pattern{{Text: "common"}}}, Options{})
	if err != nil || len(found.Hits) != 0 || !found.Complete {
		t.Fatalf("%+v, %v", found, err)
	}
	checkWrites(t, x)
}

// TestNewerVersion: what a newer program made is not touched, and an index of this one stands beside it.
func TestNewerVersion(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	as(t, dir, 99)
	path := filepath.Join(dir, fileName)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for want := range 2 { // opened again, it is the same one
		x, err := open(dir, OpenOptions{Warn: func(err error) {
			if told++; !errors.Is(err, errNewer) {
				t.Error(err)
			}
		}}, tiny)
		if err != nil {
			t.Fatal(err)
		}
		if size, err := x.Size(t.Context()); err != nil || size.Sessions != want {
			t.Fatalf("%+v, %v", size, err)
		}
		checkWrites(t, x)
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the newer index is another one: %v", err)
	}
	if waiting := asides(dir); len(waiting) > 0 || told != 1 {
		t.Errorf("set aside: %v; told %d times", waiting, told)
	}
}

// as makes an index one of another version.
func as(t *testing.T, dir string, version int) {
	t.Helper()
	x := openAt(t, dir, tiny)
	for _, place := range []string{"user_version", "application_id"} {
		if err := x.store.write.exec(t.Context(), fmt.Sprintf("PRAGMA %s = %d", place, version)); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestDeleted deletes the folder of an open index, as who cleans caches does.
func TestDeleted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	filled(t, dir)
	x := openAt(t, dir, tiny)
	if err := os.RemoveAll(dir); err != nil {
		t.Skip(err) // some systems don't let it go
	}
	if rows, err := x.Sessions(t.Context()); err != nil || len(rows) != 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	checkWrites(t, x)
}

// TestStrange: what has the name of a file of the index and is none makes room for it.
func TestStrange(t *testing.T) {
	for name, strange := range map[string]func(path string) error{
		"directory": func(path string) error { return os.MkdirAll(filepath.Join(path, "more"), 0o700) },
		"link":      func(path string) error { return os.Symlink(filepath.Join(path, "nowhere"), path) },
	} {
		for _, suffix := range suffixes {
			dir := t.TempDir()
			filled(t, dir)
			path := filepath.Join(dir, fileName+suffix)
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if err := strange(path); err != nil {
				t.Skip(err) // links need a permission on some systems
			}
			x := openAt(t, dir, tiny)
			rows, err := x.Sessions(t.Context())
			if err != nil || suffix != "" && len(rows) == 0 {
				t.Errorf("%s %s: %d rows, %v", name, suffix, len(rows), err)
			}
			checkWrites(t, x)
		}
	}
}

func TestNoPlace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(file, "index"), OpenOptions{}); err == nil || !strings.Contains(err.Error(), "opening the index in") {
		t.Fatalf("opened below a file: %v", err)
	}
}

func TestClosed(t *testing.T) {
	x := openAt(t, t.TempDir(), tiny)
	if err := errors.Join(x.Close(), x.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Search(t.Context(), Query{}, Options{}); !errors.Is(err, ErrClosed) {
		t.Fatal(err)
	}
	if err := x.Put(context.Background(), Session{ID: "a"}, texts()); !errors.Is(err, ErrClosed) {
		t.Fatal(err)
	}
}
