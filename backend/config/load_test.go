package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const everySetting = `# my settings
model: gpt-large
base_url: https://models.example.com/v1
auto_name: words
session:
  reset_hour: 0
  idle_minutes: 90
durability: full
theme: dark
compaction:
  enabled: false
  reserve_tokens: 8000
  keep_recent_tokens: 9000
`

func allSet() Config {
	return with(func(c *Config) {
		c.Model, c.BaseURL, c.Durability, c.Theme = "gpt-large", "https://models.example.com/v1", DurabilityFull, ThemeDark
		c.AutoName, c.Session = AutoNameWords, Session{ResetHour: "0", IdleMinutes: 90}
		c.Compaction.Enabled, c.Compaction.ReserveTokens, c.Compaction.KeepRecentTokens = false, 8000, 9000
	})
}

func TestLoadWithoutProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       Config
	}{
		{"empty", "", defaults()},
		{"comments only", "# nothing yet\n\n", defaults()},
		{"null document", "~\n", defaults()},
		{"every setting", everySetting, allSet()},
		{"CRLF and BOM", "\ufeff" + strings.ReplaceAll(everySetting, "\n", "\r\n"), allSet()},
		{"flow style", `{model: gpt-large, theme: dark}`, with(func(c *Config) { c.Model = "gpt-large"; c.Theme = ThemeDark })},
		{"only one of a section", "compaction:\n  reserve_tokens: 1000\n", with(func(c *Config) { c.Compaction.ReserveTokens = 1000 })},
		{"case of keys", "THEME: light\nCompaction:\n  Enabled: false\n", with(func(c *Config) { c.Theme = ThemeLight; c.Compaction.Enabled = false })},
		{"dotted key", "compaction.enabled: false\n", with(func(c *Config) { c.Compaction.Enabled = false })},
		{"keys without values", "model:\ntheme: ~\ncompaction:\n", defaults()},
		{"empty model", `model: ""`, defaults()},
		{"zero", "compaction: {reserve_tokens: 0}", with(func(c *Config) { c.Compaction.ReserveTokens = 0 })},
		{"number in quotes", `compaction: {reserve_tokens: "123"}`, with(func(c *Config) { c.Compaction.ReserveTokens = 123 })},
		{"number with underscores", `compaction: {reserve_tokens: 16_000}`, with(func(c *Config) { c.Compaction.ReserveTokens = 16000 })},
		{"number for a model, in quotes", `model: "4"`, with(func(c *Config) { c.Model = "4" })},
		{"no reset", "session: {reset_hour: off}\nauto_name: off\n", with(func(c *Config) { c.Session.ResetHour, c.AutoName = "off", AutoNameOff })},
		{"no reset, as a number", "session: {reset_hour: -1}", with(func(c *Config) { c.Session.ResetHour = "-1" })},
		{"alias", "theme: &t dark\nmodel: *t\n", with(func(c *Config) { c.Theme = ThemeDark; c.Model = "dark" })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := Load(homeWith(t, tt.text))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if len(problems) != 0 {
				t.Errorf("problems: %v", problems)
			}
		})
	}
}

func TestLoadMissing(t *testing.T) {
	for _, home := range []string{t.TempDir(), filepath.Join(t.TempDir(), "not", "there")} {
		got, problems := Load(home)
		if got != defaults() || len(problems) != 0 {
			t.Errorf("got %+v, %v", got, problems)
		}
	}
}

func TestLoadUnreadable(t *testing.T) {
	tests := []struct {
		name  string
		make  func(t *testing.T, path string)
		wants string
	}{
		{"directory", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "directory"},
		{"huge", func(t *testing.T, path string) { write(t, path, strings.Repeat("# x\n", maxFileSize/4+1)) }, "larger than 1024 KiB"},
		{"link to itself", func(t *testing.T, path string) {
			if err := os.Symlink(path, path); err != nil {
				t.Skip(err)
			}
		}, "cannot be read"},
		{"no permission", func(t *testing.T, path string) {
			write(t, path, "theme: dark\n")
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			if f, err := os.Open(path); err == nil {
				_ = f.Close()
				t.Skip("this user may read everything")
			}
		}, "permission denied"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, FileName)
			tt.make(t, path)
			got, problems := Load(home)
			if got != defaults() {
				t.Errorf("not the defaults: %+v", got)
			}
			if len(problems) != 1 || problems[0].Path != path || !strings.Contains(problems[0].Error(), tt.wants) {
				t.Errorf("problems: %v", problems)
			}
		})
	}
	t.Run("home is a file", func(t *testing.T) {
		home := filepath.Join(t.TempDir(), "home")
		write(t, home, "")
		if got, problems := Load(home); got != defaults() || len(problems) != 1 {
			t.Errorf("got %+v, %v", got, problems)
		}
	})
}

