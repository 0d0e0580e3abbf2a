//go:build unix

package tools_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"palimpsest/backend/agent/tools"
)

func TestBash(t *testing.T) {
	r := newRig(t)
	t.Setenv("PALIMPSEST_API_KEY", "notforshells1")
	t.Setenv("SOME_KEY", "notforshells2")
	w := r.workspace
	w.Secrets = []string{"SOME_KEY"}
	r.Set = tools.New(w)
	r.gives("bash", given{"command": "echo out; echo err >&2"}, "out\nerr\n")
	r.gives("bash", given{"command": "pwd"}, r.dir+"\n")
	r.gives("bash", given{"command": "true"}, "[no output]")
	r.gives("bash", given{"command": "cat; echo read"}, "read\n")
	r.gives("bash", given{"command": `printf 'a\377b\000c'`}, "a\uFFFDb\uFFFDc")
	r.gives("bash", given{"command": "echo $TERM $PAGER"}, "dumb cat\n")
	r.fails("bash", given{"command": "printf x; exit 3"}, "x\n[exit code 3]")
	r.fails("bash", given{"command": "kill -9 $$"}, "[signal: killed]")
	r.fails("bash", given{"command": "if"}, "syntax error", "[exit code 2]")
	if got := r.run("bash", given{"command": "env; test -t 0 || echo no terminal; cat /dev/tty"}); strings.Contains(got.Text, "notforshells") || !strings.Contains(got.Text, "no terminal") {
		t.Errorf("%s", got.Text)
	}
	r.must(os.Remove(r.dir))
	r.fails("bash", given{"command": "true"}, "folder is not there")
}

// gone waits until a process is no more, or is a zombie that nobody has collected: who should may not be there.
func gone(t *testing.T, pid string) {
	t.Helper()
	id, err := strconv.Atoi(strings.TrimSpace(pid))
	if err != nil {
		t.Fatalf("pid %q", pid)
	}
	again := time.NewTicker(5 * time.Millisecond) // nothing tells of the end of a process that is not ours
	defer again.Stop()
	for range 2000 {
		if err := syscall.Kill(id, 0); errors.Is(err, syscall.ESRCH) {
			return
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(id) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		<-again.C
	}
	t.Errorf("process %d still runs", id)
}

func TestBashEndsWhatItStarted(t *testing.T) {
	r := newRig(t)
	for name, c := range map[string]struct{ command, want string }{
		"in the background":                {"sleep 1000 & echo $! > pid; echo done", "done\n"},
		"in the background, without pipe":  {"sleep 1000 > /dev/null 2>&1 & echo $! > pid; echo done", "done\n"},
		"below":                            {"(sh -c 'sleep 1000 & echo $! > pid; wait' &) ; until test -s pid; do :; done; echo done", "done\n"},
		"that ignores being asked":         {"sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 1000; done' & until test -s pid; do :; done; echo done", "done\n"},
		"that ignores it and has no pipe":  {"sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 1000; done' >/dev/null 2>&1 & until test -s pid; do :; done; echo done", "done\n"},
		"that was asked to ignore hanging": {"nohup sleep 1000 2>/dev/null & echo $! > pid; echo done", "done\n"},
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(r.path("pid"))
			r.gives("bash", given{"command": c.command}, c.want)
			gone(t, r.text("pid"))
		})
	}
}

// What has left the group can't be ended with it. It keeps nobody waiting.
func TestBashLetsGo(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid")
	}
	r := newRig(t)
	r.gives("bash", given{"command": "setsid sh -c 'echo $$ > pid; exec sleep 1000' & until test -s pid; do :; done; echo done"}, "done\n")
	pid, err := strconv.Atoi(strings.TrimSpace(r.text("pid")))
	r.must(err)
	r.must(syscall.Kill(pid, syscall.SIGKILL))
	gone(t, r.text("pid"))
}

func TestBashTimeout(t *testing.T) {
	r := newRig(t)
	r.fails("bash", given{"command": "echo $$ > pid; echo begun; sleep 1000", "timeout": 1}, "begun\n", "[ended after 1s: it took too long]")
	gone(t, r.text("pid"))
	r.fails("bash", given{"command": "trap '' TERM; echo $$ > pid; while :; do sleep 1000; done", "timeout": 1}, "took too long")
	gone(t, r.text("pid"))
	r.fails("bash", given{"command": "trap 'echo cleaned up; exit 0' TERM; sleep 1000 & wait", "timeout": 1}, "cleaned up", "took too long")
}

func TestBashStopped(t *testing.T) {
	r := newRig(t)
	ctx, stop := context.WithCancel(context.Background())
	got := r.Run(ctx, callOf("bash", given{"command": "sleep 1000 & echo $! > pid; echo begun; wait"}), tools.Options{Stream: func(text string) {
		if strings.Contains(text, "begun") {
			stop()
		}
	}})
	if !got.IsError || got.Text != "begun\n[stopped]" {
		t.Errorf("%+v", got)
	}
	gone(t, r.text("pid"))
	if got := r.Run(ctx, callOf("bash", given{"command": "echo > never"}), tools.Options{}); !got.IsError || got.Text != "[stopped]" {
		t.Errorf("after the stop: %+v", got)
	}
	if r.exists("never") {
		t.Error("a command ran after the stop")
	}
}

func TestBashFlood(t *testing.T) {
	r := newRig(t)
	streamed := 0
	got := r.runWith("bash", given{"command": "echo $$ > pid; echo first; yes"}, tools.Options{Stream: func(text string) { streamed += len(text) }})
	if !got.IsError || !strings.HasPrefix(got.Text, "first\ny\n") || !strings.HasSuffix(got.Text, "y\n[ended: it printed more than 64 MiB]") {
		t.Errorf("%d bytes: …%s", len(got.Text), got.Text[max(0, len(got.Text)-100):])
	}
	if len(got.Text) > tools.DefaultBudget || len(got.Whole) > 9<<20 || streamed > 9<<20 {
		t.Errorf("%d bytes for the model, %d kept, %d streamed", len(got.Text), len(got.Whole), streamed)
	}
	gone(t, r.text("pid"))
}

func TestBashSideBySide(t *testing.T) {
	r := newRig(t)
	var running sync.WaitGroup
	for i := range 8 {
		running.Go(func() {
			if got := r.run("bash", given{"command": "echo " + strconv.Itoa(i)}); got.Text != strconv.Itoa(i)+"\n" {
				t.Errorf("%d: %q", i, got.Text)
			}
		})
	}
	running.Wait()
}
