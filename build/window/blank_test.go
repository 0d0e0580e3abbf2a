//go:build window

package window

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// stuck is a library that WebKit's drawing process loads, and hangs in before it does anything, like in a graphics
// driver that never answers. %s is on which condition.
const stuck = `#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((constructor)) static void hang(void) {
	while (strcmp(program_invocation_short_name, "WebKitWebProcess") == 0 && (%s))
		pause();
}
`

// breakDriver makes programs of this desktop hang where they draw, on a condition in C.
func (d *desktop) breakDriver(t *testing.T, condition string) {
	t.Helper()
	source, library := filepath.Join(d.dir, "stuck.c"), filepath.Join(d.dir, "stuck.so")
	write(t, source, fmt.Sprintf(stuck, condition))
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("compiling a driver that hangs: %v\n%s", err, out)
	}
	d.env = append(d.env, "LD_PRELOAD="+library)
}

// TestBlankWindowStartsAgain has a driver that works without compositing only: the program notices, starts again, and
// the next time it knows from the start.
func TestBlankWindowStartsAgain(t *testing.T) {
	t.Parallel()
	d := startDesktop(t)
	d.breakDriver(t, `getenv("WEBKIT_DISABLE_COMPOSITING_MODE") == NULL`)
	p := d.start(t)

	p.await(t, "", sessionName)
	if !strings.Contains(p.output.String(), "starting again without the GPU") {
		t.Errorf("the program did not say that it starts again:\n%s", &p.output)
	}
	if shown := d.shown(t); len(shown) != 1 {
		t.Errorf("%d windows are shown; the blank one should be gone", len(shown))
	}
	if left := children(t, p, "WebKitWebProcess"); left != 1 {
		t.Errorf("%d drawing processes; the one that hung should be gone", left)
	}
	memory := filepath.Join(d.dir, ".local", "state", "palimpsest", "renderer.json")
	until(t, "what worked is remembered", func() bool { _, err := os.Stat(memory); return err == nil })
	if err := d.display.closeWindow(); err != nil {
		t.Fatal(err)
	}
	p.ended(t)

	second := d.start(t)
	second.await(t, "", sessionName)
	if said := second.output.String(); strings.Contains(said, "blank") {
		t.Errorf("the second start tried again what had failed:\n%s", said)
	}
}

// TestBlankWindowSaysWhatToDo has a driver that never works, on a dark desktop: the window has the ground of a dark page
// at least, and after the second try the program names a way out.
func TestBlankWindowSaysWhatToDo(t *testing.T) {
	t.Parallel()
	d := startDesktop(t)
	d.breakDriver(t, "1")
	d.portal(t, preferDark)
	p := d.start(t)

	d.shows(t, darkPaper)
	until(t, "a way out is named", func() bool { return strings.Contains(p.output.String(), "palimpsest serve") })
	if n := strings.Count(p.output.String(), "starting again"); n != 1 {
		t.Errorf("started again %d times:\n%s", n, &p.output)
	}
	if err := d.display.closeWindow(); err != nil {
		t.Fatal(err)
	}
	p.ended(t)
}

// children counts the program's processes of that name.
func children(t *testing.T, p *program, name string) int {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, list := range lists {
		pids, _ := os.ReadFile(list) // or the thread has ended
		for pid := range strings.FieldsSeq(string(pids)) {
			comm, _ := os.ReadFile("/proc/" + pid + "/comm")
			if strings.HasPrefix(name, strings.TrimSpace(string(comm))) && len(comm) > 1 {
				n++
			}
		}
	}
	return n
}
