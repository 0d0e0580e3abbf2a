package claudecode

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestRetention: which settings say after how many days a session goes.
func TestRetention(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		days  int
		file  string
	}{
		"none":              {nil, 30, ""},
		"the user's":        {map[string]string{".claude/settings.json": `{"cleanupPeriodDays":90}`}, 90, ".claude/settings.json"},
		"nothing kept":      {map[string]string{".claude/settings.json": `{"cleanupPeriodDays":0}`}, 0, ".claude/settings.json"},
		"very long":         {map[string]string{".claude/settings.json": `{"cleanupPeriodDays":1e300}`}, 1 << 30, ".claude/settings.json"},
		"given twice":       {map[string]string{".claude/settings.json": `{"cleanupPeriodDays":90,"cleanupPeriodDays":7}`}, 7, ".claude/settings.json"},
		"with a mark":       {map[string]string{".claude/settings.json": "\ufeff{\"cleanupPeriodDays\":5}"}, 5, ".claude/settings.json"},
		"a text":            {map[string]string{".claude/settings.json": `{"cleanupPeriodDays":"90"}`}, 30, ""},
		"negative":          {map[string]string{".claude/settings.json": `{"cleanupPeriodDays":-1}`}, 30, ""},
		"null":              {map[string]string{".claude/settings.json": `{"cleanupPeriodDays":null}`}, 30, ""},
		"no JSON":           {map[string]string{".claude/settings.json": `{"cleanupPeriodDays":90`}, 30, ""},
		"a project, sooner": {map[string]string{".claude/settings.json": `{"cleanupPeriodDays":90}`, "p/.claude/settings.json": `{"cleanupPeriodDays":7}`}, 7, "p/.claude/settings.json"},
		"a project, later":  {map[string]string{"p/.claude/settings.json": `{"cleanupPeriodDays":365}`}, 30, ""},
		"a project's local": {map[string]string{"p/.claude/settings.json": `{"cleanupPeriodDays":7}`, "p/.claude/settings.local.json": `{"cleanupPeriodDays":9}`}, 9, "p/.claude/settings.local.json"},
		"an administrator's": {map[string]string{
			".claude/settings.json": `{"cleanupPeriodDays":7}`, "programs/ClaudeCode/managed-settings.json": `{"cleanupPeriodDays":60}`,
		}, 60, "programs/ClaudeCode/managed-settings.json"},
		"more of an administrator's": {map[string]string{
			"programs/ClaudeCode/managed-settings.json": `{"cleanupPeriodDays":60}`, "programs/ClaudeCode/managed-settings.d/1.json": `{"cleanupPeriodDays":61}`,
			"programs/ClaudeCode/managed-settings.d/2.json": `{"cleanupPeriodDays":62}`,
		}, 62, "programs/ClaudeCode/managed-settings.d/2.json"},
	} {
		t.Run(name, func(t *testing.T) {
			home := sourcetest.Home(t, c.files)
			sourcetest.Write(t, home, ".claude.json", `{"projects":{"`+filepath.ToSlash(home)+`/p":{},"relative":{},"/nowhere":null}}`)
			env := sourcetest.EnvWith(t, home, "ProgramFiles="+filepath.Join(home, "programs"))
			env.GOOS = "windows"
			from, file := sources.RetentionSettings, c.file
			if file == "" {
				from, file = sources.RetentionDefault, ".claude/settings.json"
			}
			if r := (Source{}).Retention(env)[0]; *r.Days != c.days || r.From != from || !strings.HasSuffix(filepath.ToSlash(r.File), "/"+file) {
				t.Errorf("%d %+v", *r.Days, r)
			}
		})
	}
}

// TestSettingsThatMeanNothing: who wrote them takes them for a rule, so that they are none is told of.
func TestSettingsThatMeanNothing(t *testing.T) {
	for text, told := range map[string]string{
		`{"cleanupPeriodDays":"90"}`: "cleanupPeriodDays is no number of days", `{"cleanupPeriodDays":-1}`: "cleanupPeriodDays is no number of days",
		`{"cleanupPeriodDays":90,}`: "no JSON", `{"cleanupPeriodDays":90}`: "", `{"cleanupPeriodDays":null}`: "", `{}`: "", "": "",
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{".claude/settings.json": text}))
		var unread []string
		env.Denied = func(err error) { unread = append(unread, err.Error()) }
		(Source{}).Retention(env)
		if got := strings.Join(unread, "; "); !strings.HasSuffix(got, told) || (got == "") != (told == "") || len(unread) > 1 {
			t.Errorf("%s: %q, not %q", text, got, told)
		}
	}
}

// TestLinkedSettings: many keep their settings elsewhere.
func TestLinkedSettings(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{"dotfiles/claude.json": `{"cleanupPeriodDays":90}`, ".claude/projects/x": ""})
	if err := os.Symlink(filepath.Join(home, "dotfiles", "claude.json"), filepath.Join(home, ".claude", "settings.json")); err != nil {
		t.Skip(err)
	}
	if r := (Source{}).Retention(sourcetest.Env(t, home))[0]; *r.Days != 90 {
		t.Errorf("%d", *r.Days)
	}
}

// TestTwoFolders: the sessions in each of Claude Code's folders go by its own settings.
func TestTwoFolders(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		".claude/projects/x": "", ".config/claude/projects/x": "",
		".claude/settings.json": `{"cleanupPeriodDays":90}`, ".config/claude/settings.json": `{"cleanupPeriodDays":7}`,
	})
	rules := (Source{}).Retention(sourcetest.Env(t, home))
	if len(rules) != 2 || *rules[0].Days != 90 || *rules[1].Days != 7 || rules[0].Under != filepath.Join(home, ".claude") || rules[1].Under != filepath.Join(home, ".config", "claude") {
		t.Errorf("%+v", rules)
	}
}

// TestBesideAll: however much output of tools stands beside a session, all of it is kept.
func TestBesideAll(t *testing.T) {
	const files = 20_001
	home := sourcetest.Home(t, map[string]string{".claude/projects/-x/s.jsonl": "", ".claude/projects/-x/s/tool-results/0.txt": ""})
	main := filepath.Join(home, ".claude", "projects", "-x", "s.jsonl")
	for i := range files {
		if err := os.WriteFile(filepath.Join(strings.TrimSuffix(main, ".jsonl"), "tool-results", strconv.Itoa(i)+".txt"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if all := (Source{}).Beside(t.Context(), sourcetest.Env(t, home), sources.Found{Files: []string{main}}); len(all) != files {
		t.Error(len(all))
	}
}
