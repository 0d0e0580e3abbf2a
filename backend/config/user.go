package config

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"sync"

	"github.com/adrg/xdg"
)

// UserHome is the user's home directory: what the environment says or, as under cron or systemd, what the system knows.
func UserHome() (string, error) {
	home, err := os.UserHomeDir()
	if err == nil {
		return home, nil
	}
	if known := knownHome(); known != "" {
		return known, nil
	}
	return "", fmt.Errorf("%w, and the system knows of no home of yours: set it", err)
}

// knownHome is that of the system, which does not change while a program runs.
var knownHome = sync.OnceValue(func() string {
	if known, err := user.Current(); err == nil {
		return known.HomeDir
	}
	return ""
})

// CacheHome is the user's directory for what can be made anew.
func CacheHome() string { return ofUser("XDG_CACHE_HOME", xdg.CacheHome) }

// StateHome is the user's directory for what a program would rather not ask again.
func StateHome() string { return ofUser("XDG_STATE_HOME", xdg.StateHome) }

// ofUser is a directory that a variable names, or that is in the user's home: for that xdg takes the root where the environment names none.
func ofUser(variable, dir string) string {
	if xdg.Home != string(filepath.Separator) || os.Getenv(variable) == dir {
		return dir
	}
	if home, err := UserHome(); err == nil {
		return filepath.Join(home, dir)
	}
	return dir
}
