package backend

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/index"
)

// BenchmarkSalvage puts back an index whose first page is damaged.
func BenchmarkSalvage(b *testing.B) {
	eachCorpus(b, func(b *testing.B, made benched) {
		cache := b.TempDir()
		benchScan(b, made, cache)
		damaged := filepath.Join(indexDir(cache, made.Own), "index.db")
		file, err := os.OpenFile(damaged, os.O_WRONLY, 0)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := file.WriteString("damaged"); err != nil {
			b.Fatal(err)
		}
		info, err := file.Stat()
		if err != nil {
			b.Fatal(err)
		}
		if err := file.Close(); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			b.StopTimer()
			dir := b.TempDir()
			if err := os.Link(damaged, filepath.Join(dir, "index.db")); err != nil {
				b.Fatal(err)
			}
			forgetPeak()
			b.StartTimer()
			salvaged, err := index.Open(dir, index.OpenOptions{Warn: func(err error) { b.Log(err) }})
			if err != nil {
				b.Fatal(err)
			}
			if err := salvaged.Salvage(b.Context(), func() error { return nil }); err != nil {
				b.Fatal(err)
			}
			if err := salvaged.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(peakMB(), "peak-MB")
		}
		b.SetBytes(info.Size())
	})
}
