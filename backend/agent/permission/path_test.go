package permission_test

import (
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/agent/permission"
)

func touching(tool string, paths ...string) permission.Call {
	call := permission.Call{Tool: tool, Dir: "/work/dir", Home: "/home/u"}
	for _, p := range paths {
		call.Paths = append(call.Paths, permission.Path{Real: p, Given: p})
	}
	return call
}

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		rule, path string
		covers     bool
	}{
		{"edit", "/anywhere/x", true},
		{"edit(**)", "/work/dir/a", true},
		{"edit(**)", "/work/dir", true},
		{"edit(**)", "/work/dir/a/b/.c", true},
		{"edit(**)", "/work/dirx/a", false},
		{"edit(**)", "/work", false},
		{"edit(**)", "/etc/passwd", false},
		{"edit(src/**)", "/work/dir/src/a/b", true},
		{"edit(src/**)", "/work/dir/src", true},
		{"edit(src/**)", "/work/dir/srcx/a", false},
		{"edit(src/**)", "/src/a", false},
		{"edit(src/*)", "/work/dir/src/a", true},
		{"edit(src/*)", "/work/dir/src/a/b", false},
		{"edit(*.go)", "/work/dir/a.go", true},
		{"edit(*.go)", "/work/dir/a/b.go", false},
		{"edit(**/*.go)", "/work/dir/a/b.go", true},
		{"edit(**/*.go)", "/work/dir/b.go", true},
		{"edit({a,b}.go)", "/work/dir/b.go", true},
		{"edit(/tmp/x/**)", "/tmp/x/y", true},
		{"edit(/tmp/x/**)", "/tmp/xy", false},
		{"edit(/**)", "/etc/passwd", true},
		{"edit(~/x/**)", "/home/u/x/y", true},
		{"edit(~/x/**)", "/home/v/x/y", false},
		{"edit(~)", "/home/u", true},
		{"edit(C:/x/**)", "C:/x/y", true},
		{"edit(SRC/**)", "/work/dir/src/a", false},
		{"edit(**)", "/work/dir/.git/hooks/pre-commit", false},
		{"edit(/**)", "/work/dir/sub/.GIT/config", false},
		{"edit(.git/**)", "/work/dir/.git/config", true},
		{"edit(**)", "/work/dir/.gitignore", true},
	} {
		d := permission.Decide(rules(t, permission.Allow, c.rule), touching("edit", c.path))
		if got := d.Effect == permission.Allow; got != c.covers {
			t.Errorf("%s of %s: %v", c.rule, c.path, got)
		}
	}
}

func TestPathsOfOneCall(t *testing.T) {
	set := append(rules(t, permission.Allow, "read(**)"), rules(t, permission.Deny, "read(**/.env)", "edit(a)")...)
	for name, c := range map[string]struct {
		call permission.Call
		want permission.Effect
	}{
		"two":                {touching("read", "/work/dir/a", "/work/dir/b"), permission.Allow},
		"one is outside":     {touching("read", "/work/dir/a", "/etc/x"), permission.Ask},
		"one is denied":      {touching("read", "/etc/x", "/work/dir/a/.env"), permission.Deny},
		"grep reads too":     {touching("grep", "/work/dir/a/.env"), permission.Deny},
		"write is edit too":  {touching("write", "/work/dir/a"), permission.Deny},
		"list is not":        {touching("ls", "/work/dir/a"), permission.Ask},
		"a link to a secret": {permission.Call{Tool: "read", Dir: "/work/dir", Paths: []permission.Path{{Given: "/work/dir/x", Real: "/work/dir/.env"}}}, permission.Deny},
		"a secret's name":    {permission.Call{Tool: "read", Dir: "/work/dir", Paths: []permission.Path{{Given: "/work/dir/.env", Real: "/work/dir/x"}}}, permission.Deny},
		"a link out":         {permission.Call{Tool: "read", Dir: "/work/dir", Paths: []permission.Path{{Given: "/work/dir/x", Real: "/etc/x"}}}, permission.Ask},
	} {
		if d := permission.Decide(set, c.call); d.Effect != c.want {
			t.Errorf("%s: %v, want %v: %s", name, d.Effect, c.want, d.Why)
		}
	}
	folding := touching("read", "/Work/DIR/.ENV")
	folding.FoldCase = true
	if d := permission.Decide(set, folding); d.Effect != permission.Deny {
		t.Errorf("another case: %v", d)
	}
	env := permission.Path{Real: "/work/dir/a/.env", Given: "/work/dir/a/.env"}
	if !permission.Hidden(set, touching("grep", "/work/dir"), env) || permission.Hidden(set, touching("grep", "/work/dir"), permission.Path{Real: "/work/dir/a"}) {
		t.Error("what a walk leaves out")
	}
}

func TestDefaults(t *testing.T) {
	for tool, inside := range map[string]permission.Effect{
		"read": permission.Allow, "ls": permission.Allow, "grep": permission.Allow, "find": permission.Allow, "write": permission.Ask, "edit": permission.Ask,
	} {
		if d := permission.Decide(permission.Defaults(), touching(tool, "/work/dir/a")); d.Effect != inside {
			t.Errorf("%s: %v", tool, d)
		}
		if d := permission.Decide(permission.Defaults(), touching(tool, "/work/other")); d.Effect != permission.Ask {
			t.Errorf("%s outside: %v", tool, d)
		}
	}
	if d := permission.Decide(permission.Defaults(), command("ls")); d.Effect != permission.Ask {
		t.Errorf("bash: %v", d)
	}
}

// A rule that is suggested for a path is for that path and no other.
func TestSuggestedPathsAreNarrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`/(work/dir|tmp)/[a-c*?\[\]{}\\! ,é~-]{1,8}`)
		one, other := name.Draw(t, "one"), name.Draw(t, "other")
		call := touching("edit", one)
		suggested := permission.Suggest(call)
		if len(suggested) > 0 && permission.Decide(suggested, call).Effect != permission.Allow {
			t.Fatalf("%v does not allow %q", suggested, one)
		}
		if one != other && permission.Decide(suggested, touching("edit", other)).Effect == permission.Allow {
			t.Fatalf("%v for %q allows %q", suggested, one, other)
		}
	})
}
