package compaction

import (
	"path"
	"strings"

	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"

	"palimpsest/backend/record"
)

// shellTools are the tools of agents that run commands.
var shellTools = setOf("bash shell sh terminal exec exec_command execute_command local_shell run_command run_shell_command run_terminal_cmd shell_command")

// smallPrograms only look, or do what any agent does again without being told.
var smallPrograms = setOf(": . [ [[ ag awk basename bat break cat cd chmod chown clear cmp column command continue cp curl cut date df diff dirname du echo " +
	"egrep env exit export false fd fgrep file find fold grep head help history hostname id jobs jq kill less ln local ls man md5sum mkdir more mv nl od " +
	"pgrep pkill popd printenv printf ps pushd pwd read readlink realpath return rg rm rmdir sed seq set sha1sum sha256sum sleep sort source stat " +
	"strings tac tail tee test top touch tr tree true type uname uniq unset wait wc whereis which whoami xargs xxd yes yq")

// smallSteps are what the others do that only look, or do so; and what git does all the time.
var smallSteps = setOf("--help --version -V -v add blame branch cat cat-file commit config describe diff env fetch get grep help images info inspect list log " +
	"logs ls ls-files ls-tree ps reflog remote rev-list rev-parse search show status top version view whoami")

// wrappers run the command behind them; deeper have what they do behind a word of their own.
var (
	wrappers = setOf("sudo doas env time timeout nice nohup exec command stdbuf")
	deeper   = setOf("run compose exec x dlx tool pr issue")
)

// How much is parsed, in bytes: a line that is longer is a program, or data; and a log may forge what takes a parser long.
const (
	commandMost  = 4 << 10
	commandsMost = 4 << 20
)

// commands finds what a call of a shell did; what it only looked at can be looked at again.
func (f *finder) commands(call record.Block, seq int64) {
	if !shellTools[strings.ToLower(call.Name)] {
		return
	}
	line := commandLine(call.Arguments)
	if f.parsed += len(line); len(line) > commandMost || f.parsed > commandsMost {
		return
	}
	script, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return // nobody can tell what was run
	}
	syntax.Walk(script, func(node syntax.Node) bool {
		simple, ok := node.(*syntax.CallExpr)
		if !ok || len(simple.Args) == 0 {
			return true
		}
		text := line[simple.Args[0].Pos().Offset():simple.End().Offset()]
		if text = strings.ReplaceAll(text[:min(len(text), 4*factMost)], "\\\n", " "); doesSomething(text) {
			f.add(FactCommand, text, seq)
		}
		return true
	})
}

// commandLine is what a shell was told to run; some agents give its arguments, with the shell as the first of them.
func commandLine(arguments string) string {
	for _, name := range []string{"command", "cmd", "script"} {
		value := gjson.Get(arguments, name)
		if value.Type == gjson.String {
			return value.Str
		}
		if all := value.Array(); value.IsArray() && len(all) > 0 {
			if _, isShell := map[string]bool{"bash": true, "sh": true, "zsh": true}[path.Base(all[0].Str)]; isShell {
				return all[len(all)-1].Str
			}
			words := make([]string, len(all))
			for i := range all {
				words[i] = all[i].Str
			}
			return strings.Join(words, " ")
		}
	}
	return ""
}

// doesSomething is true of commands that change, build or try something; a program in an argument is not one to be kept.
func doesSomething(text string) bool {
	did := strings.Fields(deed(text))
	if len(did) == 0 || strings.Contains(text, "\n") || strings.HasPrefix(did[0], "$") || smallPrograms[path.Base(did[0])] {
		return false
	}
	for i, word := range strings.Fields(text) {
		if word == "-" || (word == "-c" || word == "-e") && i == 1 || word == "--help" || word == "--version" {
			return false
		}
	}
	return !smallSteps[did[len(did)-1]] && (len(did) < 2 || !smallSteps[did[1]])
}

// deed is the program of a command, and what it was to do: the same as that of another command which differs in its options.
func deed(text string) string {
	words := strings.Fields(text)
	for len(words) > 1 && (wrappers[words[0]] || strings.Contains(words[0], "=") || strings.Trim(words[0], "0123456789smh") == "" || words[0][0] == '-') {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	did := words[:1:1]
	for i, word := range words[1:] {
		if word[0] == '-' || words[i] == "-C" {
			continue
		}
		if did = append(did, word); !deeper[word] {
			break
		}
	}
	return strings.Join(did, " ")
}
