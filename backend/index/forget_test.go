package index

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// written says in which files of a directory a word stands.
func written(t testing.TB, dir, word string) (in []string) {
	t.Helper()
	for _, path := range namesIn(dir, "*") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(word)) {
			in = append(in, filepath.Base(path))
		}
	}
	return in
}

// TestForgetBeforeSalvage: what could not be read of an index before is forgotten, too; and nothing is as long as one waits to be put back.
func TestForgetBeforeSalvage(t *testing.T) {
	dir := t.TempDir()
	lived(t, dir)
	path := filepath.Join(dir, fileName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(text, "not a database  ")
	for name, data := range map[string][]byte{fileName: text, unreadName: []byte("what could not be read")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := openAt(t, dir, tiny)
	if err := x.Forget(t.Context(), "session1"); err == nil {
		t.Error("it was forgotten, and would come back")
	}
	if err := x.Salvage(t.Context(), func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := x.Forget(t.Context(), "session1"); err != nil {
		t.Error(err)
	}
	if left := namesIn(dir, "*.db"); !slices.Equal(left, []string{path}) {
		t.Errorf("left are %v", left)
	}
}

// impatient has the program that writes to an index wait for others no longer than so many milliseconds at a time.
func impatient(t *testing.T, x *Index, milliseconds int) {
	t.Helper()
	var now int
	if err := x.store.write.QueryRowContext(t.Context(), fmt.Sprintf("PRAGMA busy_timeout = %d", milliseconds)).Scan(&now); err != nil || now != milliseconds {
		t.Fatal(now, err)
	}
}

// TestForgetIsGoneOnWith: what could not be overwritten, as somebody reads, the disk is full or the program was killed, is said to be left, is
// found by nobody, and is overwritten later.
func TestForgetIsGoneOnWith(t *testing.T) {
	const word = "unforgettable"
	for name, forget := range map[string]func(x, other *Index) (resume func()){
		"somebody reads": func(x, other *Index) func() {
			impatient(t, x, 1)
			tx, err := other.store.reads.Begin()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := readState(t.Context(), tx); err != nil {
				t.Fatal(err)
			}
			if err := x.Forget(t.Context(), "session50"); !errors.Is(err, ErrLeft) || !errors.Is(err, errReading) {
				t.Errorf("it is not told what is left: %v", err)
			}
			return func() { _ = tx.Rollback() }
		},
		"killed": func(x, _ *Index) func() {
			ctx, kill := context.WithCancel(t.Context())
			x.store.write.from = killing{x.store.write.from, "PRAGMA wal_checkpoint(TRUNCATE)", kill}
			if err := x.Forget(ctx, "session50"); !errors.Is(err, ErrLeft) {
				t.Errorf("it is not told what is left: %v", err)
			}
			return func() {}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			lived(t, dir)
			x, other := openAt(t, dir, tiny), openAt(t, dir, tiny)
			if err := x.Put(t.Context(), sample(50), texts(Text{Seq: 1, Line: 1, Scope: User, Text: word})); err != nil {
				t.Fatal(err)
			}
			resume := forget(x, other)
			if _, there, err := other.Session(t.Context(), "session50"); there || err != nil {
				t.Errorf("it is still there: %v", err)
			}
			resume()
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			x = openAt(t, dir, tiny)
			if err := x.Scrub(t.Context()); err != nil {
				t.Fatal(err)
			}
			if in := written(t, dir, word); len(in) > 0 {
				t.Errorf("it is still in %v", in)
			}
			if len(namesIn(dir, forgettingName)) > 0 {
				t.Error("it is overwritten again and again")
			}
		})
	}
}

// TestForgetRefused: what could not be begun leaves nothing to go on with; what another one has left to do stays.
func TestForgetRefused(t *testing.T) {
	for _, left := range []bool{false, true} {
		dir := t.TempDir()
		lived(t, dir)
		mark := filepath.Join(dir, forgettingName)
		if left {
			if err := os.WriteFile(mark, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		x := openAt(t, dir, tiny)
		ctx, kill := context.WithCancel(t.Context())
		x.store.write.from = killing{x.store.write.from, "DELETE FROM sessions WHERE row = ?", kill}
		if err := x.Forget(ctx, "session1"); err == nil || errors.Is(err, ErrLeft) {
			t.Errorf("it is said to be forgotten: %v", err)
		}
		if _, there, err := x.Session(t.Context(), "session1"); !there || err != nil {
			t.Errorf("it is not there: %v", err)
		}
		if _, err := os.Lstat(mark); (err == nil) != left {
			t.Errorf("the mark is there, %t, and was before, %t", err == nil, left)
		}
	}
}

// killing ends all that is done from the moment on at which a statement is first to be made.
type killing struct {
	preparer
	at   string
	kill func()
}

func (k killing) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	if query == k.at {
		k.kill()
	}
	return k.preparer.PrepareContext(ctx, query)
}

// TestWritingWaits: who wants to write while another process has the index for long waits for that.
func TestWritingWaits(t *testing.T) {
	dir := t.TempDir()
	x, other, third := openAt(t, dir, tiny), openAt(t, dir, tiny), openAt(t, dir, tiny)
	impatient(t, x, 50)
	impatient(t, third, 200)
	if err := other.store.write.exec(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- x.Put(t.Context(), sample(1), texts(livedTexts(1)...)) }()
	if err := third.store.write.exec(t.Context(), "BEGIN IMMEDIATE"); !busy(err) { // it has waited for longer than the first would at once
		t.Error(err)
	}
	if err := other.store.write.exec(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
