package backend

import (
	"fmt"
	"testing"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/query"
)

// BenchmarkFilters decides of 20,000 sessions, once each, by one filter.
func BenchmarkFilters(b *testing.B) {
	const sessions = 20_000
	all := map[string]digested{}
	for i := range sessions {
		id := fmt.Sprintf("codex:%08d-0000-4000-8000-000000000000", i)
		created := time.Date(2026, 1, 1, i%5000, 0, 0, 0, time.UTC)
		all[id] = digested{ID: id, Updated: created, Digest: &digest.Digest{
			About: digest.About{Agent: "codex", Cwd: fmt.Sprintf("/home/ann/work/project-%d", i%200), Title: "Why does the deploy fail", Model: "gpt-5", Created: created},
			Model: "gpt-5", Days: []digest.Day{{Day: created.Format(time.DateOnly), Model: "gpt-5"}}, Last: created,
		}}
	}
	for _, text := range []string{"agent:codex", "project:project-7", "project:/ann/work", "model:gpt", "name:deploy", "is:compacted", "after:2026-03", "on:2026-03", "-in:dropped", "id:codex:00001"} {
		b.Run(text, func(b *testing.B) {
			filters := query.Parse(text, false).Filters
			if len(filters) != 1 {
				b.Fatal(filters)
			}
			for b.Loop() {
				c := chooser{filters: filters, all: all, now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
				_ = c.unknownAgents()
				for id := range all {
					_ = c.keeps(id)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/20000")
		})
	}
}
