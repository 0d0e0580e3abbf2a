//go:build !race

package backend

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"palimpsest/backend/agent"
	"palimpsest/backend/modeltest"
)

// textOfMany is what each message of a long session says, and manyMessages how many there are: ordinary ones, of which none was compacted.
const (
	textOfMany   = 16 << 10
	manyMessages = 1200
)

// manyOf write a long session, by the lines of its file: of ours, and of an agent's that is one document, which is done little to: it is the
// same log, once it is read.
var manyOf = map[string]struct {
	id, path string
	done     []string // nil for all
	line     func(i int, text string) string
}{
	"gemini": {
		"gemini:01234567-89ab-4000-8000-0123456789ab", ".gemini/tmp/p/chats/session-2026-01-02T10-00-01234567.json",
		[]string{"page", "context", "check"},
		func(i int, text string) string {
			switch i {
			case 0:
				return `{"sessionId":"01234567-89ab-4000-8000-0123456789ab","projectHash":"p","startTime":"2026-01-02T10:00:00Z","kind":"main","messages":[`
			case manyMessages:
				return "]}"
			case 1:
				return fmt.Sprintf(`{"id":"1","timestamp":"2026-01-02T10:00:00Z","type":"user","content":[{"text":"%s"}]}`, text)
			}
			return fmt.Sprintf(`,{"id":"%d","timestamp":"2026-01-02T10:00:00Z","type":"user","content":[{"text":"%s"}]}`, i, text)
		},
	},
	"ours": {
		"", "", nil,
		func(i int, text string) string {
			return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T10:00:00Z","role":"user","content":[{"type":"text","text":"%s"}]}`, i+1, text)
		},
	},
}

// doneToMany is what is done to a long session.
var doneToMany = map[string]func(t *testing.T, b *Backend, id string) error{
	"show": func(t *testing.T, b *Backend, id string) error {
		return b.Show(t.Context(), id, ShowOptions{}, func(*Shown) error { return nil })
	},
	"check": func(_ *testing.T, b *Backend, id string) error { _, err := b.Check(id); return err },
	"page": func(_ *testing.T, b *Backend, id string) error {
		_, err := b.Page(id, PageOptions{Position: manyMessages / 2})
		return err
	},
	"sizes": func(t *testing.T, b *Backend, id string) error { _, err := b.Sizes(t.Context(), id, 0); return err },
	"find": func(t *testing.T, b *Backend, id string) error {
		_, err := b.Find(t.Context(), id, FindOptions{Query: "nowhere"})
		return err
	},
	"outline as of": func(_ *testing.T, b *Backend, id string) error {
		_, err := b.OutlineAsOf(id, manyMessages*3/4)
		return err
	},
	"context":       func(_ *testing.T, b *Backend, id string) error { return seenWhole(b, id, 0) },
	"context as of": func(_ *testing.T, b *Backend, id string) error { return seenWhole(b, id, manyMessages-5) },
	"markdown": func(t *testing.T, b *Backend, id string) error {
		_, err := b.Export(t.Context(), id, ExportOptions{Format: "markdown"}, io.Discard)
		return err
	},
	"jsonl": func(t *testing.T, b *Backend, id string) error {
		_, err := b.Export(t.Context(), id, ExportOptions{Format: "jsonl"}, io.Discard)
		return err
	},
	"for pi": func(t *testing.T, b *Backend, id string) error {
		_, err := b.Export(t.Context(), id, ExportOptions{Format: "pi"}, io.Discard)
		return err
	},
}

// seenWhole reads a context as doors do, message by message.
func seenWhole(b *Backend, id string, at int64) error {
	seen, err := b.See(id, ContextOptions{At: at})
	if err != nil {
		return err
	}
	defer seen.Close()
	for i := range seen.Len() {
		if _, err := seen.Message(i); err != nil {
			return err
		}
	}
	return nil
}

