package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend"
	"palimpsest/backend/keys"
	"palimpsest/backend/modeltest"
)

// home is a home directory with the sample conversation.
func home(t *testing.T) (b *backend.Backend, id string) {
	t.Helper()
	t.Setenv("AGENT_HOME", t.TempDir())
	b, err := backend.Open(backend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.AddSample()
	if err != nil {
		t.Fatal(err)
	}
	return b, s.ID
}

// call runs a verb.
func call(ctx context.Context, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Run(ctx, args, Streams{In: stdin, Out: &out, Err: &err}, Deps{Serve: serveNothing, Keychain: forgetful{}})
	return code, out.String(), err.String()
}

// forgetful is a keychain that takes keys and has none.
type forgetful struct{}

func (forgetful) Get(string) (string, error) { return "", keys.ErrNone }
func (forgetful) Set(string, string) error   { return nil }
func (forgetful) Delete(string) error        { return nil }

func serveNothing(_ context.Context, _ *backend.Backend, opts ServeOptions) error {
	opts.Announce("http://" + opts.Listen + "/")
	return nil
}

func TestEveryVerbIsExplained(t *testing.T) {
	root := (&program{deps: Deps{Serve: serveNothing}, err: &notices{}}).rootCommand()
	for _, verb := range root.Commands() {
		name := verb.Name()
		for what, text := range map[string]string{
			"Short": verb.Short, "Long": verb.Long, "Example": verb.Example, "GroupID": verb.GroupID,
		} {
			if text == "" {
				t.Errorf("%s has no %s", name, what)
			}
		}
		if strings.HasSuffix(verb.Short, ".") {
			t.Errorf("%s: its Short ends with a full stop", name)
		}
		if !strings.Contains(verb.Example, "palimpsest "+name) {
			t.Errorf("%s: no example shows it", name)
		}
		if verb.Args == nil || verb.ValidArgsFunction == nil && verb.ValidArgs == nil {
			t.Errorf("%s: arguments are not checked or not completed", name)
		}
		for line := range strings.Lines(verb.Long + "\n" + verb.Example) {
			if len([]rune(line)) > 121 {
				t.Errorf("%s: a line of its help is too long: %s", name, line)
			}
		}
	}
}

// TestJSONOfEveryVerb runs every verb that answers in JSON, on a session with damage and on an empty one.
func TestJSONOfEveryVerb(t *testing.T) {
	type one struct {
		stdin string
		args  []string
	}
	calls := func(id string) []one {
		return []one{
			{"", []string{"list"}},
			{"", []string{"list", "--query", "no such thing"}},
			{"", []string{"show", id}},
			{"", []string{"context", id}},
			{"", []string{"children", id}},
			{"", []string{"context", id, "--no-messages"}},
			{"", []string{"check", id}},
			{"", []string{"check"}},
			{"", []string{"rename", id, "name"}},
			{"", []string{"append", id}},
			{`{"recordType":"message","role":"user","content":[]}` + "\n", []string{"append", id}},
			{`{"recordType":"compaction","firstKeptSeq":1,"summary":"s","tokensBefore":1,"readFiles":[],"modifiedFiles":[]}`, []string{"append", id}},
			{"", []string{"revert", id}},
			{"", []string{"export", id, "--output", filepath.Join(t.TempDir(), id)}},
			{"", []string{"compact", id, "--dry-run", "--keep-recent", "0"}},
			{"", []string{"compact", id, "--offline"}},
			{"", []string{"send", id, "hello"}},
			{"", []string{"permissions", id, "--allow", "bash(ls)"}},
			{"", []string{"fork", id}},
			{"", []string{"archive", id}},
			{"", []string{"unarchive", id}},
			{"", []string{"rm", id}},
			{"", []string{"list", "--trash"}},
			{"", []string{"restore", id}},
			{"", []string{"rm", id}},
			{"", []string{"purge", id}},
			{"", []string{"purge", "--yes"}},
			{"", []string{"new"}},
			{"", []string{"send", "--key", "k", "hello"}},
			{"", []string{"reset", "k"}},
			{"", []string{"models"}},
			{"sk-0123456789\n", []string{"key", "set"}},
			{"", []string{"key", "forget"}},
			{"", []string{"search", "hello"}},
			{"", []string{"retention"}},
			{"", []string{"keep"}},
			{"", []string{"clean", "--older-than", "1d", "--yes"}},
			{"", []string{"index"}},
			{"", []string{"stats"}},
			{"", []string{"ledger"}},
			{"", []string{"version"}},
			{"", []string{"serve"}},
		}
	}
	b, sample := home(t)
	empty, err := b.New(backend.NewSession{})
	if err != nil {
		t.Fatal(err)
	}
	damage(t, b, sample)
	connect(t)
	seen := []string{"help", "completion", "import"} // which print text, or need another agent (foreign.txtar)
	for _, id := range []string{sample, empty.ID} {
		for _, c := range calls(id) {
			code, stdout, stderr := call(t.Context(), strings.NewReader(c.stdin), append(c.args, "--json")...)
			damaged := c.args[0] == "check" && code == ExitFailed
			if code != ExitDone && !damaged || stderr != "" {
				t.Fatalf("%v: exit code %d, %s%s", c.args, code, stdout, stderr)
			}
			documents := []string{stdout}
			if c.args[0] == "send" {
				documents = slices.Collect(strings.Lines(stdout))
			}
			for _, document := range documents {
				var value any
				if err := json.Unmarshal([]byte(document), &value); err != nil {
					t.Errorf("%v: %v", c.args, err)
				}
				if name := nullArray(value); name != "" {
					t.Errorf("%v: %s is null", c.args, name)
				}
			}
			seen = append(seen, c.args[0])
		}
	}
	root := (&program{deps: Deps{Serve: serveNothing}, err: &notices{}}).rootCommand()
	for _, verb := range root.Commands() {
		if !slices.Contains(seen, verb.Name()) {
			t.Errorf("%s is not tested here", verb.Name())
		}
	}
}

// connect sets up a model that answers what it is asked at once.
func connect(t *testing.T) *modeltest.Server {
	t.Helper()
	server := modeltest.New(t)
	server.Script(answer)
	t.Setenv("PALIMPSEST_BASE_URL", server.URL)
	t.Setenv("PALIMPSEST_MODEL", "m-1")
	t.Setenv("PALIMPSEST_API_KEY", "")
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("PALIMPSEST_AUTO_NAME", "off")
	return server
}

// damage puts a line into a log that is no record, and one of a newer version.
func damage(t *testing.T, b *backend.Backend, id string) {
	t.Helper()
	log, err := os.OpenFile(b.Home()+"/sessions/"+id+"/session.jsonl", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	if _, err := log.WriteString("{\"seq\":0}\n{\"recordType\":\"x\",\"schemaVersion\":9,\"seq\":113}\n"); err != nil {
		t.Fatal(err)
	}
}

// TestInterrupted cancels a verb that waits for its input.
func TestInterrupted(t *testing.T) {
	_, id := home(t)
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	defer func() { _ = feed.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, _, stderr := call(ctx, in, "append", id)
	if code != ExitFailed || !strings.Contains(stderr, "interrupted: ") || !strings.Contains(stderr, "hint: ") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	for _, args := range [][]string{{"list"}, {"show", id}, {"check"}} {
		if code, _, stderr := call(ctx, in, args...); code != ExitFailed || !strings.Contains(stderr, "interrupted: ") {
			t.Errorf("%v: exit code %d, %s", args, code, stderr)
		}
	}
}

func TestForkThatCannotBeNamed(t *testing.T) {
	b, id := home(t)
	code, _, stderr := call(t.Context(), nil, "fork", id, "--name", strings.Repeat("x", 1001))
	if code != ExitFailed || !strings.Contains(stderr, "was forked as") || !strings.Contains(stderr, "hint: palimpsest rename") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if sessions, err := b.List(t.Context(), backend.ListOptions{}); err != nil || len(sessions) != 2 {
		t.Errorf("%d sessions, %v", len(sessions), err)
	}
}

// TestServeUnannounced: a server ends if its address can't be told.
func TestServeUnannounced(t *testing.T) {
	home(t)
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_, _ = in.Close(), out.Close()
	var stderr bytes.Buffer
	code := Run(t.Context(), []string{"serve"}, Streams{Out: out, Err: &stderr}, Deps{
		Serve: func(ctx context.Context, _ *backend.Backend, opts ServeOptions) error {
			opts.Announce("http://127.0.0.1/")
			<-ctx.Done()
			return nil
		},
	})
	if code != ExitFailed || !strings.Contains(stderr.String(), "writing the answer") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// TestDimmed: on a terminal what the model does not see any more is dimmed, and nothing else.
func TestDimmed(t *testing.T) {
	b, id := home(t)
	var out bytes.Buffer
	p := &program{out: bufio.NewWriter(&out), terminal: terminal{dim: true}}
	view := &transcript{p: p}
	if err := b.Show(t.Context(), id, backend.ShowOptions{}, view.visit); err != nil {
		t.Fatal(err)
	}
	if err := p.out.Flush(); err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(out.String(), "in force")
	if !found || !strings.Contains(before, dim+"#1 user") || strings.Contains(after, dim) {
		t.Errorf("dimmed wrongly:\n%s", out.String())
	}
	if strings.Count(out.String(), dim) != strings.Count(out.String(), plain) {
		t.Error("dimming is not ended")
	}
}

func TestNoArgumentsAreNotThoseOfTheProcess(t *testing.T) {
	home(t)
	if code, stdout, _ := call(t.Context(), nil); code != ExitDone || !strings.Contains(stdout, "Exit codes:") {
		t.Errorf("exit code %d, %s", code, stdout)
	}
}
