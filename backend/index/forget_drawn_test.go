//go:build !race

package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

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
