package permission_test

import (
	"strings"
	"testing"

	"palimpsest/backend/agent/permission"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"*": "*", "bash": "bash", " Bash ": "bash", "bash(*)": "bash", "bash(git status *)": "bash(git status *)", "bash( ls )": "bash(ls)",
		"bash(echo (a))": "bash(echo (a))", "read(**)": "read(**)", "edit(src//a/./b)": "edit(src/a/b)", "write(/abs/dir/**)": "write(/abs/dir/**)",
		"read(~/x/*)": "read(~/x/*)", "mcp_x.y-z": "mcp_x.y-z",
	} {
		r, err := permission.Parse(text, permission.Allow, permission.Config)
		if err != nil || r.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, r, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "begin with a tool", "(x)": "begin with a tool", "ba sh": "begin with a tool", "bash(x": "parenthesis", "bash()": "is empty",
		"bash(git status:*)": `write "bash(git status *)"`, "*(x)": "takes no pattern", "read(../x)": "..", "read(a/../../x)": "..",
		"read([)": "no valid pattern", "read({a,{b,{c,{d,{e}}}}})": "no valid pattern", "read(" + strings.Repeat("a", 5000) + ")": "4096",
	} {
		if _, err := permission.Parse(text, permission.Allow, permission.Config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v; want %q", text, err, want)
		}
	}
}

func TestPrecedence(t *testing.T) {
	rule := func(effect permission.Effect, scope permission.Scope, text string) permission.Rule {
		r, err := permission.Parse(text, effect, scope)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	allow, ask, deny := permission.Allow, permission.Ask, permission.Deny
	for name, c := range map[string]struct {
		rules []permission.Rule
		want  permission.Effect
	}{
		"none":                            {nil, ask},
		"allowed by default":              {[]permission.Rule{rule(allow, permission.Default, "bash(ls *)")}, allow},
		"asking beats allowing":           {[]permission.Rule{rule(allow, permission.Config, "bash(ls *)"), rule(ask, permission.Config, "bash(ls -l)")}, ask},
		"the session beats the settings":  {[]permission.Rule{rule(ask, permission.Config, "bash"), rule(allow, permission.Session, "bash(ls -l)")}, allow},
		"the session may be stricter":     {[]permission.Rule{rule(allow, permission.Config, "bash"), rule(ask, permission.Session, "bash(ls *)")}, ask},
		"the settings beat the defaults":  {[]permission.Rule{rule(ask, permission.Config, "*"), rule(allow, permission.Default, "bash")}, ask},
		"denied in the settings":          {[]permission.Rule{rule(deny, permission.Config, "bash(ls *)"), rule(allow, permission.Session, "bash(ls -l)")}, deny},
		"denied by default":               {[]permission.Rule{rule(deny, permission.Default, "*"), rule(allow, permission.Session, "bash(ls -l)"), rule(ask, permission.Session, "bash")}, deny},
		"a rule for another tool":         {[]permission.Rule{rule(allow, permission.Session, "read"), rule(deny, permission.Session, "write")}, ask},
		"a whole tool":                    {[]permission.Rule{rule(allow, permission.Session, "bash")}, allow},
		"a rule for another command":      {[]permission.Rule{rule(deny, permission.Session, "bash(lsx)"), rule(allow, permission.Config, "bash(ls -l)")}, allow},
		"a denial that is not to be told": {[]permission.Rule{rule(deny, permission.Config, "bash(ls > x)"), rule(allow, permission.Config, "bash(ls -l)")}, allow},
	} {
		if d := permission.Decide(c.rules, command("ls -l")); d.Effect != c.want || d.Why == "" {
			t.Errorf("%s: %v, want %v: %s", name, d.Effect, c.want, d.Why)
		}
	}
	unsure := []permission.Rule{rule(deny, permission.Config, "bash(git push *)"), rule(allow, permission.Session, "bash(git *)")}
	if d := permission.Decide(unsure, command("git $x")); d.Effect != ask {
		t.Errorf("what a deny rule may cover: %v", d)
	}
}

func TestOtherTools(t *testing.T) {
	call := permission.Call{Tool: "mcp_x"}
	if d := permission.Decide(permission.Defaults(), call); d.Effect != permission.Ask {
		t.Errorf("unknown tool: %v", d)
	}
	if d := permission.Decide(rules(t, permission.Allow, "mcp_x"), call); d.Effect != permission.Allow {
		t.Errorf("allowed by name: %v", d)
	}
	if d := permission.Decide(rules(t, permission.Allow, "mcp_x(a)"), call); d.Effect != permission.Ask {
		t.Errorf("a pattern for what has no paths: %v", d)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"*", "bash(git status *)", "read(src/**)", "edit({a,b}/[c-d]?)", "bash(a(b)c)", "read(//x)", "read(~/./x)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := permission.Parse(text, permission.Allow, permission.Session)
		if err != nil {
			return
		}
		again, err := permission.Parse(r.String(), permission.Allow, permission.Session)
		if err != nil || again != r {
			t.Errorf("%q is written as %q, which is read as %q, %v", text, r, again, err)
		}
	})
}
