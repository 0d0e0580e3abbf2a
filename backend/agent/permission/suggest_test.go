package permission_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/agent/permission"
)

func TestSuggest(t *testing.T) {
	for text, want := range map[string][]string{
		"git status":                {"bash(git status *)"},
		"git log -3 | head":         {"bash(git log *)", "bash(head)"},
		"git push origin main":      {"bash(git push origin main)"},
		"npm run build && npm test": {"bash(npm run build)", "bash(npm test)"},
		"cat a.txt":                 {"bash(cat a.txt)"},
		"tail -5 a.txt":             {"bash(tail -5 a.txt)"},
		"git diff":                  {"bash(git diff)"},
		"go test ./...":             {"bash(go test ./...)"},
		"go build ./...":            {"bash(go build ./...)"},
		"go list ./...":             {"bash(go list *)"},
		"go list -toolexec=x ./...": {"bash(go list -toolexec=x ./...)"},
		"cargo test --config x":     {"bash(cargo test --config x)"},
		"wc --files0-from=x":        {"bash(wc --files0-from=x)"},
		"python -c 'print(1)'":      {"bash(python -c 'print(1)')"},
		"bash -c 'make all'":        {"bash(make all)"},
		"make > log":                {"bash(make > log)"},
		"A=1 make":                  {"bash(A=1 make)"},
		"rm *":                      nil,
		"rm $x":                     {"bash(rm $x)"},
		"ls *":                      nil,
		"ls *.go":                   {"bash(ls *)"},
		"find . | xargs rm":         {"bash(find . | xargs rm)"},
		"git log --output=x":        {"bash(git log --output=x)"},
		"":                          nil,
	} {
		var got []string
		for _, r := range permission.Suggest(command(text)) {
			got = append(got, r.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		call permission.Call
		want string
	}{
		{touching("edit", "/work/dir/src/a.go"), "edit(src/a.go)"},
		{touching("write", "/tmp/a"), "write(/tmp/a)"},
		{touching("grep", "/tmp/x"), "grep(/tmp/x/**)"},
		{touching("ls", "/work/dir"), "ls(**)"},
		{touching("edit", "/work/dir/[a]"), `edit(\[a\])`},
		{permission.Call{Tool: "mcp"}, "mcp"},
		{permission.Call{Tool: "bash", Command: "Get-Item x", Shell: permission.PowerShell}, "bash(Get-Item x)"},
	} {
		if got := permission.Suggest(c.call); len(got) != 1 || got[0].String() != c.want || got[0].Scope != permission.Session {
			t.Errorf("%v: %v, want %s", c.call, got, c.want)
		}
	}
}

// TestSuggestedIsHarmless: what a suggestion for a harmless command allows runs no program that an option names, writes no
// file, and shows none from elsewhere.
func TestSuggestedIsHarmless(t *testing.T) {
	for text, harmful := range map[string][]string{
		"go list ./...": {
			"go list -ldflags=-extld=/tmp/x", "go list --gcflags x", "go list -asmflags=x", "go list -gccgoflags x", "go list -compiler gccgo",
			"go list -overlay=x", "go list -modfile=x", "go list -C /tmp", "go list -exec x", "go list -trace=x", "go list -coverprofile=x",
			"go list -mod=mod ./...", "go list --mod mod", "go list -export", "go list -compiled",
		},
		"go test ./...": {"go test -ldflags=-extld=/tmp/x ./...", "go test -exec x", "go test ./x"},
		"go build":      {"go build -o x", "go build -toolexec=x"},
		"go vet":        {"go vet -vettool=x"},
		"cargo build":   {"cargo build --config x"},
		"npm test":      {"npm test --script-shell=/tmp/x"},
		"cat a":         {"cat ../a", "cat /etc/shadow"},
		"head a":        {"head /etc/shadow"},
		"git status":    {"git status --exec-path=x"},
		"git log":       {"git log --output=x", "git log --ext-diff"},
		"git diff a":    {"git diff /dev/null /etc/shadow", "git diff --no-index a /etc/shadow"},
		"git show":      {"git show --ext-diff", "git show --no-index"},
		"git blame a":   {"git blame --contents /etc/shadow a"},
		"wc a":          {"wc --files0-from=/etc/shadow"},
		"du a":          {"du -X /etc/shadow", "du --exclude-from=/etc/shadow"},
	} {
		rules := permission.Suggest(command(text))
		if permission.Decide(rules, command(text)).Effect != permission.Allow {
			t.Errorf("%s: %v do not allow it", text, rules)
		}
		for _, other := range harmful {
			if permission.Decide(rules, command(other)).Effect == permission.Allow {
				t.Errorf("%s: %v allow %s", text, rules, other)
			}
		}
	}
}

// allowed are commands that the rules of harmless allow.
func allowed() *rapid.Generator[string] {
	leaf := rapid.SampledFrom([]string{"git status", "git log -3", "echo 'a b'", "ls -l", "true", "cat x"})
	return rapid.Custom(func(t *rapid.T) string {
		return compose(t, leaf.Draw(t, "leaf"), leaf)
	})
}

var shapes = []string{
	"%s; %s", "%s && %s", "%s | %s", "%s\n%s", "(%s); %s", "{ %s; }; %s", "if %s; then %s; fi", "echo \"$(%s)\" $(%s)", "eval ls; %s; %s",
	"for f in a b; do %s; %s; done", "cat <(%s) <(%s)", "cat <<E\n$(%s)\nE\n%s", "while %s; do %s; done", "case a in a) %s;; b) %s;; esac", "! { %s; } || %s", "echo ${x:-$(%s)} \"${x-$(%s)}\"",
}

// compose puts a command somewhere into a bigger one.
func compose(t *rapid.T, text string, leaf *rapid.Generator[string]) string {
	for range rapid.IntRange(0, 4).Draw(t, "depth") {
		shape := rapid.SampledFrom(shapes).Draw(t, "shape")
		pair := []any{text, leaf.Draw(t, "other")}
		if rapid.Bool().Draw(t, "swapped") {
			pair[0], pair[1] = pair[1], pair[0]
		}
		text = fmt.Sprintf(shape, pair...)
	}
	return text
}

// One command that is not allowed spoils the whole, wherever it stands.
func TestOneCommandSpoilsAll(t *testing.T) {
	leaf := rapid.SampledFrom([]string{"git status", "ls -l", "true"})
	set := harmless(t)
	rapid.Check(t, func(t *rapid.T) {
		text := compose(t, rapid.SampledFrom([]string{"rm x", "git push", "$x", "A=1 ls", "ls > x", "ls &"}).Draw(t, "bad"), leaf)
		if d := permission.Decide(set, command(text)); d.Effect == permission.Allow {
			t.Fatalf("%q is allowed", text)
		}
	})
}

// What is suggested for a command allows it, and not what is beside it.
func TestSuggestedCommandsAreEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := allowed().Draw(t, "command")
		suggested := permission.Suggest(command(text))
		if len(suggested) == 0 || permission.Decide(suggested, command(text)).Effect != permission.Allow {
			t.Fatalf("%q: %v", text, suggested)
		}
		if d := permission.Decide(suggested, command(text+"; rm y")); d.Effect == permission.Allow {
			t.Fatalf("%v also allows more", suggested)
		}
	})
}

func FuzzDecide(f *testing.F) {
	for _, text := range hostile {
		if len(text) < 200 {
			f.Add(text)
		}
	}
	set := harmless(f)
	f.Fuzz(func(t *testing.T, text string) {
		d := permission.Decide(set, command(text))
		if d.Why == "" {
			t.Errorf("%q: no reason", text)
		}
		continued := strings.HasSuffix(text, `\`)
		if d.Effect == permission.Allow && !continued && permission.Decide(set, command(text+"\nrm x")).Effect == permission.Allow {
			t.Errorf("%q: with another command behind it is allowed too", text)
		}
		if strings.TrimSpace(text) == "" && d.Effect == permission.Allow {
			t.Error("nothing is allowed")
		}
		_ = permission.Suggest(command(text))
	})
}
