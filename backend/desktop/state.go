package desktop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"palimpsest/backend/config"
	"palimpsest/backend/session"
)

// stateDir is where the program keeps what it would rather not ask again.
func stateDir() string { return filepath.Join(config.StateHome(), "palimpsest") }

// load reads a file of the state directory; what can't be read or understood is the zero value.
func load[T any](path string) T {
	var value, none T
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &value) != nil {
		return none
	}
	return value
}

// store writes such a file, whole or not at all.
func store(path string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return session.ReplaceFile(path, append(data, '\n'))
}
