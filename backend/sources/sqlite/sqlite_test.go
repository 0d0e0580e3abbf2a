package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func count(t *testing.T, db Database, query string) (n int) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// traces is what could tell that somebody was here.
func traces(t *testing.T, dir string) map[string]file {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]file{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = fileOf(info)
	}
	return out
}

// TestNewestRowIsSeen: what is still in the log of a running writer is read, and nothing beside the database changes.
func TestNewestRowIsSeen(t *testing.T) {
	path, _ := another(t, writeRows)
	before, temp := traces(t, filepath.Dir(path)), t.TempDir()
	if before["agent.db-wal"].size == 0 {
		t.Fatal("the log is empty: the test shows nothing")
	}
	db, cleanup, err := uncached.Open(t.Context(), temp, path)
	if err != nil {
		t.Fatal(err)
	}
	if n := count(t, db, "SELECT max(x) FROM a"); n != 2 {
		t.Errorf("the newest row is %d", n)
	}
	if _, err := db.Exec("INSERT INTO a VALUES (4)"); err == nil {
		t.Error("the copy can be written")
	}
	if err := cleanup(); err != nil {
		t.Error(err)
	}
	if after := traces(t, filepath.Dir(path)); !maps.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	if left := traces(t, temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestAfterTheCrashOfItsWriter: the same with nobody there any more.
func TestAfterTheCrashOfItsWriter(t *testing.T) {
	path, kill := another(t, writeRows)
	kill()
	db, cleanup, err := uncached.Open(t.Context(), t.TempDir(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cleanup() }()
	if n := count(t, db, "SELECT max(x) FROM a"); n != 2 {
		t.Errorf("the newest row is %d", n)
	}
}

// TestOneMoment: however fast it is written, a copy is one state of the database.
func TestOneMoment(t *testing.T) {
	path, _ := another(t, writeOn)
	cache := &Cache{}
	defer func() { _ = cache.Close() }()
	temp, last, grew := t.TempDir(), 0, false
	for seen, busy := 0, 0; seen < 20; seen++ {
		db, release, err := cache.Open(t.Context(), temp, path)
		if errors.Is(err, ErrBusy) && busy < 20 { // it says so, and may be tried again
			busy++
			seen--
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		a, b := count(t, db, "SELECT count(*) FROM a"), count(t, db, "SELECT count(*) FROM b")
		if a != b || a < last {
			t.Errorf("%d rows here, %d there, %d before", a, b, last)
		}
		var check string
		if err := db.QueryRow("PRAGMA integrity_check").Scan(&check); err != nil || check != "ok" {
			t.Errorf("%s, %v", check, err)
		}
		grew, last = grew || last > 0 && a > last, a
		if err := release(); err != nil {
			t.Error(err)
		}
	}
	if !grew {
		t.Error("nothing was written meanwhile: the test shows nothing")
	}
}

// TestLockedExclusively: a lock of the writer's stops nobody from reading a copy.
func TestLockedExclusively(t *testing.T) {
	path, _ := another(t, holdExclusive)
	db, cleanup, err := uncached.Open(t.Context(), t.TempDir(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cleanup() }()
	if n := count(t, db, "SELECT max(x) FROM a"); n != 1 {
		t.Errorf("%d: what is not committed was read", n)
	}
}

// TestHalfATransaction: what a crash left half written is taken back in the copy.
func TestHalfATransaction(t *testing.T) {
	path, kill := another(t, leaveJournal)
	kill()
	before := traces(t, filepath.Dir(path))
	if before["agent.db-journal"].size == 0 {
		t.Fatal("there is no journal: the test shows nothing")
	}
	db, cleanup, err := uncached.Open(t.Context(), t.TempDir(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cleanup() }()
	if a, b := count(t, db, "SELECT count(*) FROM a"), count(t, db, "SELECT count(*) FROM b"); a != 101 || b != 1 {
		t.Errorf("%d and %d rows", a, b)
	}
	if after := traces(t, filepath.Dir(path)); !maps.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
}

// TestQuietDatabase: one in write-ahead mode whose log is gone, on a place that nobody may write to.
func TestQuietDatabase(t *testing.T) {
	path := quiet(t)
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
	db, cleanup, err := uncached.Open(t.Context(), t.TempDir(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cleanup() }()
	if n := count(t, db, "SELECT x FROM a"); n != 1 {
		t.Error(n)
	}
}

// quiet makes a database in write-ahead mode that was closed, and is old.
func quiet(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "quiet #%.db")
	db, err := sql.Open("sqlite", address(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"PRAGMA journal_mode=wal", "CREATE TABLE a(x)", "CREATE VIEW v AS SELECT x FROM a", "INSERT INTO a VALUES (1)"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	age(t, path)
	return path
}

func age(t *testing.T, path string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNoDatabase(t *testing.T) {
	temp := t.TempDir()
	for name, text := range map[string]string{
		"corrupt": "SQLite format 3\x00" + strings.Repeat("\xff", 4096), "text": strings.Repeat("no database ", 200),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := uncached.Open(t.Context(), temp, path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		if _, _, err := uncached.Open(t.Context(), temp, path); err == nil {
			t.Errorf("%s was opened", path)
		}
	}
	if left := traces(t, temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	temp := t.TempDir()
	if _, _, err := uncached.Open(ctx, temp, quiet(t)); err == nil {
		t.Error("a copy was made")
	}
	if left := traces(t, temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestCache: one copy as long as the source stays what it was, and none after Close.
func TestCache(t *testing.T) {
	path, temp, cache := quiet(t), t.TempDir(), &Cache{}
	first, done1, err := cache.Open(t.Context(), temp, path)
	if err != nil {
		t.Fatal(err)
	}
	second, done2, err := cache.Open(t.Context(), temp, path)
	if err != nil || first != second {
		t.Fatalf("another copy of the same database: %v", err)
	}
	one := slices.Collect(maps.Keys(traces(t, temp)))
	age(t, path) // the source changed
	third, done3, err := cache.Open(t.Context(), temp, path)
	if err != nil || third == first {
		t.Fatalf("the copy of what was before: %v", err)
	}
	if n := count(t, first, "SELECT x FROM a"); n != 1 {
		t.Error("a copy that is in use went")
	}
	for _, done := range []func() error{done1, done2, done2} {
		if err := done(); err != nil {
			t.Error(err)
		}
	}
	left := traces(t, temp)
	if _, there := left[one[0]]; there || len(left) != 1 {
		t.Errorf("%v of %v are left", left, one)
	}
	if err := cache.Close(); err != nil {
		t.Error(err)
	}
	if n := count(t, third, "SELECT x FROM a"); n != 1 {
		t.Error("a copy that is in use went")
	}
	if err := done3(); err != nil {
		t.Error(err)
	}
	if left := traces(t, temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, _, err := cache.Open(t.Context(), temp, path); err == nil {
		t.Error("a closed cache gave a copy")
	}
}

// TestClearedCache: a copy that was deleted with the cache is made anew.
func TestClearedCache(t *testing.T) {
	path, temp, cache := quiet(t), t.TempDir(), &Cache{}
	defer func() { _ = cache.Close() }()
	first, done1, err := cache.Open(t.Context(), temp, path)
	if err != nil {
		t.Fatal(err)
	}
	for name := range traces(t, temp) {
		if err := os.RemoveAll(filepath.Join(temp, name)); err != nil {
			t.Skip(err) // what is open stays there
		}
	}
	second, done2, err := cache.Open(t.Context(), temp, path)
	if err != nil || second == first {
		t.Fatalf("the copy that is not there any more, %v", err)
	}
	if n := count(t, second, "SELECT x FROM a"); n != 1 {
		t.Error(n)
	}
	if err := errors.Join(done1(), done2()); err != nil {
		t.Error(err)
	}
}

// TestMainFileIsCopiedOnce: where only the log grows, only the log is copied again.
func TestMainFileIsCopiedOnce(t *testing.T) {
	path, _ := another(t, writeRows)
	age(t, path)
	temp, cache := t.TempDir(), &Cache{}
	defer func() { _ = cache.Close() }()
	_, done1, err := cache.Open(t.Context(), temp, path)
	if err != nil {
		t.Fatal(err)
	}
	first := cache.kept[path].copy.path()
	file, err := os.Open(first)
	if err != nil {
		t.Fatal(err)
	}
	a, err := file.Stat() // of a file that is open: Windows looks at the others when they are compared
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Close(), done1()); err != nil {
		t.Error(err)
	}
	_, done2, err := cache.Open(t.Context(), temp, path) // the log is new, so it may have changed
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.Stat(cache.kept[path].copy.path())
	if err != nil {
		t.Fatal(err)
	}
	if first == cache.kept[path].copy.path() || !os.SameFile(a, b) {
		t.Error("the main file was copied again")
	}
	if err := done2(); err != nil {
		t.Error(err)
	}
}

func TestColumns(t *testing.T) {
	db, cleanup, err := uncached.Open(t.Context(), t.TempDir(), quiet(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cleanup() }()
	for table, want := range map[string][]string{"a": {"x"}, "v": nil, "missing": nil} {
		if has, err := Columns(t.Context(), db.DB, table); err != nil || !slices.Equal(has, want) {
			t.Errorf("%s: %v, %v", table, has, err)
		}
	}
	var x, y Text
	if err := db.QueryRow("SELECT "+Select([]string{"x"}, []string{"x", "y"}, 9)+" FROM a").Scan(&x, &y); err != nil || x != "1" || y != "" {
		t.Errorf("%q %q %v", x, y, err)
	}
	if err := db.QueryRow("SELECT " + Select([]string{"x"}, []string{"x"}, 0) + " FROM a").Scan(&x); err != nil || x != "" {
		t.Errorf("%q: too long to be read, %v", x, err)
	}
}
