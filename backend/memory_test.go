package backend

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFlushWritesMemory: by the program's own tool, once for each compaction, and the model recalls it.
func TestFlushWritesMemory(t *testing.T) {
	k := talk(t, "context_window: 7121", "compaction: {reserve_tokens: 1000, reserve_tokens_floor: 0, keep_recent_tokens: 100, memory_flush: {enabled: true, soft_threshold_tokens: 1000}}")
	dir := k.inFolder("Be terse.")
	u := k.say("hello " + strings.Repeat("abc ", 3000))
	k.server.Next().Answer("fine")
	u.ok()
	u = k.say("remember " + strings.Repeat("abc ", 1300))
	k.server.Next().Call(0, "w", "write", `{"content":"- the port is 8421"}`).End("tool_calls")
	k.server.Next().Answer("NO_REPLY")
	q := k.server.Next()
	if !strings.Contains(q.Messages[0].Content, "the port is 8421") || !strings.HasPrefix(q.Last(), "remember") {
		t.Errorf("%.500s", q.Raw)
	}
	q.Answer("fine")
	u.ok()
	text, err := os.ReadFile(filepath.Join(dir, "memory", time.Now().Format(time.DateOnly)+".md"))
	if err != nil || string(text) != "- the port is 8421\n" {
		t.Errorf("%q %v", text, err)
	}
	meta, err := k.store.Metadata(k.id)
	if err != nil || meta.MemoryFlushAt == nil || meta.MemoryFlushCompactionCount == nil || *meta.MemoryFlushCompactionCount != 0 || meta.FlushDue() {
		t.Errorf("%+v %v", meta, err)
	}
	keep := 0
	_, err = k.Compact(t.Context(), k.id, Compact{Offline: true, Cut: Cut{KeepRecent: &keep}})
	newsMust(t, err)
	if meta, err := k.store.Metadata(k.id); err != nil || !meta.FlushDue() {
		t.Errorf("not due after a compaction: %+v, %v", meta, err)
	}
}

// TestNoFlushWithoutAFolder, nor where nothing may be written; it is told why.
func TestNoFlushWithoutAFolder(t *testing.T) {
	k := talk(t)
	if _, err := (memories{k.Backend}).Tools(k.id); err == nil || !strings.Contains(err.Error(), "has no folder") {
		t.Error(err)
	}
	dir := k.inFolder("")
	if os.Geteuid() != 0 && runtime.GOOS != "windows" {
		newsMust(t, os.Chmod(dir, 0o500))
		if _, err := (memories{k.Backend}).Tools(k.id); err == nil || !strings.Contains(err.Error(), "read-only") {
			t.Error(err)
		}
		newsMust(t, os.Chmod(dir, 0o700))
		newsMust(t, os.Mkdir(filepath.Join(dir, "memory"), 0o500))
		if _, err := (memories{k.Backend}).Tools(k.id); err == nil || !strings.Contains(err.Error(), "read-only") {
			t.Error(err)
		}
	}
	newsMust(t, os.RemoveAll(dir))
	if _, err := (memories{k.Backend}).Tools(k.id); err == nil || !strings.Contains(err.Error(), "is not there") {
		t.Error(err)
	}
}
