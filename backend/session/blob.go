package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Keep puts bytes beside a session's log, under their SHA-256 in hex, and returns that. They are on disk when it returns.
func (s *Store) Keep(id string, data []byte) (sha string, err error) {
	dir, err := s.existing(id)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	sha = hex.EncodeToString(sum[:])
	blobs := filepath.Join(dir, "blobs")
	if err := makeBlobs(blobs); err != nil {
		return "", fmt.Errorf("session %s: keeping %d bytes: %w", id, len(data), err)
	}
	path := filepath.Join(blobs, sha)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(data)) {
		if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, data) {
			return sha, nil
		}
	}
	if err := ReplaceFile(path, data); err != nil {
		return "", fmt.Errorf("session %s: keeping %d bytes: %w", id, len(data), err)
	}
	return sha, nil
}

// makeBlobs makes the directory if it is not there. A link in its place is refused: what is kept stays in the session.
func makeBlobs(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		return SyncDir(filepath.Dir(dir))
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no directory", dir)
	}
	return err
}