func TestEnvironment(t *testing.T) {
	set := map[string]string{
		"PALIMPSEST_MODEL":                         "from-env",
		"PALIMPSEST_BASE_URL":                      "http://localhost:8080",
		"PALIMPSEST_DURABILITY":                    "turn",
		"PALIMPSEST_THEME":                         "light",
		"PALIMPSEST_AUTO_NAME":                     "off",
		"PALIMPSEST_SESSION_RESET_HOUR":            "off",
		"PALIMPSEST_SESSION_IDLE_MINUTES":          "7",
		"PALIMPSEST_COMPACTION_ENABLED":            "true",
		"PALIMPSEST_COMPACTION_RESERVE_TOKENS":     "1",
		"PALIMPSEST_COMPACTION_KEEP_RECENT_TOKENS": "2",
	}
	for name, value := range set {
		t.Setenv(name, value)
	}
	want := with(func(c *Config) {
		c.Model, c.BaseURL, c.Durability, c.Theme = "from-env", "http://localhost:8080", DurabilityTurn, ThemeLight
		c.AutoName, c.Session = AutoNameOff, Session{ResetHour: "off", IdleMinutes: 7}
		c.Compaction.Enabled, c.Compaction.ReserveTokens, c.Compaction.KeepRecentTokens = true, 1, 2
	})
	got, problems := Load(homeWith(t, everySetting))
	if diff := cmp.Diff(want, got); diff != "" || len(problems) != 0 {
		t.Errorf("%s%v", diff, problems)
	}

	for name := range set {
		t.Setenv(name, "")
	}
	if got, _ := Load(homeWith(t, everySetting)); got != allSet() {
		t.Errorf("empty variables changed the settings: %+v", got)
	}
}

func TestWrongEnvironment(t *testing.T) {
	t.Setenv("PALIMPSEST_THEME", "drak")
	t.Setenv("PALIMPSEST_COMPACTION_RESERVE_TOKENS", "-1")
	t.Setenv("PALIMPSEST_BASE_URL", "https://me:hunter2@example.com")
	t.Setenv("PALIMPSEST_MODEL", "good")
	got, problems := Load(homeWith(t, everySetting))
	want := allSet()
	want.Model = "good"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a wrong variable must leave the file's value in force: %s", diff)
	}
	wantProblems := []Problem{
		{Key: "base_url", Message: "PALIMPSEST_BASE_URL must be without user name and password, like https://example.com/v1", Hint: "by default there is none"},
		{Key: "theme", Message: `PALIMPSEST_THEME must be light, dark or system, not "drak"`, Hint: "the default is system"},
		{Key: "compaction.reserve_tokens", Message: `PALIMPSEST_COMPACTION_RESERVE_TOKENS must be a whole number of tokens, 0 or more, such as 20000, not "-1"`, Hint: "the default is 16384"},
	}
	if diff := cmp.Diff(wantProblems, problems); diff != "" {
		t.Error(diff)
	}
}

func TestFileIsNeverTouched(t *testing.T) {
	for _, text := range []string{everySetting, "theme: [", "\x00\x01\x02", "compacton: 5\napi_key: x\n"} {
		home := homeWith(t, text)
		path := filepath.Join(home, FileName)
		then := time.Date(2020, 2, 2, 2, 2, 2, 0, time.UTC)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
		Load(home)
		after, err := os.ReadFile(path)
		if err != nil || string(after) != text {
			t.Errorf("file is now %q, %v", after, err)
		}
		if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(then) {
			t.Errorf("mtime changed: %v", err)
		}
		if entries, err := os.ReadDir(home); err != nil || len(entries) != 1 {
			t.Errorf("files appeared: %v, %v", entries, err)
		}
	}
}
