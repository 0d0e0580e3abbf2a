//go:build window

// Package window tests the built program from outside: its real window on a
// display of its own (Xvfb), read and pressed through the accessibility tree as a
// screen reader does, and closed as a window manager does.
//
// PALIMPSEST_BIN is the program; PALIMPSEST_SHOTS, if set, is the folder that
// keeps screenshots.
package window

import (
	"bufio"
	"bytes"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	patience = 60 * time.Second // for a window to show, on a busy machine
	goodbye  = 20 * time.Second // for a program to end
)

const (
	sessionID   = "01JD0000000000000000000000"
	sessionName = "fix flaky deploy"
	question    = "Why does the deploy hang on Tuesdays?"
	answer      = "Because the cron job takes the lock first."
)

const sessionLog = `{"recordType":"message","schemaVersion":1,"seq":1,"timestamp":"2026-11-02T09:00:00Z","role":"user","content":[{"type":"text","text":"` + question + `"}]}
{"recordType":"message","schemaVersion":1,"seq":2,"timestamp":"2026-11-02T09:00:05Z","role":"assistant","content":[{"type":"text","text":"` + answer + `"}]}
`

// TestWindow opens the window on a home with one session, opens that session,
// reads its transcript, and closes the window with its close button.
func TestWindow(t *testing.T) {
	d := startDesktop(t)
	p := d.start(t)

	p.await(t, "frame", "Palimpsest")
	row := p.await(t, "", sessionName)
	if p.look(t).find("", answer) == nil {
		if err := p.reader.press(row); err != nil {
			t.Fatalf("opening the session: %v\n%v", err, p.look(t))
		}
	}
	p.await(t, "", question)
	p.await(t, "", answer)

	keep(t, "window.png", d.picture(t))

	if err := d.display.closeWindow(); err != nil {
		t.Fatal(err)
	}
	p.ended(t)
	log, err := os.ReadFile(filepath.Join(p.home, "sessions", sessionID, "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if string(log) != sessionLog {
		t.Errorf("looking at a session changed its log:\n%s", log)
	}
}

// TestTerminate ends the program with a signal, as a session manager does at logout.
func TestTerminate(t *testing.T) {
	p := startDesktop(t).start(t)
	p.await(t, "", sessionName)
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.ended(t)
}

// desktop is a display and a session bus, with nothing else on them, and a home
// folder of its own: nothing of the user's own desktop is seen or touched.
type desktop struct {
	display *display
	dir     string
	env     []string
	bus     string
}

func startDesktop(t *testing.T) *desktop {
	t.Helper()
	d := &desktop{dir: t.TempDir()}
	runtimeDir := filepath.Join(d.dir, "run")
	if err := os.Mkdir(runtimeDir, 0o700); err != nil {
		t.Fatal(err)
	}
	d.env = []string{
		"PATH=" + os.Getenv("PATH"),
		"LANG=C.UTF-8",
		"HOME=" + d.dir,
		"XDG_RUNTIME_DIR=" + runtimeDir,
		"GDK_BACKEND=x11",
		"WEBKIT_DISABLE_DMABUF_RENDERER=1",
		"LIBGL_ALWAYS_SOFTWARE=1",
	}

	number := d.background(t, "Xvfb", "-displayfd", "1", "-screen", "0", "1600x1000x24", "-nolisten", "tcp")
	d.env = append(d.env, "DISPLAY=:"+number)
	d.bus = d.background(t, "dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1")
	d.env = append(d.env, "DBUS_SESSION_BUS_ADDRESS="+d.bus)

	var err error
	if d.display, err = openDisplay(number); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.display.conn.Close() })
	return d
}

// picture takes a screenshot once something was painted and the screen holds still.
func (d *desktop) picture(t *testing.T) image.Image {
	t.Helper()
	const few = 16 // an empty window has fewer colours
	var before *image.NRGBA
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(patience); ; <-again.C {
		img, err := d.display.screenshot()
		if err != nil {
			t.Fatal(err)
		}
		late := time.Now().After(deadline)
		n := colours(img)
		if n >= few && (late || before != nil && bytes.Equal(img.Pix, before.Pix)) {
			return img
		}
		if late {
			t.Fatalf("the screen shows %d colours: nothing was painted", n)
		}
		before = img
	}
}

// background starts a helper that prints one line when it is ready, and returns that
// line. The helper is ended after the test.
func (d *desktop) background(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = d.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { endGroup(cmd) })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s did not start: %v", name, err)
	}
	return strings.TrimSpace(line)
}

// endGroup ends a helper and what it started.
func endGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	timer := time.AfterFunc(goodbye, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer timer.Stop()
	_ = cmd.Wait()
}

// program is the program under test, running.
type program struct {
	cmd    *exec.Cmd
	home   string
	output output
	reader *screenReader
	done   chan error
}

// output is what a program has written so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start runs the program without arguments, in a home that holds one session.
func (d *desktop) start(t *testing.T) *program {
	t.Helper()
	bin := os.Getenv("PALIMPSEST_BIN")
	if bin == "" {
		t.Fatal("PALIMPSEST_BIN is not set: run `make window-test`")
	}
	p := &program{home: filepath.Join(d.dir, "agent"), done: make(chan error, 1)}
	write(t, filepath.Join(p.home, "sessions", sessionID, "session.jsonl"), sessionLog)
	write(t, filepath.Join(p.home, "sessions", sessionID, "metadata.json"), `{"id":"`+sessionID+
		`","name":"`+sessionName+`","createdAt":"2026-11-02T09:00:00Z","lastMessageAt":"2026-11-02T09:00:05Z","model":"example-model","messageCount":2,"source":"interactive"}`+"\n")

	p.cmd = exec.Command(bin)
	p.cmd.Dir = d.dir
	p.cmd.Env = append(slices.Clip(d.env), "AGENT_HOME="+p.home)
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.WaitDelay = time.Second
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) })

	var err error
	if p.reader, err = newScreenReader(d.bus); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.reader.bus.Close() })
	return p
}

// look returns what a screen reader sees now.
func (p *program) look(t *testing.T) *node {
	t.Helper()
	tree, err := p.reader.tree()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// await waits until something with this role ("" is any) shows what.
func (p *program) await(t *testing.T, role, what string) *node {
	t.Helper()
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(patience); ; <-again.C {
		select {
		case err := <-p.done:
			t.Fatalf("the program ended early: %v\n%s", err, &p.output)
		default:
		}
		tree := p.look(t)
		if found := tree.find(role, what); found != nil {
			return found
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s %q within %v; a screen reader sees\n%v", role, what, patience, tree)
		}
	}
}

// until waits for something to be so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(patience); !so(); <-again.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// ended waits for the program's end, which must be a good one.
func (p *program) ended(t *testing.T) {
	t.Helper()
	select {
	case err := <-p.done:
		if err != nil {
			t.Errorf("the program ended with %v\n%s", err, &p.output)
		}
		if strings.Contains(p.output.String(), "panic") {
			t.Errorf("the program reported a panic:\n%s", &p.output)
		}
	case <-time.After(goodbye):
		t.Fatalf("the program still runs after %v", goodbye)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// keep writes a screenshot where PALIMPSEST_SHOTS says.
func keep(t *testing.T, name string, img image.Image) {
	t.Helper()
	dir := os.Getenv("PALIMPSEST_SHOTS")
	if dir == "" {
		return
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, name), b.String())
}

// colours counts the different colours of img.
func colours(img *image.NRGBA) int {
	seen := map[[4]byte]bool{}
	for pixel := range slices.Chunk(img.Pix, 4) {
		seen[[4]byte(pixel)] = true
	}
	return len(seen)
}
