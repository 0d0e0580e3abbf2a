package index

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// TestForget: of a session that is forgotten, however it came to be what it was, no file has a byte; the others are as they were.
func TestForget(t *testing.T) {
	made := t.TempDir()
	lived(t, made)
	before := everything(t, made)
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 0))
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
			t.Fatal(err)
		}
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		x := openAt(t, dir, tiny)
		other := openAt(t, dir, tiny) // another program
		var words []string
		secret := sample(50)
		said := func() Text {
			words = append(words, fmt.Sprintf("%016x", random.Uint64()))
			return Text{Seq: 1, Line: 1, Scope: User, Text: words[len(words)-1]}
		}
		secret.Pieces = [][]byte{[]byte(said().Text)}
		must(x.Put(t.Context(), secret, texts(said())))
		for range random.IntN(12) {
			switch random.IntN(5) {
			case 0:
				must(x.Put(t.Context(), secret, texts(said(), said())))
			case 1:
				must(x.Append(t.Context(), secret, texts(append(livedTexts(7), said())...)))
			case 2:
				must(x.Put(t.Context(), sample(60), texts(livedTexts(60)...)))
			case 3:
				must(x.Remove(t.Context(), "session60"))
			case 4:
				must(x.Put(t.Context(), sample(1), texts(livedTexts(1)...)))
			}
		}
		secret.Digest = []byte(said().Text)
		must(x.Touch(t.Context(), secret))
		if len(written(t, dir, words[len(words)-1])) == 0 {
			t.Fatal("nothing is found that was written last")
		}
		if len(textsOf(t, other, "session50")) == 0 {
			t.Fatal("the other does not have it")
		}
		must(x.Remove(t.Context(), "session60"))
		must(x.Put(t.Context(), before["session1"].row, texts(livedTexts(1)...)))

		must(x.Forget(t.Context(), "session50", "none"))
		for i, word := range words {
			if in := written(t, dir, word); len(in) > 0 {
				t.Errorf("round %d: word %d of %d is still in %v", seed, i, len(words), in)
			}
		}
		for _, program := range []*Index{x, other} {
			if _, there, err := program.Session(t.Context(), "session50"); there || err != nil {
				t.Errorf("it is there: %v, %v", there, err)
			}
			if len(textsOf(t, program, "session50")) > 0 {
				t.Error("its texts are found")
			}
		}
		must(x.Close())
		must(other.Close())
		if lost := faithful(t, before, everything(t, dir)); len(lost) > 0 {
			t.Errorf("lost %v", lost)
		}
	}
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

