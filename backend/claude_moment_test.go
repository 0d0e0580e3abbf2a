package backend

import (
	"fmt"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestCompactedAtOnce: two sessions that were compacted in the same moment, at another size, and have nothing else in common, have nothing to do with each other.
func TestCompactedAtOnce(t *testing.T) {
	const session = `{"type":"user","uuid":"%[1]s1","parentUuid":null,"sessionId":"%[1]s","timestamp":"2026-01-02T10:00:0%[2]d.000Z","message":{"role":"user","content":"%[1]s asks"}}
{"type":"assistant","uuid":"%[1]s2","parentUuid":"%[1]s1","sessionId":"%[1]s","requestId":"r%[1]s","timestamp":"2026-01-02T10:00:0%[3]d.000Z","message":{"id":"m%[1]s","role":"assistant","model":"m","content":[{"type":"text","text":"%[1]s is told"}],"stop_reason":"end_turn"}}
{"type":"system","subtype":"compact_boundary","uuid":"%[1]s3","parentUuid":null,"logicalParentUuid":"%[1]s2","sessionId":"%[1]s","timestamp":"2026-01-02T10:00:09.000Z","compactMetadata":{"trigger":"auto","preTokens":100%[2]d}}
{"type":"user","uuid":"%[1]s4","parentUuid":"%[1]s3","sessionId":"%[1]s","timestamp":"2026-01-02T10:00:09.001Z","isCompactSummary":true,"message":{"role":"user","content":"of %[1]s"}}
`
	home := t.TempDir()
	for i, name := range []string{"anna", "bert"} {
		sourcetest.Write(t, home, ".claude/projects/-w/"+name+".jsonl", fmt.Sprintf(session, name, i, i+2))
	}
	b := abroad(t, home)
	newsMust(t, b.Scan(t.Context(), false, nil))
	ledger, err := b.Ledger(t.Context(), LedgerOptions{})
	newsMust(t, err)
	for _, c := range ledger.Entries {
		if c.Copied {
			t.Errorf("%s: its compaction is a copy", c.ID)
		}
	}
	rows, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	for _, row := range rows {
		if row.Parent != nil {
			t.Errorf("%s was made from %s", row.ID, *row.Parent)
		}
	}
	sums, err := b.Statistics(t.Context(), StatisticsOptions{})
	newsMust(t, err)
	if len(rows) != 2 || len(ledger.Entries) != 2 || sums.Totals.Compactions != 2 {
		t.Errorf("%d sessions, %d compactions, %d counted", len(rows), len(ledger.Entries), sums.Totals.Compactions)
	}
}
