//go:build !race

package cli

import (
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"palimpsest/backend/modeltest"
)

var update = flag.Bool("update", false, "write what the scripts expect anew")

func TestScripts(t *testing.T) {
	server := modeltest.New(t)
	server.Script(answer)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("AGENT_HOME", env.WorkDir+"/home")
			env.Setenv("HOME", env.WorkDir+"/user")
			env.Setenv("USERPROFILE", env.WorkDir+"/user")
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/cache")
			env.Setenv("MODEL_URL", server.URL)
			env.Setenv("TZ", "UTC")
			env.Setenv("PALIMPSEST_AUTO_NAME", "off")
			return nil
		},
		Condition: func(condition string) (bool, error) {
			if condition == "root" {
				return os.Getuid() == 0, nil
			}
			return false, fmt.Errorf("no condition %q", condition)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"expand": expand, "exits": exits, "capture": capture, "await": await, "json": checkJSON, "tables": inTables, "many": many,
		},
	})
}

// exits runs a command and checks its exit code: exits CODE COMMAND...
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code is %d, not %d", got, want)
	}
}

// many writes sessions of pi, each with one message: many DIRECTORY COUNT TEXT.
func many(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	count, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.MkdirAll(dir, 0o700))
	for i := range count {
		text := fmt.Sprintf(`{"type":"session","version":3,"id":"s%d","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}`+"\n"+
			`{"type":"message","id":"1","parentId":null,"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"user","content":%q}}`+"\n", i, args[2])
		ts.Check(os.WriteFile(fmt.Sprintf("%s/2026-01-02T10-00-00-000Z_s%d.jsonl", dir, i), []byte(text), 0o600))
	}
}

// inTables runs the statements of a file in a database: tables DATABASE FILE.
func inTables(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o700))
	db, err := sql.Open("sqlite", path)
	ts.Check(err)
	_, err = db.Exec(ts.ReadFile(args[1]))
	ts.Check(errors.Join(err, db.Close()))
}

// expand puts variables into files: expand FILE...
func expand(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := os.Expand(ts.ReadFile(name), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}

// capture puts what the last command printed into a variable.
func capture(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// await waits for a file to appear, or for one to hold a text: await FILE [TEXT]
func await(ts *testscript.TestScript, _ bool, args []string) {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for deadline := time.After(20 * time.Second); ; {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && (len(args) == 1 || strings.Contains(string(data), args[1])) {
			return
		}
		select {
		case <-look.C:
		case <-deadline:
			ts.Fatalf("%s does not appear", args[0])
		}
	}
}

// checkJSON checks that the last command printed one JSON document without a null for an array.
func checkJSON(ts *testscript.TestScript, _ bool, _ []string) {
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	var value any
	ts.Check(decoder.Decode(&value))
	if decoder.More() {
		ts.Fatalf("there is more than one JSON document")
	}
	if name := nullArray(value); name != "" {
		ts.Fatalf("%s is null", name)
	}
}
