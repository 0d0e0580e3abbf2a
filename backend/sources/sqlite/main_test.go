package sqlite

import (
	"bufio"
	"database/sql"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The test binary is also the other process: one that writes a database and does not close it.
const (
	writerVariable = "PALIMPSEST_TEST_WRITER"
	writeRows      = "rows"      // one row stays in the log
	writeOn        = "on"        // goes on writing, with checkpoints
	holdExclusive  = "exclusive" // holds an exclusive lock
	leaveJournal   = "journal"   // dies in a transaction that has written half of its pages
)

// uncached keeps nothing: what it opens is a copy of its own.
var uncached *Cache

func TestMain(m *testing.M) {
	if kind, path := os.Getenv(writerVariable), os.Getenv(writerVariable+"_PATH"); kind != "" {
		if err := write(kind, path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// write is what the other process does: it says when it is ready, and goes when its input ends.
func write(kind, path string) error {
	journal := "wal"
	if kind == leaveJournal || kind == holdExclusive {
		journal = "delete"
	}
	db, err := sql.Open("sqlite", address(path, url.Values{"_pragma": {"journal_mode(" + journal + ")", "wal_autocheckpoint(8)", "cache_size(4)", "synchronous(0)"}}))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	begin := []string{"CREATE TABLE a(x)", "CREATE TABLE b(x)", "INSERT INTO a VALUES (1)", "INSERT INTO b VALUES (1)"}
	switch kind {
	case writeRows:
		begin = append(begin, "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_autocheckpoint(0)", "INSERT INTO a VALUES (2)")
	case holdExclusive:
		begin = append(begin, "PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "INSERT INTO a VALUES (3)")
	case leaveJournal:
		begin = append(begin, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<100) INSERT INTO a SELECT randomblob(3000) FROM n", "BEGIN", "UPDATE a SET x = randomblob(3000)", "DELETE FROM b")
	}
	for _, statement := range begin {
		if _, err := db.Exec(statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	fmt.Println("ready")
	if kind == writeOn {
		go func() {
			for range time.Tick(4 * time.Millisecond) { // as fast as an agent, not as fast as a disk: the database must not grow for ever
				for _, statement := range []string{"BEGIN", "INSERT INTO a VALUES (randomblob(2000))", "INSERT INTO b VALUES (randomblob(2000))", "COMMIT"} {
					if _, err := db.Exec(statement); err != nil {
						fmt.Fprintln(os.Stderr, err)
						os.Exit(1)
					}
				}
			}
		}()
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// another starts the other process on a new database, and returns the database's path and what ends the process as a crash would.
func another(t *testing.T, kind string) (path string, kill func()) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "agent.db")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), writerVariable+"="+kind, writerVariable+"_PATH="+path)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	kill = func() {
		if !ended {
			ended = true
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			_ = stdin.Close()
		}
	}
	t.Cleanup(kill)
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatalf("the other process said %q: %v", line, err)
	}
	return path, kill
}
