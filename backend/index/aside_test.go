package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSetAsideGoesOn: what was being set aside when the program was killed is set aside whole.
func TestSetAsideGoesOn(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	write := func(path string) {
		if err := os.WriteFile(path, []byte(path), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(path)
	write(filepath.Join(dir, asideName+"7.db-wal"))
	if err := setAside(path); err != nil {
		t.Fatal(err)
	}
	if waiting := asides(dir); len(waiting) != 1 || filepath.Base(waiting[0]) != asideName+"7.db" {
		t.Errorf("%v", waiting)
	}
	if data, err := os.ReadFile(filepath.Join(dir, asideName+"7.db-wal")); err != nil || !strings.Contains(string(data), asideName) {
		t.Errorf("%s, %v", data, err)
	}
	write(path)
	write(path + "-wal")
	write(filepath.Join(dir, asideName+"8.db-wal")) // of one that has written again since
	if err := setAside(path); err != nil {
		t.Fatal(err)
	}
	if waiting := asides(dir); len(waiting) != 2 || strings.Contains(strings.Join(waiting, " "), asideName+"8.db") {
		t.Errorf("%v", waiting)
	}
}

// TestSetAside: no more than a few wait, the newest.
func TestSetAside(t *testing.T) {
	for _, place := range []string{"cache", "[cache", "[!c]ache", `c\ache`} {
		t.Run(place, func(t *testing.T) { setAsideIn(t, filepath.Join(t.TempDir(), place)) })
	}
}

func setAsideIn(t *testing.T, dir string) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fileName)
	for i := range asideMost + 2 {
		if err := os.WriteFile(path, []byte{byte(i)}, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := setAside(path); err != nil {
			t.Fatal(err)
		}
	}
	waiting := asides(dir)
	if len(waiting) != asideMost {
		t.Fatal(waiting)
	}
	if data, err := os.ReadFile(waiting[asideMost-1]); err != nil || data[0] != asideMost+1 {
		t.Errorf("%v, %v", data, err)
	}
}

// TestSalvageByTwo: another program that puts back the same is not in the way, nor is what it has put back already.
func TestSalvageByTwo(t *testing.T) {
	dir := t.TempDir()
	lived(t, dir)
	before := everything(t, dir)
	for range 2 {
		if err := setAside(filepath.Join(dir, fileName)); err != nil {
			t.Fatal(err)
		}
		x := openAt(t, dir, tiny)
		if err := errors.Join(x.Put(t.Context(), sample(0), texts(livedTexts(0)...)), x.Close()); err != nil {
			t.Fatal(err)
		}
	}
	one, other := openAt(t, dir, tiny), openAt(t, dir, tiny)
	if err := one.Salvage(t.Context(), func() error {
		return other.Salvage(t.Context(), func() error { return nil })
	}); err != nil {
		t.Fatal(err)
	}
	now := everything(t, dir)
	delete(before, "session0")
	delete(now, "session0")
	if lost := faithful(t, before, now); len(lost) > 0 || one.Wrecked() {
		t.Errorf("lost %v; left aside: %v", lost, asides(dir))
	}
}

// TestSalvageKilled: killed in the middle of it, the program goes on at its next start.
func TestSalvageKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	lived(t, dir)
	before := everything(t, dir)
	if err := setAside(filepath.Join(dir, fileName)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), salvagerVariable+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	back, err := bufio.NewReader(out).ReadString('\n')
	if err := errors.Join(err, cmd.Process.Kill()); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("it was to be killed")
	}
	if back != "three\n" {
		t.Fatalf("it said %q", back)
	}
	now, _, anew := salvaged(t, dir)
	if lost := faithful(t, before, now); len(lost) > 0 || !anew {
		t.Errorf("lost %v; was there something to go on with: %v", lost, anew)
	}
}

// salvageOn puts back until three sessions are there, says so, and waits to be killed.
func salvageOn(dir string) error {
	x, err := open(dir, OpenOptions{}, tiny)
	if err != nil {
		return err
	}
	n := 0
	return x.Salvage(context.Background(), func() error {
		if n++; n > 3 {
			fmt.Println("three")
			select {}
		}
		return nil
	})
}
