package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Home is the directory that holds everything of the agent, as an absolute path: AGENT_HOME if
// that is set, else .agent in the user's home directory. A leading ~ in AGENT_HOME stands for
// the user's home, since not everything that sets a variable is a shell. The directory need not
// exist.
func Home() (string, error) {
	dir := os.Getenv("AGENT_HOME")
	if dir == "" {
		dir = filepath.Join("~", ".agent")
	}
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		user, err := UserHome()
		if err != nil {
			return "", fmt.Errorf("finding the agent's home, which AGENT_HOME may name, too: %w", err)
		}
		dir = filepath.Join(user, rest)
	}
	home, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("make the agent's home %q absolute: %w", dir, err)
	}
	return home, nil
}
