//go:build unix

package permission_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/agent/permission"
)

// Bash itself is asked: whatever is allowed by rules for echo and true never runs a program named evil. The texts are made
// of what shells give a meaning to.
func TestBashRunsNothingElse(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	bin, work := t.TempDir(), t.TempDir()
	mark := filepath.Join(bin, "ran")
	if err := os.WriteFile(filepath.Join(bin, "evil"), []byte("#!"+bash+"\necho \"$0 $*\" > "+mark+"\n"), 0o755); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	for _, name := range []string{"bash", "env", "xargs", "find", "nohup", "timeout"} {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	set := rules(t, permission.Allow, "bash(echo *)", "bash(true *)", "bash(find *)")
	pieces := []string{
		"evil", "evil", " evil", "evil ", "echo ", "echo", "true", " ", " ", ";", "|", "&&", "||", "\n", "$(", ")", "`", "'", "\"", "\\", "{", "}", "(", ")", " <<E\n", "\nE\n", " <<'E'\n", " <<-E\n",
		"#", "$", "x", "${x:-", "${x-", "<(", "$'", "\\x65vil", "ev", "il", "[", "]", "*", ",", "~", "! ", "if ", "; then ", "; fi", "for x in ", "; do ", "; done", "$x", "case x in ", " esac", "x) ", ";;",
		"eval ", "bash -c ", "xargs ", "env ", "nohup ", "timeout 1 ", " <<<", " >/dev/null", " 2>&1", "=", "&", "x=", "command ", "exec ", "time ", "{ ", "; }", "$((", "))", "[[ ", " ]]", "\\\n", "\t", "-exec ", "find . ", " ';'", "{}", "\"$(", ")\"", "function ", "() ", "coproc ",
	}
	// Most texts of these are no commands at all, or are asked about; those of quotes and words alone are often allowed.
	quoting := []string{"evil", " evil ", "'", "'", "\"", "\"", "\\", "\n", " <<E\n", "\nE\n", " <<'E'\n", "$", "#", " #", "`", "$(", ")", "${x:-", "}", "{", ",", " ", ";", "echo ", "$'", "<<<", "!", "E", "\t", "\\\n", "$x", "; echo ", "\necho ", "$(echo "}
	random := rand.New(rand.NewPCG(7, 11))
	asked, ran := 0, 0
	for i := range 30_000 {
		var text strings.Builder
		from := pieces
		if i%2 == 0 {
			from = quoting
			text.WriteString("echo ")
		}
		for range 2 + random.IntN(9) {
			text.WriteString(from[random.IntN(len(from))])
		}
		if !strings.Contains(text.String(), "vil") || permission.Decide(set, command(text.String())).Effect != permission.Allow {
			asked++
			continue
		}
		ran++
		ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
		run := exec.CommandContext(ctx, bash, "-c", text.String())
		run.Dir, run.Env = work, []string{"PATH=" + bin}
		_ = run.Run()
		stop()
		if _, err := os.Stat(mark); err == nil {
			t.Errorf("%q is allowed and runs evil", text.String())
			_ = os.Remove(mark)
		}
	}
	t.Logf("%d were asked about or harmless, %d were run", asked, ran)
	if ran == 0 {
		t.Error("nothing was tried")
	}
}
