// Package forgets counts, for all programs that share a cache, how often something was taken away of which that has a trace. Who began to
// read or to list before may bring it back, and so compares the count when that is written. It is one up before anything is removed: who
// has written and finds the count as it was can be sure that what is removed goes behind that.
package forgets

import (
	"fmt"
	"os"
	"path/filepath"
)

// Count is the file that counts: it has a byte for each time, so that it is never seen in part. An empty path counts nothing.
type Count string

// Now is how often it was until now.
func (c Count) Now() int64 {
	info, err := os.Stat(string(c))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Add counts one more.
func (c Count) Add() error {
	if c == "" {
		return nil
	}
	err := os.MkdirAll(filepath.Dir(string(c)), 0o700)
	if err == nil {
		err = c.add()
	}
	if err != nil {
		return fmt.Errorf("noting that something is taken away: %w", err)
	}
	return nil
}

func (c Count) add() error {
	file, err := os.OpenFile(string(c), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write([]byte{'.'})
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
