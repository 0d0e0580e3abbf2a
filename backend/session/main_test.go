package session

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend/record"
)

// TestMain lets the test binary play another process: one that appends, holds a lock or runs into a limit.
func TestMain(m *testing.M) {
	if role := os.Getenv("PALIMPSEST_TEST_ROLE"); role != "" {
		if err := play(role); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func play(role string) error {
	home, id := os.Getenv("PALIMPSEST_TEST_HOME"), os.Getenv("PALIMPSEST_TEST_ID")
	s := Open(home, Options{Wait: time.Hour})
	switch role {
	case "append":
		n, err := strconv.Atoi(os.Getenv("PALIMPSEST_TEST_COUNT"))
		if err != nil {
			return err
		}
		longest, err := strconv.Atoi(os.Getenv("PALIMPSEST_TEST_LONGEST"))
		if err != nil {
			return err
		}
		return playAppend(s, id, n, longest)
	case "hold":
		release, err := s.Lock(context.Background(), id)
		if err != nil {
			return err
		}
		fmt.Println("held")
		var line string
		_, _ = fmt.Scanln(&line) // whatever comes, or the end of input, ends the holding
		release()
		return nil
	}
	if more, ok := moreRoles[role]; ok {
		return more(s, id)
	}
	return fmt.Errorf("no role %q", role)
}

// moreRoles are those that only some systems can play.
var moreRoles = map[string]func(s *Store, id string) error{}

// playAppend appends n records of less than so many characters, or without end if n is 0, and prints each seq once it is told that it is
// saved.
func playAppend(s *Store, id string, n, longest int) error {
	for i := 0; n == 0 || i < n; i++ {
		// Lengths that vary, so that a kill finds writes of all sizes.
		seqs, err := s.Append(context.Background(), id, []record.Draft{mustDraft(user(strings.Repeat("x", i*3701%longest)))})
		if err != nil {
			return err
		}
		fmt.Println(seqs[0])
	}
	return nil
}

func user(text string) string {
	return `{"recordType":"message","role":"user","content":[{"type":"text","text":"` + text + `"}]}`
}

func mustDraft(object string) record.Draft {
	d, err := record.NewDraft([]byte(object), time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC))
	if err != nil {
		panic(err)
	}
	return d
}

// newSession makes a store with one session in a temporary home.
func newSession(t testing.TB) (*Store, string) {
	t.Helper()
	s := Open(t.TempDir(), Options{})
	m, err := s.Create(New{})
	if err != nil {
		t.Fatal(err)
	}
	return s, m.ID
}

func appendTo(t testing.TB, s *Store, id string, objects ...string) []int64 {
	t.Helper()
	batch := make([]record.Draft, len(objects))
	for i, object := range objects {
		batch[i] = mustDraft(object)
	}
	seqs, err := s.Append(context.Background(), id, batch)
	if err != nil {
		t.Fatal(err)
	}
	return seqs
}

func readLog(t testing.TB, s *Store, id string) []byte {
	t.Helper()
	data, err := os.ReadFile(s.LogPath(id))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// indexOf indexes a session's log.
func indexOf(t testing.TB, s *Store, id string) *Index {
	t.Helper()
	x := &Index{}
	extend(t, s, id, x)
	return x
}

func extend(t testing.TB, s *Store, id string, x *Index) {
	t.Helper()
	log, err := s.OpenLog(id)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Extend(log, info.Size()); err != nil {
		t.Fatal(err)
	}
}

func seqsOf(x *Index) []int64 {
	var seqs []int64
	for _, line := range x.Lines.All() {
		if line.Seq > 0 {
			seqs = append(seqs, line.Seq)
		}
	}
	return seqs
}

// inOrder fails unless the seqs are 1 to n.
func inOrder(t testing.TB, seqs []int64, n int) {
	t.Helper()
	if len(seqs) != n {
		t.Fatalf("%d records, want %d", len(seqs), n)
	}
	for i, seq := range seqs {
		if seq != int64(i+1) {
			t.Fatalf("record %d has seq %d", i+1, seq)
		}
	}
}