// TestNothingHoldsALongSession: whatever is done to a session of 19 MB, most of it is in memory at no time, nor of what it was at a moment when it was shorter than 16 MB.
func TestNothingHoldsALongSession(t *testing.T) {
	const most = 8 << 20
	for agent, of := range manyOf {
		home := t.TempDir()
		b := abroad(t, home)
		id := of.id
		if id == "" {
			s, err := b.New(NewSession{})
			newsMust(t, err)
			id = s.ID
			writeMany(t, b.store.LogPath(id), of.line)
		} else {
			writeMany(t, filepath.Join(home, filepath.FromSlash(of.path)), of.line)
		}
		for name, do := range doneToMany {
			if of.done != nil && !slices.Contains(of.done, name) {
				continue
			}
			t.Run(agent+"/"+name, func(t *testing.T) {
				held := mostHeld(func() { newsMust(t, do(t, b, id)) })
				if held > most {
					t.Errorf("%d MB are held of a session of %d MB", held>>20, textOfMany*manyMessages>>20)
				}
			})
		}
	}
}

// TestNothingHoldsWhatIsCompacted: of a session of 5 MB most is in memory at no time while a compaction of it is planned, drafted, made by a
// turn that needs it, or looked at afterwards.
func TestNothingHoldsWhatIsCompacted(t *testing.T) {
	const messages, most = manyMessages / 4, 3 << 20
	k := talk(t, "context_window: 32000")
	var log strings.Builder
	for i := range messages {
		line := manyOf["ours"].line(i, strings.Repeat("a word ", textOfMany/7))
		if i%8 > 0 { // a user's are looked through for rules
			line = strings.Replace(line, `"user"`, `"assistant"`, 1)
		}
		log.WriteString(line + "\n")
	}
	newsMust(t, os.WriteFile(filepath.Clean(k.store.LogPath(k.id)), []byte(log.String()), 0o600))
	log.Reset()
	k.server.Script(func(q *modeltest.Asked) { q.Answer(sectioned) })
	const made = messages + 2 // behind the message of the turn
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"plan", func() error { _, err := k.PlanCompaction(t.Context(), k.id, Cut{}); return err }},
		{"draft", func() error {
			_, err := k.StartDraft(t.Context(), k.id, DraftRequest{Offline: true})
			k.drafts.work.Wait()
			return err
		}},
		{"turn", func() error {
			done := make(chan struct{})
			_, err := k.Send(t.Context(), k.id, Outgoing{Text: "go on"}, func(e agent.Event) {
				if e.Kind == agent.KindDone {
					close(done)
				}
			})
			newsMust(t, err)
			<-done
			return err
		}},
		{"review", func() error { _, err := k.Review(k.id, made); return err }},
		{"fidelity", func() error { _, err := k.Fidelity(k.id, made); return err }},
	} {
		t.Run(step.name, func(t *testing.T) {
			if held := mostHeld(func() { newsMust(t, step.do()) }); held > most {
				t.Errorf("%d MB are held of a session of %d MB", held>>20, textOfMany*messages>>20)
			}
		})
	}
}

func writeMany(t *testing.T, path string, line func(i int, text string) string) {
	t.Helper()
	newsMust(t, os.MkdirAll(filepath.Dir(path), 0o700))
	file, err := os.Create(path)
	newsMust(t, err)
	text := strings.Repeat("a word ", textOfMany/7)
	for i := range manyMessages + 1 {
		_, err := fmt.Fprintln(file, line(i, text))
		newsMust(t, err)
	}
	newsMust(t, file.Close())
}

// mostHeld is how much more memory was in use at some time while something was done, as the collector found whenever it ran.
func mostHeld(do func()) int64 {
	const often = 20 // percent
	defer debug.SetGCPercent(debug.SetGCPercent(often))
	runtime.GC()
	runtime.GC()
	before := inUse()
	var most atomic.Int64
	var ended atomic.Bool
	var watch func()
	watch = func() {
		runtime.AddCleanup(new([32]byte), func(int) {
			most.Store(max(most.Load(), inUse()))
			if !ended.Load() {
				watch()
			}
		}, 0)
	}
	watch()
	do()
	ended.Store(true)
	return max(most.Load()-before, 0)
}

// inUse is what the collector found in use when it ran last.
func inUse() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}
