//go:build unix

package all

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestPipesBeside: settings and lists that are pipes are not opened: who opens one waits for somebody to write.
func TestPipesBeside(t *testing.T) {
	home := t.TempDir()
	env := sourcetest.Env(t, home)
	var wg sync.WaitGroup
	var pipes []string
	var mu sync.Mutex
	over := false
	for _, name := range []string{
		".claude/settings.json", ".claude.json", ".codex/session_index.jsonl", ".codex/config.toml", ".codex/state_5.sqlite", ".gemini/settings.json",
		".gemini/projects.json", ".gemini/tmp/app/.project_root", ".openclaw/openclaw.json", ".openclaw/agents/main/sessions/sessions.json",
		".openclaw/agents/main/agent/openclaw-agent.sqlite", ".coderclaw/coderclaw.json", ".picoclaw/config.json", ".pi/agent/settings.json",
		".local/share/opencode/opencode.db", ".crabtalk/store.crmem", ".crabtalk/memory.db", ".crabtalk/crabtalk.db",
	} {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		pipes = append(pipes, path)
		wg.Go(func() { // who reads it gets nothing, and is told of
			pipe, err := os.OpenFile(path, os.O_WRONLY, 0)
			mu.Lock()
			defer mu.Unlock()
			if err == nil && !over {
				t.Errorf("%s was opened", name)
			}
			_ = pipe.Close()
		})
	}
	for _, source := range Sources(nil) {
		for _, f := range sourcetest.Find(t, source, env) {
			sourcetest.Read(t, source, env, f)
		}
		if retainer, ok := source.(sources.Retainer); ok {
			retainer.Retention(env)
		}
	}
	mu.Lock()
	over = true
	mu.Unlock()
	for _, path := range pipes {
		pipe, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer pipe.Close()
	}
	wg.Wait()
}
