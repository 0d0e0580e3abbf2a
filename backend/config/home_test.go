package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"
)

func TestHome(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	tests := []struct{ name, env, want string }{
		{"not set", "", filepath.Join(xdg.Home, ".agent")},
		{"absolute", elsewhere, elsewhere},
		{"relative", "agent", filepath.Join(here, "agent")},
		{"not clean", filepath.Join(elsewhere, "a") + "/../b/", filepath.Join(elsewhere, "b")},
		{"tilde", "~", xdg.Home},
		{"below the tilde", "~/agents/one", filepath.Join(xdg.Home, "agents", "one")},
		{"another user's home is a shell's business", "~root/x", filepath.Join(here, "~root", "x")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("AGENT_HOME", tt.env)
			if got, err := Home(); err != nil || got != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}
