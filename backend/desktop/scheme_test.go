package desktop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

func TestIsDark(t *testing.T) {
	for _, c := range []struct {
		theme   string
		desktop scheme
		want    bool
	}{
		{"system", noPreference, false},
		{"system", preferDark, true},
		{"system", 2, false},
		{"", preferDark, true},
		{"light", preferDark, false},
		{"dark", noPreference, true},
	} {
		if got := isDark(c.theme, c.desktop); got != c.want {
			t.Errorf("theme %q on a desktop that says %d: dark is %v", c.theme, c.desktop, got)
		}
	}
}

func TestSchemeOf(t *testing.T) {
	wrap := func(v any) dbus.Variant { return dbus.MakeVariant(v) }
	for name, c := range map[string]struct {
		answer dbus.Variant
		want   scheme
	}{
		"wrapped once":  {wrap(uint32(1)), preferDark},
		"wrapped twice": {wrap(wrap(uint32(1))), preferDark},
		"no preference": {wrap(uint32(0)), noPreference},
		"a string":      {wrap("dark"), noPreference},
		"empty":         {dbus.Variant{}, noPreference},
	} {
		if got := schemeOf(c.answer); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestChangeOf(t *testing.T) {
	one := dbus.MakeVariant(uint32(1))
	for name, c := range map[string]struct {
		body []any
		want bool
	}{
		"the scheme":        {[]any{appearance, colorScheme, one}, true},
		"the accent colour": {[]any{appearance, "accent-color", one}, false},
		"another setting":   {[]any{"org.gnome.desktop.interface", colorScheme, one}, false},
		"no value":          {[]any{appearance, colorScheme}, false},
		"nothing":           {nil, false},
	} {
		now, ok := changeOf(&dbus.Signal{Body: c.body})
		if ok != c.want || ok && now != preferDark {
			t.Errorf("%s: %d, %v", name, now, ok)
		}
	}
}

func TestSessionBus(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	if got := sessionBus(); got != "" {
		t.Errorf("a bus where there is none: %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "bus"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := sessionBus(), "unix:path="+filepath.Join(dir, "bus"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/elsewhere")
	if got := sessionBus(); got != "unix:path=/elsewhere" {
		t.Errorf("%q in spite of the environment", got)
	}
}

// TestPaper holds the window to the colours that the page has.
func TestPaper(t *testing.T) {
	css, err := os.ReadFile("../../frontend/src/styles/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark := paper(false), paper(true)
	line := fmt.Sprintf("--paper: light-dark(#%02x%02x%02x, #%02x%02x%02x);", light.R, light.G, light.B, dark.R, dark.G, dark.B)
	if !strings.Contains(string(css), line) {
		t.Errorf("tokens.css has no %q", line)
	}
}

func TestFollowWithoutABus(t *testing.T) {
	var told []scheme
	err := follow(t.Context(), "unix:path="+filepath.Join(t.TempDir(), "none"), func(s scheme) { told = append(told, s) })
	if err == nil || len(told) != 1 || told[0] != noPreference {
		t.Errorf("told %v, and %v", told, err)
	}
}
