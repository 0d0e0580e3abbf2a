package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       Config
		problems   []string // the sentences, without the path
	}{
		{
			"unknown values keep the rest", "model: m\ntheme: drak\ndurability: often\n",
			with(func(c *Config) { c.Model = "m" }),
			[]string{
				`line 2: theme must be light, dark or system, not "drak"; the default is system`,
				`line 3: durability must be full or turn, not "often"; the default is turn`,
			},
		},
		{
			"wrong numbers", "compaction:\n  enabled: maybe\n  reserve_tokens: -5\n  keep_recent_tokens: 1.5\n", defaults(),
			[]string{
				`line 2: compaction.enabled must be true or false, not "maybe"; the default is true`,
				`line 3: compaction.reserve_tokens must be a whole number of tokens, 0 or more, such as 20000, not "-5"; the default is 16384`,
				`line 4: compaction.keep_recent_tokens must be a whole number of tokens, 0 or more, such as 20000, not "1.5"; the default is 20000`,
			},
		},
		{
			"number too large", "compaction: {reserve_tokens: 99999999999999999999}", defaults(),
			[]string{`line 1: compaction.reserve_tokens must be a whole number of tokens, 0 or more, such as 20000, not "99999999999999999999"; the default is 16384`},
		},
		{
			"wrong kinds", "model: [a, b]\ntheme:\n  name: dark\ncompaction: true\n", defaults(),
			[]string{
				`line 1: model must be a single value, not a list; by default there is none`,
				`line 3: theme must be a single value, not a mapping; the default is system`,
				`line 4: compaction must hold settings of its own, not a single value; put them below it, indented`,
			},
		},
		{
			"model that is no text", "model: 4.1\n", defaults(),
			[]string{`line 1: model must be text, not "4.1"; if that is its name, put it in quotes`},
		},
		{
			"model over two lines", "model: \"a\\nb\"\n", defaults(),
			[]string{`line 1: model must be a name on one line, such as gpt-5.4, of at most 256 bytes, not "a\nb"; by default there is none`},
		},
		{
			"addresses", "base_url: ftp://example.com\n", defaults(),
			[]string{`line 1: base_url must be written like http://localhost:11434/v1 or https://example.com/v1; by default there is none`},
		},
		{
			"typos", "modle: m\ncompacton:\n  enabled: false\nbaseUrl: x\nreserve_tokens: 5\nwindow: 7\n", defaults(),
			[]string{
				`line 1: there is no setting "modle"; did you mean model?`,
				`line 2: there is no setting "compacton"; did you mean compaction?`,
				`line 4: there is no setting "baseUrl"; did you mean base_url?`,
				`line 5: there is no setting "reserve_tokens"; did you mean compaction.reserve_tokens?`,
				`line 6: there is no setting "window"; the settings are listed in the documentation`,
			},
		},
		{
			"typo in a section", "compaction:\n  keepRecentTokens: 5\n  reserve_tokens: 6\n",
			with(func(c *Config) { c.Compaction.ReserveTokens = 6 }),
			[]string{`line 2: there is no setting "compaction.keepRecentTokens"; did you mean compaction.keep_recent_tokens?`},
		},
		{
			"given twice", "theme: dark\nTheme: light\n",
			with(func(c *Config) { c.Theme = ThemeLight }),
			[]string{`line 2: theme is given more than once; the last one counts`},
		},
		{
			"given twice, the last one wrong", "compaction.enabled: false\ncompaction: {enabled: 7}\n", defaults(),
			[]string{
				`line 2: compaction.enabled is given more than once; the last one counts`,
				`line 2: compaction.enabled must be true or false, not "7"; the default is true`,
			},
		},
		{
			"a list", "- theme: dark\n", defaults(),
			[]string{`line 1: the settings must be lines of the form key: value, not a list; they count as empty`},
		},
		{
			"a word", "hello\n", defaults(),
			[]string{`line 1: the settings must be lines of the form key: value, not a single value; they count as empty`},
		},
		{
			"a key that is no word", "? [a]\n: b\ntheme: dark\n", with(func(c *Config) { c.Theme = ThemeDark }),
			[]string{`line 1: a key must be a word, not a list`},
		},
		{
			"two documents", "theme: dark\n---\ntheme: light\n", with(func(c *Config) { c.Theme = ThemeDark }),
			[]string{`line 2: only the first YAML document of the file is used; remove the line --- and join the two`},
		},
		{
			"section that contains itself", "compaction: &c\n  enabled: *c\n", defaults(),
			[]string{`line 1: compaction.enabled must be a single value, not a mapping; the default is true`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := homeWith(t, tt.text)
			got, problems := Load(home)
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if len(problems) != len(tt.problems) {
				t.Fatalf("got %d problems: %v", len(problems), problems)
			}
			for i, p := range problems {
				if got, want := p.Error(), filepath.Join(home, FileName)+", "+tt.problems[i]; got != want {
					t.Errorf("\n got %s\nwant %s", got, want)
				}
			}
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	tests := []struct {
		name, text string
		line       int
		says       string
	}{
		{"first line", "model: a: b\n", 1, "mapping values are not allowed"},
		{"bad indentation", "model: x\n  theme: y\n", 2, "mapping values are not allowed"},
		{"tab", "compaction:\n\tenabled: true\n", 2, "cannot start any token"},
		{"open list", "theme: dark\nmodel: [a,\nb: c\n", 2, "did not find expected ',' or ']'"},
		{"stray bracket", "theme: dark\n]\n", 2, "did not find expected key"},
		{"no colon", "theme: dark\nmodel\nx: y\n", 2, "could not find expected ':'"},
		{"control character", "theme: dark\nmodel: a\x00b\n", 2, "control characters"},
		{"not UTF-8", "theme: dark\n\nmodel: \xff\xfe\n", 3, "UTF-8"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", 1, ""},
		{"second document", "theme: dark\n---\n}:\n", 3, ""},
		{"too deep", strings.Repeat("[", 20_000), 0, "max depth"},
		{"reference to nothing", "theme: dark\nmodel: *sk-hunter2\n", 0, "needs quotes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := Load(homeWith(t, tt.text))
			if got != defaults() {
				t.Errorf("not the defaults: %+v", got)
			}
			if len(problems) != 1 {
				t.Fatalf("problems: %v", problems)
			}
			p := problems[0]
			if p.Line != tt.line || !strings.Contains(p.Message, tt.says) || strings.Contains(p.Error(), "hunter2") {
				t.Errorf("want line %d, %q; got %v", tt.line, tt.says, p)
			}
		})
	}
}

func TestProblemsAreBounded(t *testing.T) {
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "setting%d: 1\n", i)
	}
	_, problems := Load(homeWith(t, text.String()))
	if len(problems) != maxProblems+1 {
		t.Fatalf("%d problems", len(problems))
	}
	if got := problems[maxProblems].Message; got != "there are 480 more problems" {
		t.Error(got)
	}
}

