package backend

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/corpus"
	"palimpsest/backend/sources/sourcetest"
)

// BenchmarkAppendedLine is how long it takes from a line that another agent appends to a session that is looked at to a page that shows it,
// what of the processor's time, and how much is read and written: of a small session, and of those of 40 MB.
func BenchmarkAppendedLine(b *testing.B) {
	b.Run("small", func(b *testing.B) {
		byItself(b)
		home := b.TempDir()
		writePi(b, home, piSession())
		untilSeen(b, home, "pi:s1", func(int) { add(b, filepath.Join(home, filepath.FromSlash(piPlace)), piMore) })
	})
	const each = 40 << 20
	made := benchCorpus(b, corpus.Options{Large: 2, LargeBytes: each, Huge: each})
	for n, path := range append(made.LargeFiles[:2:2], made.HugeFile, made.HugeFile) {
		agent := min(n, 2)
		b.Run([]string{"40MB-claude", "40MB-codex", "40MB-pi", "40MB-pi-without-compactions"}[n], func(b *testing.B) {
			byItself(b)
			home := b.TempDir()
			below, _ := filepath.Rel(made.Home, path)
			text, err := os.ReadFile(path)
			if n > agent {
				text = bytes.ReplaceAll(text, []byte(`"type":"compaction"`), []byte(`"type":"custom"`))
			}
			if err == nil {
				err = os.MkdirAll(filepath.Dir(filepath.Join(home, below)), 0o700)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(home, below), text, 0o600)
			}
			if err != nil {
				b.Fatal(err)
			}
			line := appendedTo(text, agent)
			untilSeen(b, home, append(made.LargeIDs[:2:2], made.HugeID)[agent], func(n int) { add(b, filepath.Join(home, below), line(n)) })
		})
	}
}

// BenchmarkAppendedAnswer is [BenchmarkAppendedLine] of a session of Gemini CLI of 40 MB: what is appended is an answer without calls.
func BenchmarkAppendedAnswer(b *testing.B) {
	byItself(b)
	const turns = 3_600
	home := b.TempDir()
	path := sourcetest.Write(b, home, geminiPlace, geminiSession(turns, strings.Repeat("said at length ", 2<<10/15)))
	untilSeen(b, home, geminiID, func(n int) {
		lines, _ := geminiWrites(turns+n, "grown")
		add(b, path, lines[len(lines)-2])
	})
}

// BenchmarkAppendedCalls is [BenchmarkAppendedAnswer] of the calls of an answer that was shown without them, and the next answer.
func BenchmarkAppendedCalls(b *testing.B) {
	byItself(b)
	const turns = 3_600
	home := b.TempDir()
	says := strings.Repeat("said at length ", 2<<10/15)
	begun, _ := geminiWrites(turns, says)
	path := sourcetest.Write(b, home, geminiPlace, geminiSession(turns, says)+begun[2])
	untilSeen(b, home, geminiID, func(n int) {
		lines, _ := geminiWrites(turns+n-1, says)
		next, _ := geminiWrites(turns+n, says)
		add(b, path, lines[4]+next[2])
	})
}

// appendedTo are lines that go on with a session of Claude Code, Codex or pi.
func appendedTo(text []byte, agent int) func(n int) string {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	last := lines[len(lines)-1]
	before := gjson.GetBytes(last, []string{"uuid", "", "id"}[agent]).String()
	return func(n int) string {
		name := fmt.Sprintf("more-%d", n)
		line := []string{
			`{"type":"user","uuid":"%[1]s","parentUuid":"%[2]s","timestamp":"2026-01-02T10:00:08.000Z","isSidechain":false,"message":{"role":"user","content":"grown"}}`,
			`{"type":"response_item","timestamp":"2026-01-02T10:00:08.000Z","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"grown %[1]s"}]}}`,
			`{"type":"message","id":"%[1]s","parentId":"%[2]s","timestamp":"2026-01-02T10:00:08.000Z","message":{"role":"user","content":"grown"}}`,
		}[agent]
		line, before = fmt.Sprintf(line, name, before), name
		return line + "\n"
	}
}

// untilSeen appends to a session again and again.
func untilSeen(b *testing.B, home, id string, grow func(n int)) {
	b.Helper()
	x := residing(b, home, b.TempDir(), b.TempDir())
	news, cancel := x.Subscribe()
	defer cancel()
	if _, err := x.List(b.Context(), ListOptions{}); err != nil {
		b.Fatal(err)
	}
	awaitIndex(b, x, "scanned", ready(1))
	for x.indexing.stock.watching.Load() == 0 {
		<-time.After(time.Millisecond)
	}
	page, err := x.Page(id, PageOptions{}) // all of it is read, and waited for
	if err != nil {
		b.Fatal(err)
	}
	total, n := page.Total, 0
	rest := func() {
		<-time.After(time.Second) // whoever appends all the time has to wait
		for len(news) > 0 {       // of the line before
			<-news
		}
	}
	for range 2 { // the first that is appended has all of it read once more, and then it rests from that
		n++
		grow(n)
		if err := x.Scan(b.Context(), false, nil); err != nil {
			b.Fatal(err)
		}
		rest()
	}
	begun := n
	cpu, began := -cpuSeconds(), trafficNow()
	for b.Loop() {
		n++
		grow(n)
		for {
			awaitNews(b, news, EventChanged, id)
			opening, err := x.Opening(b.Context(), id, 50)
			if err != nil {
				b.Fatal(err)
			}
			if opening.Excerpt == nil && opening.Total > total {
				total = opening.Total
				break
			}
		}
		b.StopTimer()
		rest() // the index is brought up to date, too
		b.StartTimer()
	}
	cpu += cpuSeconds()
	figure(b, "a line appended to a session that is looked at, seen: "+strings.TrimPrefix(b.Name(), "BenchmarkAppendedLine/"), milliseconds(b), "ms", mostSeen)
	moved := trafficNow().since(began)
	b.ReportMetric(1000*cpu/float64(n-begun), "cpu-ms/op")
	b.ReportMetric(float64(moved.read)/float64(n-begun), "read-B/op")
	b.ReportMetric(float64(moved.written)/float64(n-begun), "written-B/op")
}

// traffic is what this process reads and writes, of files and of all else.
type traffic struct{ read, written int64 }

// trafficNow is all there was, where the system counts it: on Linux (proc(5), io).
func trafficNow() (t traffic) {
	if text, err := os.ReadFile("/proc/self/io"); err == nil {
		_, _ = fmt.Sscanf(string(text), "rchar: %d\nwchar: %d\n", &t.read, &t.written) // else nothing is counted
	}
	return t
}

func (t traffic) since(began traffic) traffic {
	return traffic{t.read - began.read, t.written - began.written}
}

func add(b testing.TB, path, text string) {
	b.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		b.Fatal(err)
	}
	if _, err = file.WriteString(text); err != nil {
		b.Fatal(err)
	}
	_ = file.Close()
}
