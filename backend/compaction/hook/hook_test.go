//go:build unix

package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend/compaction"
	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func question(t *testing.T) compaction.Question {
	t.Helper()
	const log = `{"recordType":"message","schemaVersion":1,"seq":1,"role":"user","content":[{"type":"text","text":"Fix \"it\" <now>"}]}
{"recordType":"message","schemaVersion":1,"seq":2,"role":"assistant","content":[{"type":"text","text":"Done."}]}
`
	c, err := overlay.Resolve(session.NewReverse(strings.NewReader(log), int64(len(log))), overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := compaction.Make(&c, compaction.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return compaction.Question{Plan: plan, Trigger: compaction.TriggerThreshold, Instructions: "briefly"}
}

func TestWhatTheCommandSays(t *testing.T) {
	for name, c := range map[string]struct {
		command string
		want    compaction.Reply
		fails   string
	}{
		"nothing":             {"cat >/dev/null", compaction.Reply{}, ""},
		"without reading":     {"true", compaction.Reply{}, ""},
		"context":             {`echo '{"context":"port 1","other":5}'`, compaction.Reply{Context: "port 1"}, ""},
		"a summary":           {`echo '{"summary":"## Goal"}'`, compaction.Reply{Summary: "## Goal"}, ""},
		"what goes on":        {`echo '{"refuse":"not now"}'; sleep 5 &`, compaction.Reply{Refuse: "not now"}, ""},
		"a refusal":           {`echo '{"refuse":"not now"}'`, compaction.Reply{Refuse: "not now"}, ""},
		"garbage":             {"echo hello", compaction.Reply{}, "not one JSON object"},
		"half":                {`printf '{"summary":"x'`, compaction.Reply{}, "not one JSON object"},
		"another type":        {`echo '{"summary":5}'`, compaction.Reply{}, "not one JSON object"},
		"a list":              {`echo '[]'`, compaction.Reply{}, "not one JSON object"},
		"null":                {`echo null`, compaction.Reply{}, "not one JSON object"},
		"two":                 {`echo '{} {}'`, compaction.Reply{}, "more than one value"},
		"a failure":           {`echo '{"summary":"x"}'; echo "no disk" >&2; exit 3`, compaction.Reply{}, "exit status 3: no disk"},
		"a silent failure":    {"exit 4", compaction.Reply{}, "exit status 4"},
		"no such command":     {"/nowhere/hook", compaction.Reply{}, "127"},
		"without end":         {"yes", compaction.Reply{}, "did not answer within"},
		"one that hangs":      {"sleep 600", compaction.Reply{}, "did not answer within"},
		"one that hides":      {"sleep 600 & sleep 600", compaction.Reply{}, "did not answer within"},
		"one that never ends": {`trap "" TERM INT; while :; do sleep 1; done`, compaction.Reply{}, "did not answer within"},
		"longer than it may":  {"head -c 2000000 /dev/zero", compaction.Reply{}, "longer than 1024 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeout := time.Minute
			if strings.Contains(c.fails, "within") {
				timeout = 100 * time.Millisecond
			}
			got, err := New(Options{Command: c.command, Timeout: timeout})(t.Context(), question(t))
			if got != c.want {
				t.Errorf("%+v", got)
			}
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("%v, want %q", err, c.fails)
			}
		})
	}
}

func TestWhatTheCommandIsShown(t *testing.T) {
	dir := t.TempDir()
	if _, err := New(Options{Command: "cat >plan.json", Timeout: time.Minute, SessionID: "S", Cwd: dir})(t.Context(), question(t)); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.ReplaceAll(got, []byte(dir), []byte("DIR")), "", " "); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	if out.String()+"\n" != string(want) {
		t.Errorf("%s", out.String())
	}
}

// TestKeysAreNotForTheCommand, and the rest of the environment is.
func TestKeysAreNotForTheCommand(t *testing.T) {
	t.Setenv("SOME_API_KEY", "sk-secret")
	t.Setenv("SOME_API_KEY_FILE", "shown")
	got, err := New(Options{
		Command: `echo "{\"context\":\"$SOME_API_KEY $SOME_API_KEY_FILE\"}"`, Timeout: time.Minute, Without: []string{"Some_API_KEY"},
	})(t.Context(), question(t))
	if err != nil || got.Context != " shown" {
		t.Errorf("%+v %v", got, err)
	}
}

// TestImportedHistoryIsShown where the compaction in force has messages instead of a summary: a hook that writes one has to know
// them, as a model would.
func TestImportedHistoryIsShown(t *testing.T) {
	const log = `{"recordType":"compaction","schemaVersion":1,"seq":1,"firstKeptSeq":1,"summary":"","replacement":[{"role":"user","content":[{"type":"text","text":"of old"}]}],"tokensBefore":1,"readFiles":[],"modifiedFiles":[]}
{"recordType":"message","schemaVersion":1,"seq":2,"role":"user","content":[{"type":"text","text":"Fix it"}]}
`
	c, err := overlay.Resolve(session.NewReverse(strings.NewReader(log), int64(len(log))), overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := compaction.Make(&c, compaction.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := (Options{}).planOf(compaction.Question{Plan: plan}).Conversation; got != "[User]: of old\n[User]: Fix it" {
		t.Errorf("%q", got)
	}
}

func TestStopping(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	dir := t.TempDir()
	done := make(chan error)
	go func() {
		_, err := New(Options{Command: "touch running; sleep 600", Cwd: dir})(ctx, question(t))
		done <- err
	}()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for range look.C {
		if _, err := os.Stat(filepath.Join(dir, "running")); err == nil {
			break
		}
	}
	cancel(stopped)
	if err := <-done; !errors.Is(err, stopped) {
		t.Error(err)
	}
}

func TestNoCommandIsNoHook(t *testing.T) {
	if New(Options{Command: " \n"}) != nil {
		t.Error("a hook")
	}
}