func TestSecrets(t *testing.T) {
	const value = "sk-hunter2"
	names := []string{
		"api_key", "apiKey", "API-KEY", "openai_api_key", "OPENAI_API_KEY", "token", "access_token", "accessToken",
		"password", "client_secret", "authorization", "key", "credentials",
	}
	for _, name := range names {
		for _, text := range []string{
			name + ": " + value + "\n",
			"compaction:\n  " + name + ": " + value + "\n",
			"providers:\n  - name: x\n    " + name + ": " + value + "\n",
			"model:\n  " + name + ": [" + value + "]\n",
		} {
			_, problems := Load(homeWith(t, text))
			found := false
			for _, p := range problems {
				found = found || strings.Contains(p.Message, "secret") && strings.Contains(p.Hint, "environment") && p.Line > 0
				if strings.Contains(fmt.Sprintf("%+v", p), "hunter2") {
					t.Errorf("the value is repeated: %v", p)
				}
			}
			if !found {
				t.Errorf("%q is not reported: %v", text, problems)
			}
		}
	}
	for _, mark := range []string{"*", "&", "!", "|", ">", "%", "@", "`", "'", `"`, `"\q`, "[", "{", "- ", "? ", ": ", "a: ", "\t", "\x00", "\xff"} {
		_, problems := Load(homeWith(t, "theme: dark\napi_key: "+mark+value+"\n"))
		if len(problems) == 0 || strings.Contains(fmt.Sprintf("%+v", problems), "hunter2") {
			t.Errorf("after %q: %v", mark, problems)
		}
	}
	for _, name := range []string{"max_tokens", "keybindings", "monkey", "author", "tokens"} {
		if looksSecret(name) {
			t.Errorf("%s taken for a secret", name)
		}
	}
}

func TestDistance(t *testing.T) {
	word := rapid.StringMatching(`[abc]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		const limit = 100
		ab := distance(a, b, limit)
		if (ab == 0) != (a == b) || ab != distance(b, a, limit) || ab > distance(a, c, limit)+distance(c, b, limit) {
			t.Errorf("not a metric on %q %q %q", a, b, c)
		}
		if ab > max(len(a), len(b)) {
			t.Errorf("%q %q: %d", a, b, ab)
		}
		if got := distance(a, b, 3); got != min(ab, 3) {
			t.Errorf("with a limit: %d, without: %d", got, ab)
		}
	})
}

// Whatever is in the file, there is a usable configuration, and every problem can be shown.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		everySetting, "", "theme: [", "- a", "&a a: *a", "a: b\n---\nc: d", "? {x: y}\n: z", "\x00", "\xff\xfea\x00",
		"compaction: &c {enabled: *c}", "<<: {theme: dark}", "model: !!binary aGk=", "model: 2001-01-01", "theme: !!int x",
		"compaction.enabled: yes", "api_key: *x", "%YAML 1.1\n---\nmodel: x", "model: |\n  a\n  b\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, problems := Load(homeWith(t, string(data)))
		values := map[string]string{
			"model": c.Model, "base_url": c.BaseURL, "durability": string(c.Durability), "theme": string(c.Theme),
			"compaction.reserve_tokens":     fmt.Sprint(c.Compaction.ReserveTokens),
			"compaction.keep_recent_tokens": fmt.Sprint(c.Compaction.KeepRecentTokens),
		}
		for key, value := range values {
			s, _ := settingOf(key)
			if want := s.check(value); want != "" {
				t.Errorf("%s is %q, not %s", key, value, want)
			}
		}
		if len(problems) > maxProblems+1 {
			t.Errorf("%d problems", len(problems))
		}
		for _, p := range problems {
			if p.Message == "" || p.Line < 0 || strings.Contains(p.Message, "cannot be used") || strings.Contains(p.Message, "cannot be merged") {
				t.Errorf("%+v", p)
			}
		}
	})
}
