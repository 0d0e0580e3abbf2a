//go:build unix

package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"palimpsest/backend/record"
)

func init() { moreRoles["full"] = playFull }

// playFull appends under a limit on the size of files until that fails, and prints what it was told.
func playFull(s *Store, id string) error {
	limit := unix.Rlimit{Cur: 3000, Max: 3000}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	for {
		batch := []record.Draft{mustDraft(user("some words")), mustDraft(user(strings.Repeat("y", 400)))}
		seqs, err := s.Append(context.Background(), id, batch)
		for _, seq := range seqs {
			fmt.Println("saved", seq)
		}
		if err != nil {
			fmt.Println("error", err)
			return nil
		}
	}
}

func TestFullDisk(t *testing.T) {
	s, id := newSession(t)
	out, err := other(t, "full", s.Home(), id).Output()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	said := string(out)
	if !strings.Contains(said, "error") || !strings.Contains(said, "what was there before is untouched") {
		t.Errorf("said:\n%s", said)
	}
	x := indexOf(t, s, id)
	seqs := seqsOf(x)
	inOrder(t, seqs, len(seqs))
	if saved := strings.Count(said, "saved"); saved != len(seqs) || saved < 5 {
		t.Errorf("told that %d are saved, the log has %d", saved, len(seqs))
	}
	if got := appendTo(t, s, id, user("when there is room again")); got[0] != int64(len(seqs)+1) {
		t.Errorf("then appended %d", got[0])
	}
	if report, err := s.Check(id); err != nil || !report.Sound() || report.Metadata != MetadataOK {
		t.Errorf("%+v, %v", report, err)
	}
	left, err := filepath.Glob(filepath.Join(s.dir(id), "*.tmp-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestFailedWriteCountsIfOnlyTheNewlineIsMissing limits the log to just before the newline of the record to come.
func TestFailedWriteCountsIfOnlyTheNewlineIsMissing(t *testing.T) {
	s, id := newSession(t)
	draft := mustDraft(user("whole but for its end"))
	line, err := draft.Line(1)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestAppendOneUnderLimit$", "-test.v")
	cmd.Env = append(os.Environ(), fmt.Sprintf("PALIMPSEST_TEST_LIMIT=%d", len(line)-1),
		"PALIMPSEST_TEST_HOME="+s.Home(), "PALIMPSEST_TEST_ID="+id)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "appended [1]") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := appendTo(t, s, id, user("next"))[0]; got != 2 {
		t.Errorf("the next is %d", got)
	}
	x := indexOf(t, s, id)
	inOrder(t, seqsOf(x), 2)
	if len(x.Damage) != 0 {
		t.Errorf("damage %+v", x.Damage)
	}
}

// TestAppendOneUnderLimit is the other half of the test above, in a process of its own.
func TestAppendOneUnderLimit(t *testing.T) {
	var limit uint64
	if _, err := fmt.Sscan(os.Getenv("PALIMPSEST_TEST_LIMIT"), &limit); err != nil {
		t.Skip("runs only as a child of TestFailedWriteCountsIfOnlyTheNewlineIsMissing")
	}
	s := Open(os.Getenv("PALIMPSEST_TEST_HOME"), Options{})
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Fatal(err)
	}
	seqs, err := s.Append(context.Background(), os.Getenv("PALIMPSEST_TEST_ID"), []record.Draft{mustDraft(user("whole but for its end"))})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("appended", seqs)
}

// asOrdinaryUser skips where permissions don't bind: for the superuser.
func asOrdinaryUser(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("permissions don't bind the superuser; TestReadOnlyDirectory runs this as another user")
	}
}

func TestPermissionErrors(t *testing.T) {
	asOrdinaryUser(t)
	s, id := newSession(t)
	appendTo(t, s, id, user("one"))
	before := readLog(t, s, id)
	if writable, err := s.Writable(id); err != nil || !writable || !MayWrite(filepath.Join(s.Home(), "not", "there", "yet")) {
		t.Errorf("writable %v, %v", writable, err)
	}
	if err := os.Chmod(s.LogPath(id), 0o400); err != nil {
		t.Fatal(err)
	}
	if writable, err := s.Writable(id); err != nil || writable {
		t.Errorf("a log that is read-only is writable %v, %v", writable, err)
	}
	_, err := s.Append(context.Background(), id, []record.Draft{mustDraft(user("two"))})
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "nothing was written") {
		t.Errorf("a log that is read-only: %v", err)
	}
	if got := readLog(t, s, id); string(got) != string(before) {
		t.Error("the log changed")
	}
	if err := os.Chmod(s.sessions(), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(s.sessions(), 0o700); err != nil {
			t.Error(err)
		}
	})
	if MayWrite(filepath.Join(s.sessions(), "new")) {
		t.Error("a read-only directory is said to be writable")
	}
	if _, err := s.Create(New{}); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "nothing was created") {
		t.Errorf("creating in a read-only directory: %v", err)
	}
	if _, err := s.Fork(id, 0, ""); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("forking in a read-only directory: %v", err)
	}
	if entries, err := os.ReadDir(s.sessions()); err != nil || len(entries) != 1 {
		t.Errorf("half-created: %v %v", entries, err)
	}
	if err := os.Chmod(s.LogPath(id), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.OpenLog(id); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a log that can't be read: %v", err)
	}
}

// TestReadOnlyDirectory runs the permission test as a user whom permissions bind.
func TestReadOnlyDirectory(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("TestPermissionErrors runs directly")
	}
	dir, err := os.MkdirTemp("", "palimpsest-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	const nobody = 65534
	program := filepath.Join(dir, "session.test")
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(program, data, 0o755), os.Chmod(program, 0o755), os.Chown(dir, nobody, nobody), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^TestPermissionErrors$", "-test.v")
	cmd.Dir = dir
	cmd.Env = []string{"TMPDIR=" + dir, "PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestPermissionErrors") {
		t.Errorf("%v\n%s", err, out)
	}
}
