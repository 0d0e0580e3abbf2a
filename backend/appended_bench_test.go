package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/backend/corpus"
)

// BenchmarkAppendedLine is how long it takes from a line that another agent appends to a session that is looked at to a page that shows it,
// and what of the processor's time: of a small session, and of those of 40 MB.
func BenchmarkAppendedLine(b *testing.B) {
	b.Run("small", func(b *testing.B) {
		home := b.TempDir()
		writePi(b, home, piSession())
		untilSeen(b, home, piPlace, "pi:s1", func(int) string { return piMore })
	})
	made := benchCorpus(b, corpus.Small)
	const claude = `{"type":"user","uuid":"more-%d","timestamp":"2026-01-02T10:00:08.000Z","isSidechain":false,"message":{"role":"user","content":"grown"}}`
	const codex = `{"type":"response_item","timestamp":"2026-01-02T10:00:%02d.000Z","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"grown"}]}}`
	for n, line := range []string{claude, codex} {
		id := made.LargeIDs[n]
		b.Run("40MB-"+map[int]string{0: "claude", 1: "codex"}[n], func(b *testing.B) {
			home := b.TempDir()
			x := benchOpen(b, made, b.TempDir(), false)
			from, err := x.Get(id)
			x.Close()
			if err != nil {
				b.Fatal(err)
			}
			below, _ := filepath.Rel(made.Home, from.Path)
			text, err := os.ReadFile(from.Path)
			if err == nil {
				err = os.MkdirAll(filepath.Dir(filepath.Join(home, below)), 0o700)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(home, below), text, 0o600)
			}
			if err != nil {
				b.Fatal(err)
			}
			untilSeen(b, home, below, id, func(n int) string { return fmt.Sprintf(line+"\n", n%60) })
		})
	}
}

func untilSeen(b *testing.B, home, place, id string, line func(n int) string) {
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
	var before float64
	for b.Loop() {
		b.StopTimer()
		<-time.After(time.Second) // whoever appends all the time has to wait
		for len(news) > 0 {       // of the line before
			<-news
		}
		before -= cpuSeconds()
		b.StartTimer()
		n++
		add(b, filepath.Join(home, filepath.FromSlash(place)), line(n))
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
		before += cpuSeconds()
	}
	b.ReportMetric(1000*before/float64(b.N), "cpu-ms/op")
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
