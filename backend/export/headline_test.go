package export

import (
	"testing"

	"palimpsest/backend/record"
)

// TestHeadlineOfWhatIsNotTold: tokens that nobody counted are not shown as 0.
func TestHeadlineOfWhatIsNotTold(t *testing.T) {
	for want, rec := range map[string]record.Record{
		"compaction: keeps from #3":                   {Compaction: &record.Compaction{FirstKeptSeq: 3}},
		"compaction: keeps from #3, 40 tokens before": {Compaction: &record.Compaction{FirstKeptSeq: 3, TokensBefore: 40}},
		"compaction: keeps nothing":                   {Header: record.Header{Seq: 4}, Compaction: &record.Compaction{FirstKeptSeq: 4}},
		"compaction: keeps from #3, 41 tokens before": {Header: record.Header{Seq: 4}, Compaction: &record.Compaction{FirstKeptSeq: 3, TokensBefore: 41}},
		"compaction: 1 message in place of all before": {Header: record.Header{Seq: 4}, Compaction: &record.Compaction{
			FirstKeptSeq: 4, Replacement: []record.Message{{}},
		}},
		"branch: begins anew":                     {Branch: &record.Branch{}},
		"branch: goes on from #2":                 {Branch: &record.Branch{FromSeq: 2}},
		"prune: 1 tool result cleared":            {Prune: &record.Prune{Seqs: []int64{2}}},
		"prune: 2 tool results cleared, 9 tokens": {Prune: &record.Prune{Seqs: []int64{2, 4}, TokensFreed: 9}},
	} {
		if got := Headline(&rec); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
