package config

import (
	"os/user"
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"
)

// TestHomeOfTheSystem: cron and systemd may start a program without a variable for the home directory. Then all is where it is with one.
func TestHomeOfTheSystem(t *testing.T) {
	known, err := user.Current()
	if err != nil || known.HomeDir == "" {
		t.Skip("the system knows of no home")
	}
	t.Cleanup(xdg.Reload) // when the environment is what it was
	places := func(home, cache string) (all [4]string) {
		for variable, value := range map[string]string{
			"HOME": home, "USERPROFILE": home, "XDG_CACHE_HOME": cache, "XDG_STATE_HOME": "", "AGENT_HOME": "",
		} {
			t.Setenv(variable, value)
		}
		xdg.Reload()
		own, err := Home()
		if err != nil {
			t.Error(err)
		}
		user, err := UserHome()
		if err != nil {
			t.Error(err)
		}
		return [4]string{own, user, CacheHome(), StateHome()}
	}
	elsewhere := t.TempDir()
	for _, cache := range []string{"", elsewhere, "not absolute"} {
		want := places(known.HomeDir, cache)
		if want[0] != filepath.Join(known.HomeDir, ".agent") || (want[2] == elsewhere) != (cache == elsewhere) {
			t.Errorf("%q", want)
		}
		if got := places("", cache); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
