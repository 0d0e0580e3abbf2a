package backend

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The logs of these benchmarks end alike: a compaction, what it kept and what followed, together a context of about
// 20,000 tokens. Only the history before it differs.

const benchID = "01J0000000000000000000BENC"

const contextMessages = 160 // of 125 tokens each

// benchHome makes a home with one session whose log is about size bytes long.
func benchHome(b *testing.B, size int64) string {
	b.Helper()
	home := b.TempDir()
	dir := filepath.Join(home, "sessions", benchID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "session.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	w := &counted{w: bufio.NewWriterSize(file, 1<<20)}
	seq := int64(0)
	for text := strings.Repeat("it was a long time ago; ", 60); w.n < size; {
		seq++
		writeMessage(w, seq, text)
	}
	seq++
	fmt.Fprintf(w, `{"recordType":"compaction","schemaVersion":1,"seq":%d,"firstKeptSeq":%d,"summary":"%s","tokensBefore":1,"readFiles":[],"modifiedFiles":[],"timestamp":"2026-03-02T08:00:00Z"}`+"\n",
		seq, seq, strings.Repeat("what was decided. ", 100))
	for range contextMessages {
		seq++
		writeMessage(w, seq, strings.Repeat("five hundred characters, ", 20))
	}
	if err := w.w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	return home
}

func writeMessage(w *counted, seq int64, text string) {
	role := "user"
	if seq%2 == 0 {
		role = "assistant"
	}
	fmt.Fprintf(w, `{"recordType":"message","schemaVersion":1,"seq":%d,"role":"%s","content":[{"type":"text","text":"%s"}],"timestamp":"2026-03-02T08:00:00Z"}`+"\n", seq, role, text)
}

type counted struct {
	w *bufio.Writer
	n int64
}

func (c *counted) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.w.Write(p)
}

func benchBackend(b *testing.B, home string) *Backend {
	b.Helper()
	back, err := Open(Options{Home: home})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(back.Close)
	return back
}

var sizes = []struct {
	name  string
	bytes int64
}{{"1MB", 1 << 20}, {"100MB", 100 << 20}, {"1GB", 1 << 30}}

// BenchmarkContext is the time to the model's context; it should not depend on the log's size.
func BenchmarkContext(b *testing.B) {
	for _, size := range sizes {
		home := benchHome(b, size.bytes)
		b.Run(size.name, func(b *testing.B) {
			back := benchBackend(b, home)
			b.ReportAllocs()
			for b.Loop() {
				c, err := back.Context(benchID, ContextOptions{})
				if err != nil || len(c.Messages) != contextMessages+1 {
					b.Fatalf("%d messages, %v", len(c.Messages), err)
				}
			}
		})
	}
}

// BenchmarkIndex is a full read of a log, from nothing to the index of every line.
func BenchmarkIndex(b *testing.B) {
	const size = 100 << 20
	home := benchHome(b, size)
	b.SetBytes(size)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	records := 0
	for b.Loop() {
		outline, err := benchBackend(b, home).Outline(benchID)
		if err != nil {
			b.Fatal(err)
		}
		records += outline.Records
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(records), "allocs/record")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(records), "B/record")
}

// BenchmarkGlance is the first answer about a log that was never looked at, and the page at its end.
func BenchmarkGlance(b *testing.B) {
	for _, size := range sizes {
		home := benchHome(b, size.bytes)
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(size.bytes)
			for b.Loop() {
				back, err := Open(Options{Home: home, Resident: true})
				if err != nil {
					b.Fatal(err)
				}
				outline, err := back.Outline(benchID)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := back.Page(benchID, PageOptions{Position: outline.Total - 40}); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				back.Close()
				b.StartTimer()
			}
		})
	}
}

// BenchmarkPage is one page of a transcript that is indexed: by seek, wherever it is.
func BenchmarkPage(b *testing.B) {
	for _, size := range sizes {
		home := benchHome(b, size.bytes)
		b.Run(size.name, func(b *testing.B) {
			back := benchBackend(b, home)
			page, err := back.Page(benchID, PageOptions{})
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				at := i * 7919 % page.Total
				if _, err := back.Page(benchID, PageOptions{Position: at, Limit: 50}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkList is the list of sessions that the program wrote itself, read from metadata alone.
func BenchmarkList(b *testing.B) {
	const sessions = 20_000
	home := b.TempDir()
	for i := range sessions {
		dir := filepath.Join(home, "sessions", fmt.Sprintf("01J%023d", i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		meta := fmt.Sprintf(`{"createdAt":"2026-03-02T08:00:00Z","lastMessageAt":"2026-03-02T08:00:%02dZ","model":"m","messageCount":3,"source":"interactive","log":{"size":0}}`, i%60)
		if err := os.WriteFile(filepath.Join(dir, "metadata.json"), []byte(meta), 0o600); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "session.jsonl"), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	back := benchBackend(b, home)
	for b.Loop() {
		list, err := back.List(b.Context(), ListOptions{})
		if err != nil || len(list) != sessions {
			b.Fatalf("%d sessions, %v", len(list), err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/sessions, "µs/session")
}