// TestCheck: what is not there as it was written is found, whatever it is; what is whole is said to be.
func TestCheck(t *testing.T) {
	for name, harm := range map[string]string{
		"a block is bent":    "UPDATE bodies SET body = CAST(substr(body, 1, length(body) - 1) || X'00' AS BLOB) WHERE block = (SELECT max(block) FROM bodies)",
		"a block is missing": "DELETE FROM bodies WHERE block = (SELECT max(block) FROM bodies)",
		"a block is twice":   "UPDATE bodies SET body = (SELECT body FROM bodies WHERE block = (SELECT min(block) FROM bodies))",
		"a row is bent":      "UPDATE sessions SET texts = texts - 1 WHERE id = 'session2'",
	} {
		t.Run(name, func(t *testing.T) {
			here, dir := t.TempDir(), t.TempDir()
			lived(t, here)
			from, x := openAt(t, here, tiny), openAt(t, dir, tiny)
			for i := range livedOnes {
				if err := from.HandOver(t.Context(), x, fmt.Sprint("session", i)); err != nil {
					t.Fatal(err)
				}
			}
			check := func() (total int64, err error) {
				for i := range livedOnes {
					bytes, failed := x.Check(context.Background(), fmt.Sprint("session", i))
					total, err = total+bytes, errors.Join(err, failed)
				}
				return total, err
			}
			size, err := x.Size(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if total, err := check(); err != nil || total != size.Text {
				t.Fatalf("%d bytes, not %d: %v", total, size.Text, err)
			}
			if _, err := x.Check(t.Context(), "none"); !errors.Is(err, ErrChanged) {
				t.Error(err)
			}
			if err := x.store.write.exec(t.Context(), harm); err != nil {
				t.Fatal(err)
			}
			if _, err := check(); !errors.Is(err, ErrRebuilt) {
				t.Errorf("nothing was found: %v", err)
			}
		})
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

// TestForgetWhatWasNeverFinished: what was written of a session when the program was killed is forgotten with it, however short ago that was.
func TestForgetWhatWasNeverFinished(t *testing.T) {
	dir := t.TempDir()
	lived(t, dir)
	x := openAt(t, dir, tiny)
	killed := errors.New("killed")
	said := func(yield func(Text, error) bool) {
		for i := range 40 {
			if !yield(Text{Seq: int64(i), Line: i, Scope: User, Text: fmt.Sprintf("unforgettable%04d", i)}, nil) {
				return
			}
			if !yield(Text{Seq: int64(i), Line: i, Scope: User, Text: strings.Repeat(fmt.Sprint("filler ", i), 100)}, nil) {
				return
			}
		}
		yield(Text{}, killed)
	}
	if err := x.Touch(t.Context(), sample(50)); err != nil {
		t.Fatal(err)
	}
	if err := x.Put(t.Context(), sample(50), said); !errors.Is(err, killed) {
		t.Fatal(err)
	}
	if len(written(t, dir, "unforgettable")) == 0 {
		t.Fatal("nothing of it was written")
	}
	if err := x.Forget(t.Context(), sample(50).ID); err != nil {
		t.Fatal(err)
	}
	if in := written(t, dir, "unforgettable"); len(in) > 0 {
		t.Errorf("it is still in %v", in)
	}
}

// TestForgetWhileOthersWrite: a write that goes on while something is forgotten is whole if it is of the same program; one of another program
// fails, and is never there in part.
func TestForgetWhileOthersWrite(t *testing.T) {
	for _, same := range []bool{true, false} {
		dir := t.TempDir()
		lived(t, dir)
		x, other := openAt(t, dir, tiny), openAt(t, dir, tiny)
		if same {
			other = x
		}
		const count = 80
		long := func(yield func(Text, error) bool) {
			for i := range count {
				if i == count/2 {
					if err := other.Forget(t.Context(), "session1"); err != nil {
						t.Error(err)
					}
				}
				if !yield(Text{Seq: int64(i), Line: i, Scope: User, Text: strings.Repeat(fmt.Sprint("said ", i), 100)}, nil) {
					return
				}
			}
		}
		err := x.Put(t.Context(), sample(50), long)
		if got := len(textsOf(t, x, sample(50).ID)); same && (err != nil || got != count) || !same && (!errors.Is(err, ErrChanged) || got != 0) {
			t.Errorf("of the same program %t: %d texts, %v", same, got, err)
		}
	}
}

// TestForgetWhatIsBeingWritten: a session that is forgotten while this program writes it is not there afterwards, and no byte of it: neither of
// what was written before, nor of what was to be.
func TestForgetWhatIsBeingWritten(t *testing.T) {
	for _, c := range []struct{ count, at int }{{1, 0}, {80, 40}, {80, 0}} {
		dir := t.TempDir()
		lived(t, dir)
		x, forgotten := openAt(t, dir, tiny), false
		said := func(yield func(Text, error) bool) {
			for i := range c.count {
				if i == c.at {
					if some := len(written(t, dir, "unforgettable")) > 0; some != (c.at > 0) {
						t.Error("what is written is not what it should be")
					}
					forgotten = true
					if err := x.Forget(t.Context(), sample(50).ID); err != nil {
						t.Error(err)
					}
					if in := written(t, dir, "unforgettable"); len(in) > 0 {
						t.Errorf("%+v: some is still in %v", c, in)
					}
				}
				text := strings.Repeat(fmt.Sprint("filler ", i), c.count) + fmt.Sprintf("unforgettable%04d", i)
				if !yield(Text{Seq: int64(i), Line: i, Scope: User, Text: text}, nil) {
					return
				}
			}
		}
		err := x.Fill(t.Context(), sample(50).ID, said, func() Session { return sample(50) }, func() bool { return !forgotten })
		if !errors.Is(err, ErrChanged) {
			t.Error(err)
		}
		if in := written(t, dir, "unforgettable"); len(in) > 0 {
			t.Errorf("%+v: some came to %v", c, in)
		}
	}
}
