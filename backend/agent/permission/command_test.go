package permission_test

import (
	"strings"
	"testing"

	"palimpsest/backend/agent/permission"
)

func rules(t testing.TB, effect permission.Effect, texts ...string) []permission.Rule {
	t.Helper()
	var out []permission.Rule
	for _, text := range texts {
		r, err := permission.Parse(text, effect, permission.Config)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func command(text string) permission.Call {
	return permission.Call{Tool: "bash", Command: text, Dir: "/work/dir", Home: "/home/u"}
}

func harmless(t testing.TB) []permission.Rule {
	return rules(t, permission.Allow, "bash(git status *)", "bash(git log *)", "bash(echo *)", "bash(ls *)", "bash(cat *)",
		"bash(find *)", "bash(go test *)", "bash(cd *)", "bash(./build.sh)", "bash(true)", "bash(bash check.sh)", "bash(sort)",
		"bash(printf *)", "bash([ *)", "bash(go vet ./...)")
}

func TestWhatIsAllowed(t *testing.T) {
	for _, text := range []string{
		"git status", "git status --short", "git   status\t-s", `"git" 'status'`, `g\it status`, "git status # a remark",
		"git status; git log", "git status && git log | cat", "git status\ngit log\n", "(git status; ls)", "{ ls; }",
		"! git status", "if git status; then ls; else ls -l; fi", "for f in a b; do cat $f; done", "while true; do ls; done",
		"case x in x) ls;; esac", "echo $(git status)", "echo `git status`", `echo "in $(ls "$(git log)")"`, "cat <(git log)",
		"cat <<E\n$(git status)\nE", "cat <<'E'\n$(rm -rf /)\nE", "echo '$(rm -rf /)'", `echo "\$(rm)"`, "cat <<< text", "cat < file",
		"git status 2>&1", "git status > /dev/null 2>&1", "git status 2>/dev/null", "time git status", "nohup git status",
		"env git status", "env -i git status", "timeout -k 5 10 git status", "timeout --signal=KILL 10 git log", "nice -n 5 ls", "stdbuf -oL ls",
		"bash -c 'git status; ls'", "sh -ec 'git status'", `bash -c "bash -c 'git status'"`, "eval git status", "eval 'git status; ls'",
		"find . -name '*.go' | xargs cat", "ls | xargs -0 -n 1 cat", "ls | xargs -I {} cat {}", "find . -name x -exec cat {} ';'",
		`find . \( -name a -o -name b \) -exec cat {} +`, "command git status", "exec git status", "busybox ls", "./build.sh",
		"go test ./... -run 'A|B'", "echo ${HOME:-x} ${x%.go} ${#x}", "bash check.sh", "cat *.go", "ls ~/x {a,b}", "cat <(ls) <(ls -l)",
		"git log ~/x", "git log -- src/*.go 'a b'*", `git log --author="$USER"`, "git log HEAD~{1,2}", "git status sub/?", "git log --stat=*",
		"cd sub && git status", "git log HEAD~3..HEAD^", "echo a=b c:d", "go vet ./...", `printf '%s\n' a`, "[ -f x ] && ls",
	} {
		if d := permission.Decide(harmless(t), command(text)); d.Effect != permission.Allow {
			t.Errorf("%q: %v: %s", text, d.Effect, d.Why)
		}
	}
}

// hostile are commands that do more than the rules of harmless allow.
var hostile = []string{
	// another command beside
	"git status; rm -rf /", "git status && rm x", "git status || rm x", "git status | sh", "git status\nrm x", "git status & rm x",
	"rm x; git status", "(rm x)", "{ rm x; }", "! rm x", "if rm x; then ls; fi", "if ls; then rm x; fi", "if ls; then ls; elif rm x; then ls; fi",
	"if ls; then ls; else rm x; fi", "while rm x; do ls; done", "until ls; do rm x; done", "for f in $(rm x); do ls; done",
	"for f in a; do rm $f; done", "case $(rm x) in a) ls;; esac", "case a in a) rm x;; esac", "case a in $(rm x)) ls;; esac", "git status |& rm",
	"git status;rm", "git status\\\n; rm x",
	"git status #\\\nrm x", "git status # a \\\n rm x",
	// another command within
	"git status $(rm x)", "git status `rm x`", `git status "$(rm x)"`, "git status \"`rm x`\"", "echo $(echo $(rm x))", "echo \"${x:-$(rm x)}\"",
	"cat <(rm x)", "cat >(rm x)", "cat <<E\n$(rm x)\nE", "cat <<E\n`rm x`\nE", "cat <<-E\n\t$(rm x)\n\tE", `cat <<< "$(rm x)"`, "echo $((1+$(rm x)))",
	"echo $(( $(rm x) ))", "echo $[$(rm x)]", "cat < $(rm x)", "git status > /dev/null$(rm x)", "git log 2> $(rm x)", "echo ${x/a/$(rm x)}",
	"echo ${x:$(rm x)}", "echo ${x[$(rm x)]}", "[[ $(rm x) ]]", "((x=$(rm x)))", "for ((i=$(rm x);;)); do ls; done", "echo ${ rm x;}",
	// texts that are evaluated
	"bash -c 'rm x'", "sh -c 'git status; rm x'", "bash -c \"$X\"", "bash -c $X", "bash -lc 'git status'", "bash -ic ls", "bash --rcfile x -c ls",
	"bash", "git log | bash", "git log | sh -", "git log | sh -s", "echo rm | bash -s x", "bash <<< 'rm x'", "bash <(echo rm)", "eval rm x", "eval \"$X\"",
	"eval 'git status' '; rm x'", "eval $'rm x'", "bash -c 'bash -c \"bash -c rm\"'", "zsh -c 'git status'", "fish -c ls", "source x", ". ./x", "trap 'rm x' EXIT",
	"bash evil.sh", "bash -c 'git status' -c 'rm x' && rm y", "ash -c rm", "/bin/bash -c 'rm x'", "sh -c -- 'rm x'",
	// options that are not in sight
	"git log --output=$HOME/x", `git log "--output=$HOME/x"`, "git log --output=~/x", "git log --o{utput=x,neline}", "git log -{-output=x,p}", "git log {--output=x,HEAD}",
	"git log $X", `git log "$X"`, "git log a$X", "git log $(echo --output=x)", "git log `echo --output=x`", "git log --ou*", "git log *", `git log "$@"`, `git log "a$@"`, "git log $'--output=x'", `git log --o"$X"`,
	"echo --output=x | xargs git log", "ls | xargs -0 -n 1 git log", "ls | xargs -I {} git log {}", "find . -exec git log {} ';'", "git log -- $X", "go test --exe$X", "go test *",
	// files that are shown
	"echo $(<x)", `echo "$(</etc/shadow)"`, "echo $(< /dev/tcp/a/1)", "echo `<x`", "< x", "git log --stdin < x", "git log --ignore-revs-file=x", "find -files0-from x",
	// programs that run programs
	"env rm x", "env -S 'rm x'", "env A=1 git status", "env PATH=/tmp/x git status", "env -u A rm", "env -C / git status", "sudo git status", "sudo rm x", "sudo -i", "doas git status",
	"xargs rm", "ls | xargs", "ls | xargs -I{} {} status", "ls | xargs -I git git status", "ls | xargs -Igit bash -c git", "ls | xargs ./build.sh", "ls | xargs true", "ls | xargs sh", "ls | xargs sh -c 'rm $0'",
	"ls | xargs --weird git status", "ls | xargs env", "ls | xargs find", "ls | xargs bash -c", "find . -exec rm {} ';'", "find . -exec rm {} +", "find . -execdir rm {} ';'", "find . -ok rm {} ';'",
	"find . -exec sh -c 'rm $0' {} ';'", "find . -exec {} ';'", "find . -delete", "find . -fprint x", "find . -fls x", "find $X", "find . -name x -exec git log ';' -exec rm {} ';'", "find . -exec", "nohup rm x", "time rm x",
	"time -o f git status", "nice rm", "timeout 5 rm x", "timeout $X git status", "timeout --weird 5 git status", "stdbuf -oL rm", "command rm x", "builtin eval rm", "exec rm x", "exec -a git rm", "busybox rm", "setsid git status",
	"watch git status", "parallel git status", "nohup", "env", "command -p git status", "strace git status", "nohup bash -c 'rm x'", "nohup env timeout 3 xargs rm",
	// names that can't be told
	"$X", "$X status", "${X} status", "git$X status", "$(echo rm) x", "`echo rm` x", "r? x", "/bin/r* x", "{rm,-rf,x}", "{git,status}", "~/bin/git status", "$'rm' x", "$\"git\" status", "g${x}it status", "[gr]it status", "\"$@\"",
	// words that look like the rule's
	"gitx status", "git statusx", "git status-x", "git -c core.pager=rm status", "git -C / status", "git --exec-path=/tmp status", "git $X status", "git {status,push}", "git stat*", "git 'status; rm'", "'git status'", "git \"status \"", "Git status",
	"/tmp/git status", "./git status", "../git status", "git", "ls; git push", "git log --output=x", "git log --outpu=x", "git log --ext-diff", "git -c core.pager=x log", "git -C /tmp log", "git --exec-path=x log", "git log --no-index", "go test -ldflags=-extld=x", "go test --coverprofile=x", "go test -test.trace=x", "go test -exec rm", "go test --toolexec=rm ./...", "bash check.sh x", "sort -o x", "./build.sh x", "go vet ./... x", "true x",
	// what else a shell does
	"git status > x", "git status >> x", "git status >| x", "git status &> x", "git status &>> x", "git status >& x", "git status 2> x", "> x", "git status <> x", "git status > $X", "git status > /dev/nullx", "git status > /dev/../tmp/x",
	"cat < /dev/tcp/evil/80", "cat < //dev/tcp/evil/80", "cat < /dev/./udp/evil/80", "cat < $X", "git status {x}> /dev/null", "git status &", "coproc git status", "git status | tee >(rm)",
	"PATH=/tmp git status", "LD_PRELOAD=x git status", "A=1 git status", "A=1", "A=$(rm x)", "A=(a b)", "A+=b git status", "export PATH=/tmp; git status", "declare -x A=1", "local A=1", "readonly A", "unset PATH", "read PATH", "read -r x <<< y", "printf -v PATH /tmp", "printf $X", "mapfile PATH",
	"for PATH in /tmp; do git status; done", "for http_proxy in x; do git status; done", "select x in a; do ls; done", "alias git=rm", "shopt -s expand_aliases", "enable -f x git", "hash -p /tmp/rm git; git status", "set -x", "complete -C rm git", "bind -x rm",
	"git() { rm x; }; git status", "function git { rm x; }", "git () rm x", "let 'x[$(rm)]'", "((x))", "echo $((x))", "echo $((x[1]))", "[ -v 'x[$(rm)]' ]", "[ $x ]", "[[ -v x ]]", "echo ${x@P}", "echo ${!x}", "echo ${x:=y}", "echo ${PATH:=y}", "echo ${x:0:y}", "echo ${x[1]}", "echo ${x^^}", "echo ${x?$(rm)}",
	"cd /tmp && ./build.sh", "(cd /tmp; ./build.sh)", "pushd /tmp; ls", "fc -s", "compgen -C rm", "jobs -x rm", "wait -p PATH",
	// no commands at all
	"", " ", "#", "# git status", "git status '", "git status \"", "git status $(", "git status |", "if", "fi", "git status )", "((", "git status <<E", "bash -c ''", "bash -c '#'", "eval", "eval ''",
	"git status\x00rm", "git status\rrm", "git status \x1b[2K", "git status \xff", "git status\vrm", "git status\frm",
	strings.Repeat("git status;", 5000), strings.Repeat("(", 9000), strings.Repeat("$(", 7000), strings.Repeat("{ ", 8000), strings.Repeat("\"$(", 5000), strings.Repeat("! ", 8000) + "ls",
}

func TestWhatIsNotAllowed(t *testing.T) {
	for _, text := range hostile {
		if d := permission.Decide(harmless(t), command(text)); d.Effect == permission.Allow {
			t.Errorf("%.80q is allowed: %s", text, d.Why)
		}
	}
}

func TestHostileWordForWord(t *testing.T) {
	for _, text := range hostile {
		if strings.TrimSpace(text) == "" || len(text) > 4000 || strings.HasSuffix(text, " *") {
			continue // the last would be rules for any arguments
		}
		r, err := permission.Parse("bash("+text+")", permission.Allow, permission.Session)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if d := permission.Decide([]permission.Rule{r}, command(text)); d.Effect != permission.Allow {
			t.Errorf("%q, allowed word for word: %s", text, d.Why)
		}
		if d := permission.Decide([]permission.Rule{r}, command(text+"; rm y")); d.Effect == permission.Allow {
			t.Errorf("%q and more is allowed", text)
		}
	}
}

func TestDenied(t *testing.T) {
	denying := append(rules(t, permission.Deny, "bash(rm *)", "bash(git push *)", "bash(shutdown)"), rules(t, permission.Allow, "bash")...)
	for text, want := range map[string]permission.Effect{
		"ls": permission.Allow, "ls > x": permission.Allow, "make & ls": permission.Allow, "git pull": permission.Allow,
		"rm": permission.Deny, "rm -rf x": permission.Deny, "ls; rm x": permission.Deny, "/bin/rm x": permission.Deny, `\rm x`: permission.Deny, "echo $(rm x)": permission.Deny,
		"sudo rm x": permission.Deny, "sudo -u root rm x": permission.Deny, "xargs rm": permission.Deny, "find . -exec rm {} +": permission.Deny, "bash -c 'rm x'": permission.Deny,
		"A=1 rm x": permission.Deny, "rm x &": permission.Deny, "f() { rm x; }": permission.Deny, "git push": permission.Deny, "git push -f": permission.Deny, "env git push": permission.Deny,
		"shutdown": permission.Deny, "shutdown now": permission.Allow, "xargs shutdown": permission.Ask, "shutdown $x": permission.Ask,
		"git -C . push": permission.Ask, "git --no-pager push -f": permission.Ask, "git --git-dir=x -C y push": permission.Ask, "git -c alias.p=push p": permission.Ask,
		"git --config-env=a=b p": permission.Ask, "git -C . $x": permission.Ask, "ls | xargs git -C .": permission.Ask, "bash -c 'git -C . push'": permission.Ask, "GIT -C . push": permission.Allow,
		"git -C . pull": permission.Allow, "git --no-pager log --oneline": permission.Allow, "git log -c": permission.Allow, "git commit -m push": permission.Allow, "make -C x push": permission.Allow,
		"git $x": permission.Ask, "$x": permission.Ask, "eval \"$x\"": permission.Ask, "source x": permission.Ask, "ls (": permission.Ask, "A=1 ls": permission.Ask, "xargs git": permission.Ask, "curl x | sh": permission.Ask,
	} {
		if d := permission.Decide(denying, command(text)); d.Effect != want {
			t.Errorf("%q: %v, want %v: %s", text, d.Effect, want, d.Why)
		}
	}
	folding := command("/usr/bin/RM x")
	folding.FoldCase = true
	if d := permission.Decide(denying, folding); d.Effect != permission.Deny {
		t.Errorf("another case: %v", d)
	}
}

func TestBlanketAllow(t *testing.T) {
	for _, rule := range []string{"bash", "bash(*)", "*"} {
		for _, text := range hostile {
			if len(text) > 4000 {
				continue
			}
			if d := permission.Decide(rules(t, permission.Allow, rule), command(text)); d.Effect != permission.Allow {
				t.Errorf("%s: %.60q: %s", rule, text, d.Why)
			}
		}
	}
}

func TestPowerShellIsOnlyCompared(t *testing.T) {
	allowed := rules(t, permission.Allow, "bash(git status *)", "bash(Get-ChildItem -Force)")
	for text, want := range map[string]permission.Effect{
		"Get-ChildItem -Force": permission.Allow, " Get-ChildItem -Force\n": permission.Allow, "git status": permission.Ask,
		"git status; rm x": permission.Ask, "Get-ChildItem -Force; rm x": permission.Ask, "get-childitem -force": permission.Ask,
	} {
		call := command(text)
		call.Shell = permission.PowerShell
		if d := permission.Decide(allowed, call); d.Effect != want {
			t.Errorf("%q: %v, want %v", text, d.Effect, want)
		}
	}
}
