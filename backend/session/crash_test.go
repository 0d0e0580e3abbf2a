package session

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// other starts the test binary as another process.
func other(t testing.TB, role, home, id string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), append([]string{
		"PALIMPSEST_TEST_ROLE=" + role, "PALIMPSEST_TEST_HOME=" + home, "PALIMPSEST_TEST_ID=" + id,
	}, env...)...)
	cmd.Stderr = os.Stderr
	return cmd
}

// TestKilledWhileAppending kills a process that appends, at random moments. Every record it was told is saved has to be
// there, and the next append has to be whole.
func TestKilledWhileAppending(t *testing.T) {
	const kills = 60
	s, id := newSession(t)
	told, x := 0, &Index{}
	for round := range kills {
		told = max(told, killOne(t, s, id, rand.IntN(10)))
		extend(t, s, id, x)
		seqs := seqsOf(x)
		inOrder(t, seqs, len(seqs))
		if len(seqs) < told {
			t.Fatalf("round %d: told that %d is saved, the log has %d", round, told, len(seqs))
		}
		for _, d := range x.Damage {
			if d.Kind != DamageTorn {
				t.Fatalf("round %d: %+v", round, d)
			}
		}
		if got := appendTo(t, s, id, user("after the kill")); got[0] != int64(len(seqs)+1) {
			t.Fatalf("round %d: the next append is %d behind %d", round, got[0], len(seqs))
		}
		told = len(seqs) + 1
	}
	fresh := indexOf(t, s, id)
	inOrder(t, seqsOf(fresh), told)
	t.Logf("%d kills, %d records, %d torn lines", kills, told, len(fresh.Damage))
}

