package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	for _, entry := range os.Environ() { // the tester's own settings
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "PALIMPSEST_") {
			_ = os.Unsetenv(name)
		}
	}
	goleak.VerifyTestMain(m)
}

func defaults() Config {
	return Config{
		AutoName:      AutoNameModel,
		Session:       Session{ResetHour: "4"},
		Durability:    DurabilityTurn,
		Theme:         ThemeSystem,
		IdleTimeout:   5 * time.Minute,
		Memory:        Memory{RecallTokens: 4000},
		Notifications: true,
		Tools:         Tools{Enabled: true, Timeout: 2 * time.Minute, OutputBudget: 30000},
		Compaction: Compaction{
			Enabled: true, ReserveTokens: 16384, KeepRecentTokens: 20000,
			Prune: true, ProtectedTools: "skill", HookTimeout: 30 * time.Second,
			MemoryFlush: MemoryFlush{SoftThresholdTokens: 4000},
		},
	}
}

func with(change func(*Config)) Config {
	c := defaults()
	change(&c)
	return c
}

// homeWith is a home directory whose settings file holds text.
func homeWith(t testing.TB, text string) string {
	t.Helper()
	home := t.TempDir()
	write(t, filepath.Join(home, FileName), text)
	return home
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
