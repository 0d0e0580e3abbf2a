package cli

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"palimpsest/backend/keys"
)

// testKeychain is a directory, where a script has one: each command is a process of its own.
func testKeychain() keys.Keychain {
	if dir := os.Getenv("TEST_KEYCHAIN"); dir != "" {
		return keychainDir(dir)
	}
	return nil
}

type keychainDir string

func (d keychainDir) path(account string) string {
	return filepath.Join(string(d), hex.EncodeToString([]byte(account)))
}

func (d keychainDir) Get(account string) (string, error) {
	data, err := os.ReadFile(d.path(account))
	if errors.Is(err, fs.ErrNotExist) {
		return "", keys.ErrNone
	}
	return string(data), err
}

func (d keychainDir) Set(account, key string) error {
	return os.WriteFile(d.path(account), []byte(key), 0o600)
}

func (d keychainDir) Delete(account string) error {
	if err := os.Remove(d.path(account)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return keys.ErrNone
}