// killOne lets a child append until it has said a few seqs and some microseconds more, and returns the last it said.
func killOne(t *testing.T, s *Store, id string, after int) int {
	t.Helper()
	cmd := other(t, "append", s.Home(), id, "PALIMPSEST_TEST_COUNT=0", "PALIMPSEST_TEST_LONGEST=20000")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last, lines := 0, bufio.NewScanner(out)
	for i := 0; i <= after && lines.Scan(); i++ {
		last = number(t, lines.Text())
	}
	for until := time.Now().Add(time.Duration(rand.IntN(2000)) * time.Microsecond); time.Now().Before(until); {
		continue // spinning: sleeping is too coarse to hit the middle of a write
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
		last = number(t, lines.Text())
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the child ended by itself")
	}
	return last
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCutAtEveryByte cuts a log at every byte of its last two records, opens, appends and reopens it.
func TestCutAtEveryByte(t *testing.T) {
	s, id := newSession(t)
	appendTo(t, s, id, user("one"), user("two \\\" {}"), user("日本語"), user("four"))
	log := readLog(t, s, id)
	lines := bytes.SplitAfter(log, []byte("\n"))
	start := len(log) - len(lines[2]) - len(lines[3])
	for cut := start; cut <= len(log); cut++ {
		if err := os.WriteFile(s.LogPath(id), log[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		whole := bytes.Count(log[:cut], []byte("\n"))
		if cut == start+len(lines[2])-1 || cut == len(log)-1 {
			whole++ // only the newline is missing
		}
		inOrder(t, seqsOf(indexOf(t, s, id)), whole)
		if got := appendTo(t, s, id, user("next"))[0]; got != int64(whole+1) {
			t.Fatalf("cut at %d: appended %d behind %d", cut, got, whole)
		}
		x := indexOf(t, s, id)
		inOrder(t, seqsOf(x), whole+1)
		for _, d := range x.Damage {
			if d.Kind != DamageTorn {
				t.Fatalf("cut at %d: %+v", cut, d)
			}
		}
		if now := readLog(t, s, id); !bytes.HasPrefix(now, log[:cut]) {
			t.Fatalf("cut at %d: bytes that were there are gone", cut)
		}
		if report, err := s.Check(id); err != nil || !report.Sound() || report.Metadata != MetadataOK {
			t.Fatalf("cut at %d: %+v, %v", cut, report, err)
		}
	}
}

// TestTwoProcessesAppending: two processes append 1,500 records each to one session. Nothing is lost, no seq repeats
// or is skipped, and neither waits for the other to finish.
func TestTwoProcessesAppending(t *testing.T) {
	const each = 1_500
	s := Open(fastDir(t), Options{})
	m, err := s.Create(New{})
	if err != nil {
		t.Fatal(err)
	}
	outs := [2]*bytes.Buffer{{}, {}}
	var procs [2]*exec.Cmd
	for i := range procs {
		procs[i] = other(t, "append", s.Home(), m.ID, "PALIMPSEST_TEST_COUNT="+strconv.Itoa(each), "PALIMPSEST_TEST_LONGEST=200")
		procs[i].Stdout = outs[i]
		if err := procs[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range procs {
		if err := p.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	x := indexOf(t, s, m.ID)
	inOrder(t, seqsOf(x), 2*each)
	if len(x.Damage) != 0 {
		t.Fatalf("damage: %+v", x.Damage[0])
	}
	owner := make([]int, 2*each+1)
	for i, out := range outs {
		for text := range strings.FieldsSeq(out.String()) {
			owner[number(t, text)] = i + 1
		}
	}
	for seq, who := range owner[1:] {
		if who == 0 {
			t.Fatalf("seq %d is in the log and was told to nobody", seq+1)
		}
	}
	if run := longestRun(owner[1:]); run > each/2 {
		t.Errorf("one process appended %d records in a row while the other waited", run)
	} else {
		t.Logf("longest run of one process while both were at work: %d", run)
	}
}

// longestRun is the longest run of one owner between the first record of the one that came later and the last of the
// one that ended earlier.
func longestRun(owner []int) int {
	first, last := map[int]int{}, map[int]int{}
	for i, who := range owner {
		if _, seen := first[who]; !seen {
			first[who] = i
		}
		last[who] = i
	}
	longest, run := 0, 0
	for i := max(first[1], first[2]) + 1; i < min(last[1], last[2]); i++ {
		run++
		if owner[i] != owner[i-1] {
			run = 1
		}
		longest = max(longest, run)
	}
	return longest
}

// fastDir is a temporary directory in memory where there is one: the test is about locks, not about the disk.
func fastDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "palimpsest-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestBusyNamesTheHolder: a lock held by another process is an error that says whose it is.
func TestBusyNamesTheHolder(t *testing.T) {
	s, id := newSession(t)
	holder := other(t, "hold", s.Home(), id)
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("%q, %v", line, err)
	}
	impatient := Open(s.Home(), Options{Wait: time.Millisecond})
	_, err = impatient.Append(context.Background(), id, nil)
	if err == nil || !strings.Contains(err.Error(), "process "+strconv.Itoa(holder.Process.Pid)) {
		t.Errorf("got %v, want an error that names process %d", err, holder.Process.Pid)
	}
	if held, err := s.HeldBy(id); err != nil || held == nil || held.PID != holder.Process.Pid {
		t.Errorf("held by %v, %v", held, err)
	}
	if err := impatient.Trash(context.Background(), id); err == nil {
		t.Error("moved a session to the trash while another process was writing to it")
	}
	if _, err := os.Stat(filepath.Join(s.dir(id), "session.jsonl")); err != nil {
		t.Error(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := s.Append(context.Background(), id, nil)
		done <- err
	}()
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("waiting for the lock: %v", err)
	}
	if err := holder.Wait(); err != nil {
		t.Error(err)
	}
	if held, err := s.HeldBy(id); err != nil || held != nil {
		t.Errorf("let go, and held by %v, %v", held, err)
	}
}

// TestHeldByNobody: the name that a killed process left behind does not mean that it still writes.
func TestHeldByNobody(t *testing.T) {
	s, id := newSession(t)
	left := `{"pid":4194305,"host":"elsewhere","since":"2026-03-02T08:00:00Z"}`
	if err := os.WriteFile(filepath.Join(s.dir(id), "lock"), []byte(left), 0o600); err != nil {
		t.Fatal(err)
	}
	if held, err := s.HeldBy(id); err != nil || held != nil {
		t.Errorf("held by %v, %v", held, err)
	}
	release, err := s.Lock(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if held, err := s.HeldBy(id); err != nil || held != nil {
		t.Errorf("by this process, and held by %v, %v", held, err)
	}
}

// TestCancelledWhileWaiting: who gives up waiting for the lock is told so, and not that it was busy.
func TestCancelledWhileWaiting(t *testing.T) {
	s, id := newSession(t)
	release, err := s.Lock(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Append(ctx, id, nil); !errors.Is(err, context.Canceled) || errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	if _, err := Open(s.Home(), Options{Wait: -1}).Append(context.Background(), id, nil); !errors.Is(err, ErrBusy) {
		t.Errorf("not waiting at all: %v", err)
	}
}

// TestCancelledWhileOthersImport: so is who waits for another import, of this program or of another one.
func TestCancelledWhileOthersImport(t *testing.T) {
	s, _ := newSession(t)
	release, err := s.LockImports(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, who := range []*Store{s, Open(s.Home(), Options{})} {
		if _, err := who.LockImports(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, ErrBusy) {
			t.Errorf("got %v", err)
		}
	}
	release()
}
