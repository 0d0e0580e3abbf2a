//go:build unix

package tools_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend/agent/tools"
	"palimpsest/backend/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a session's folder, with tools and blobs.
type rig struct {
	testing.TB
	*tools.Set
	workspace tools.Workspace
	dir       string
	mu        sync.Mutex
	blobs     map[string][]byte
}

func newRig(t testing.TB) *rig {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{TB: t, dir: filepath.Join(dir, "work"), blobs: map[string][]byte{}}
	r.mkdir("")
	r.workspace = tools.Workspace{Dir: r.dir, Keep: r.keep, Grace: 200 * time.Millisecond}
	r.Set = tools.New(r.workspace)
	return r
}

func (r *rig) keep(data []byte) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hash := sha256.Sum256(data)
	sha := hex.EncodeToString(hash[:])
	r.blobs[sha] = append([]byte(nil), data...)
	return sha, nil
}

func (r *rig) load(sha string) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	data, ok := r.blobs[sha]
	if !ok {
		return nil, fmt.Errorf("no blob %s", sha)
	}
	return data, nil
}

func (r *rig) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) mkdir(name string) {
	r.Helper()
	r.must(os.MkdirAll(r.path(name), 0o755))
}

func (r *rig) put(name, text string) {
	r.Helper()
	r.must(os.MkdirAll(filepath.Dir(r.path(name)), 0o755))
	r.must(os.WriteFile(r.path(name), []byte(text), 0o644))
}

func (r *rig) link(to, name string) {
	r.Helper()
	r.must(os.Symlink(filepath.FromSlash(to), r.path(name)))
}

func (r *rig) text(name string) string {
	r.Helper()
	data, err := os.ReadFile(r.path(name))
	r.must(err)
	return string(data)
}

func (r *rig) exists(name string) bool {
	_, err := os.Lstat(r.path(name))
	return err == nil
}

type given map[string]any

func callOf(name string, arguments given) llm.Call {
	text, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return llm.Call{ID: "1", Name: name, Arguments: string(text)}
}

func (r *rig) run(name string, arguments given) tools.Result {
	r.Helper()
	return r.runWith(name, arguments, tools.Options{})
}

func (r *rig) runWith(name string, arguments given, with tools.Options) tools.Result {
	r.Helper()
	return r.Run(context.Background(), callOf(name, arguments), with)
}

// gives runs a call that must succeed.
func (r *rig) gives(name string, arguments given, want string) tools.Result {
	r.Helper()
	got := r.run(name, arguments)
	if got.IsError || got.Text != want {
		r.Errorf("%s %v gives (error %v)\n%s\nwant\n%s", name, arguments, got.IsError, got.Text, want)
	}
	return got
}

// fails runs a call that must fail, with these words.
func (r *rig) fails(name string, arguments given, words ...string) {
	r.Helper()
	got := r.run(name, arguments)
	if !got.IsError {
		r.Errorf("%s %v does not fail: %.200s", name, arguments, got.Text)
	}
	for _, want := range words {
		if !strings.Contains(got.Text, want) {
			r.Errorf("%s %v fails with %q, want %q in it", name, arguments, got.Text, want)
		}
	}
	if len(got.Changes) > 0 {
		r.Errorf("%s %v fails with changes %v", name, arguments, got.Changes)
	}
}
