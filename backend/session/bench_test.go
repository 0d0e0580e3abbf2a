package session

import (
	"context"
	"os"
	"strings"
	"testing"

	"palimpsest/backend/record"
)

// BenchmarkAppend appends one record a batch, as an answer that comes in does, or twenty, as a turn with tools does; at
// each durability, and without any sync to show what syncing costs.
func BenchmarkAppend(b *testing.B) {
	one := mustDraft(user(strings.Repeat("five hundred characters, ", 20)))
	for _, mode := range []string{"turn", "full", "nosync"} {
		for _, size := range []struct {
			name    string
			records int
		}{{"1", 1}, {"20", 20}} {
			b.Run(mode+"/batch="+size.name, func(b *testing.B) {
				s := Open(b.TempDir(), Options{Durability: Durability(mode)})
				if mode == "nosync" {
					s.fsync = func(*os.File) error { return nil }
				}
				m, err := s.Create(New{})
				if err != nil {
					b.Fatal(err)
				}
				batch := make([]record.Draft, size.records)
				for i := range batch {
					batch[i] = one
				}
				for b.Loop() {
					if _, err := s.Append(context.Background(), m.ID, batch); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N*size.records)/b.Elapsed().Seconds(), "records/s")
			})
		}
	}
}
