package backend

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/backend/corpus"
	"palimpsest/backend/sources/all"
)

// The corpora of these benchmarks are made once, in PALIMPSEST_CORPUS or a directory for temporary files. PALIMPSEST_BENCH=large adds
// the large one, of 10,000 sessions and 1 GB with a session of 1 GB.

func benchCorpus(b *testing.B, opts corpus.Options) corpus.Made {
	b.Helper()
	dir := os.Getenv("PALIMPSEST_CORPUS")
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "palimpsest-corpus")
	}
	made, err := corpus.Make(dir, opts)
	if err != nil {
		b.Fatal(err)
	}
	return made
}

// eachCorpus runs a benchmark over the corpora that are wanted.
func eachCorpus(b *testing.B, run func(b *testing.B, made corpus.Made)) {
	b.Helper()
	corpora := map[string]corpus.Options{"2000": corpus.Small}
	if os.Getenv("PALIMPSEST_BENCH") == "large" {
		large := corpus.Medium
		large.Huge = 1 << 30
		corpora["10000"] = large
	}
	for name, opts := range corpora {
		b.Run(name, func(b *testing.B) { run(b, benchCorpus(b, opts)) })
	}
}

func benchOpen(b *testing.B, made corpus.Made, cache string, resident bool) *Backend {
	b.Helper()
	others, release := all.Open()
	open, err := Open(Options{Home: made.Own, UserHome: made.Home, Cache: cache, Sources: others, Release: release, Resident: resident})
	if err != nil {
		b.Fatal(err)
	}
	return open
}

// BenchmarkFirstList is a list by a program that has never seen the sessions.
func BenchmarkFirstList(b *testing.B) {
	eachCorpus(b, func(b *testing.B, made corpus.Made) {
		for b.Loop() {
			x := benchOpen(b, made, b.TempDir(), false)
			list, err := x.List(b.Context(), ListOptions{Quick: true, Subagents: true})
			if err != nil || len(list) != made.Sessions {
				b.Fatal(len(list), err)
			}
			x.Close()
		}
	})
}

// BenchmarkStartUnchanged is the list of a program that starts over an index in which nothing has changed.
func BenchmarkStartUnchanged(b *testing.B) {
	eachCorpus(b, func(b *testing.B, made corpus.Made) {
		cache := b.TempDir()
		benchScan(b, made, cache)
		for b.Loop() {
			x := benchOpen(b, made, cache, false)
			if list, err := x.List(b.Context(), ListOptions{Quick: true, Subagents: true}); err != nil || len(list) != made.Sessions {
				b.Fatal(len(list), err)
			}
			x.Close()
		}
	})
}

func benchScan(b *testing.B, made corpus.Made, cache string) IndexStatus {
	b.Helper()
	x := benchOpen(b, made, cache, false)
	defer x.Close()
	if scanned, err := x.Scan(b.Context(), false, nil); err != nil || !scanned {
		b.Fatal(scanned, err)
	}
	status, err := x.IndexStatus(b.Context())
	if err != nil || status.Indexed != made.Sessions {
		b.Fatalf("%+v, %v", status, err)
	}
	return status
}

// BenchmarkFullIndex reads everything into a new index.
func BenchmarkFullIndex(b *testing.B) {
	eachCorpus(b, func(b *testing.B, made corpus.Made) {
		for b.Loop() {
			before := cpuSeconds()
			status := benchScan(b, made, b.TempDir())
			b.ReportMetric(cpuSeconds()-before, "cpu-s")
			b.ReportMetric(float64(status.DiskBytes)/(1<<20), "index-MB")
			b.ReportMetric(peakMB(), "peak-MB")
		}
		b.SetBytes(made.Bytes)
	})
}

// BenchmarkOpenTheirs is the first page of a large session of another agent that was never read.
func BenchmarkOpenTheirs(b *testing.B) {
	eachCorpus(b, func(b *testing.B, made corpus.Made) {
		ids := map[string]string{"40MB-claude": made.LargeIDs[0], "40MB-codex": made.LargeIDs[1]}
		if made.HugeID != "" {
			ids["1GB"] = made.HugeID
		}
		for name, id := range ids {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					x := benchOpen(b, made, b.TempDir(), true)
					if _, err := x.List(b.Context(), ListOptions{Quick: true}); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					page, err := x.Page(id, PageOptions{})
					if err != nil || page.Count == 0 {
						b.Fatal(page.Count, err)
					}
					b.StopTimer()
					x.Close()
					b.StartTimer()
				}
			})
		}
	})
}

// BenchmarkAppendedLine is how long it takes from a line that another agent appends to a page that shows it.
func BenchmarkAppendedLine(b *testing.B) {
	home := b.TempDir()
	writePi(b, home, piSession())
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
	total := 0
	for b.Loop() {
		file, err := os.OpenFile(filepath.Join(home, filepath.FromSlash(piPlace)), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			b.Fatal(err)
		}
		if _, err = file.WriteString(piMore); err != nil {
			b.Fatal(err)
		}
		_ = file.Close()
		for {
			awaitNews(b, news, EventChanged, "pi:s1")
			page, err := x.Page("pi:s1", PageOptions{})
			if err != nil {
				b.Fatal(err)
			}
			if page.Total > total {
				total = page.Total
				break
			}
		}
	}
}

// BenchmarkOpenTheirsFirst is what can be shown at once of a large session of another agent that was never read.
func BenchmarkOpenTheirsFirst(b *testing.B) {
	eachCorpus(b, func(b *testing.B, made corpus.Made) {
		ids := map[string]string{"40MB-claude": made.LargeIDs[0], "40MB-codex": made.LargeIDs[1]}
		if made.HugeID != "" {
			ids["1GB"] = made.HugeID
		}
		for name, id := range ids {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					x := benchOpen(b, made, b.TempDir(), true)
					if _, err := x.List(b.Context(), ListOptions{Quick: true}); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					page, err := x.Opening(b.Context(), id, 500)
					b.StopTimer()
					if err != nil || page.Count == 0 || page.Excerpt == nil {
						b.Fatal(page.Count, err)
					}
					b.Logf("%d records, %d bytes of %d", page.Count, page.Excerpt.BytesRead, page.Excerpt.BytesTotal)
					x.Close()
					b.StartTimer()
				}
			})
		}
	})
}
