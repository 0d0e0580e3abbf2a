package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The test binary is also the other process: one that puts sessions until it is killed, or puts back what was set aside.
const (
	writerVariable   = "PALIMPSEST_TEST_INDEX"
	salvagerVariable = "PALIMPSEST_TEST_SALVAGE"
)

func TestMain(m *testing.M) {
	for name, run := range map[string]func(string) error{writerVariable: writeOn, salvagerVariable: salvageOn} {
		dir := os.Getenv(name)
		if dir == "" {
			continue
		}
		if err := run(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		removeBenchDir()
		os.Exit(code)
	}))
}

// writeOn puts the same few sessions again and again, large ones among them. All texts of a session say which round it was.
func writeOn(dir string) error {
	x, err := open(dir, OpenOptions{}, tiny)
	if err != nil {
		return err
	}
	for round := 0; ; round++ {
		for i := range 4 {
			if err := x.Put(context.Background(), Session{ID: fmt.Sprint("other", i), Stamp: fmt.Sprint(round)}, texts(roundOf(round, 30*(i+1))...)); err != nil {
				return err
			}
		}
		if round == 1 {
			fmt.Println("ready")
		}
	}
}

func roundOf(round, n int) []Text {
	out := make([]Text, n)
	for i := range out {
		out[i] = Text{Seq: int64(i), Line: i, Scope: User, Text: fmt.Sprintf("the text %d of round <%d>", i, round)}
	}
	return out
}

// checkRounds asks that each session has all of its texts and only those of one round.
func checkRounds(t *testing.T, x *Index, prefix string, n int) {
	t.Helper()
	for i := range n {
		id := fmt.Sprint(prefix, i)
		all, err := x.Search(t.Context(), Query{}, Options{Session: id})
		if err != nil {
			t.Fatal(err)
		}
		if len(all.Hits) == 0 {
			continue
		}
		if len(all.Hits) != 30*(i+1) {
			t.Fatalf("%s has %d texts, not %d", id, len(all.Hits), 30*(i+1))
		}
		round := ""
		for at, h := range all.Hits {
			this := h.After[len(fmt.Sprintf("the text %d of round ", at)):]
			if round != "" && this != round {
				t.Fatalf("%s has texts of rounds %s and %s", id, round, this)
			}
			round = this
		}
	}
}

func TestKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	x := openAt(t, dir, tiny)
	for range 2 {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), writerVariable+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		for i := range 4 { // both at once
			if err := x.Put(t.Context(), Session{ID: fmt.Sprint("mine", i)}, texts(roundOf(i, 30*(i+1))...)); err != nil {
				t.Fatal(err)
			}
			checkRounds(t, x, "other", 4)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		checkRounds(t, x, "other", 4)
		checkRounds(t, x, "mine", 4)
	}
	// What the killed ones left is cleaned up in time.
	if err := x.store.write.exec(t.Context(), "UPDATE pending SET at = 1"); err != nil {
		t.Fatal(err)
	}
	for round := range 15 {
		if err := x.Put(t.Context(), Session{ID: "mine3"}, texts(roundOf(round, 120)...)); err != nil {
			t.Fatal(err)
		}
	}
	state, err := readState(t.Context(), x.store.read)
	if err != nil || state.text > 3*state.live {
		t.Fatalf("%d bytes are kept of which %d are alive, %v", state.text, state.live, err)
	}
	checkRounds(t, x, "other", 4)
}

func TestTwoHandles(t *testing.T) {
	dir := t.TempDir()
	handles := []*Index{openAt(t, dir, tiny), openAt(t, dir, tiny)}
	var group sync.WaitGroup
	failed := make(chan error, 100)
	for h, x := range handles {
		for w := range 2 {
			group.Go(func() {
				for round := range 12 {
					i := (round + w) % 3
					id := fmt.Sprint("shared", i)
					if err := x.Put(t.Context(), Session{ID: id, Updated: time.Unix(int64(round), 0)}, texts(roundOf(round*10+h, 30*(i+1))...)); err != nil {
						failed <- err
					}
					if round%4 == 3 {
						if err := x.Remove(t.Context(), id); err != nil {
							failed <- err
						}
					}
				}
			})
		}
		group.Go(func() {
			for range 40 {
				found, err := x.Search(t.Context(), Query{All: []Pattern{{Text: "the text"}}}, Options{Count: true})
				if err != nil {
					failed <- err
				}
				for id, n := range found.Counts {
					if n%30 != 0 {
						failed <- fmt.Errorf("%s has %d texts", id, n)
					}
				}
			}
		})
	}
	group.Wait()
	close(failed)
	for err := range failed {
		t.Error(err)
	}
	for _, x := range handles {
		checkRounds(t, x, "shared", 3)
	}
}

func TestRevision(t *testing.T) {
	x := openAt(t, t.TempDir(), tiny)
	if err := x.Put(t.Context(), Session{ID: "a"}, texts()); err != nil {
		t.Fatal(err)
	}
	s, _, err := x.Session(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Append(t.Context(), s, texts(Text{Text: "one"})); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"append":       x.Append(t.Context(), s, texts(Text{Text: "one"})),
		"large append": x.Append(t.Context(), s, texts(roundOf(1, 200)...)),
		"touch":        x.Touch(t.Context(), s),
		"to nothing":   x.Append(t.Context(), Session{ID: "b"}, texts()),
	} {
		if !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBrokenOff ends a Put in its middle: what was there stays.
func TestBrokenOff(t *testing.T) {
	x := openAt(t, t.TempDir(), tiny)
	if err := x.Put(t.Context(), Session{ID: "mine0"}, texts(roundOf(1, 30)...)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	half := func(yield func(Text, error) bool) {
		for _, text := range roundOf(2, 300) {
			if !yield(text, nil) {
				return
			}
		}
		yield(Text{}, broken)
	}
	if err := x.Put(t.Context(), Session{ID: "mine0"}, half); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if err := x.Append(t.Context(), Session{ID: "mine0"}, half); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Put(ctx, Session{ID: "mine0"}, texts(roundOf(3, 30)...)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	checkRounds(t, x, "mine", 1)
	found, err := x.Search(t.Context(), Query{All: []Pattern{{Text: "<1>"}}}, Options{})
	if err != nil || len(found.Hits) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
}
