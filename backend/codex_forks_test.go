package backend

import (
	"fmt"
	"testing"

	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/sourcetest"
)

// TestCodexForksCountOnce: what answers took that forks have copied counts once, whether the thread that they were made from is there or not,
// and whichever was read first.
func TestCodexForksCountOnce(t *testing.T) {
	const third = "01a1fbb2-517a-7cd2-9976-548effd87cf9"
	answer := func(at string, n int) string {
		return fmt.Sprintf(`{"timestamp":"2026-01-02T%sZ","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer %d"}]}}`+"\n", at, n) +
			fmt.Sprintf(`{"timestamp":"2026-01-02T%sZ","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"output_tokens":1},"last_token_usage":{"input_tokens":%d,"output_tokens":1}}}}`+"\n", at, 1<<n, 1<<n)
	}
	fork := func(id, at, later string, n int) string {
		return codexHead(id, at, `,"forked_from_id":"`+codexParent+`"`) + codexHead(codexParent, at, "") + codexSays(at, "ask") + answer(at, 1) +
			codexSays(at, "again") + answer(at, 2) + codexSays(later, "else") + answer(later, n)
	}
	files := map[string]string{
		codexParent: codexHead(codexParent, "10:00:00", "") + codexSays("10:00:01", "ask") + answer("10:00:02", 1) + codexSays("10:00:03", "again") + answer("10:00:04", 2),
		codexChild:  fork(codexChild, "11:00:00", "11:30:00", 3),
		third:       fork(third, "12:00:00", "12:30:00", 4),
	}
	for _, order := range [][]string{{codexParent, codexChild, third}, {codexChild, codexParent, third}, {third, codexChild, codexParent}, {third, codexChild}, {codexChild}} {
		home := t.TempDir()
		b := scanOf(t, home, t.TempDir(), codex.Source{})
		want := int64(1<<1 | 1<<2)
		for i, id := range order {
			sourcetest.Write(t, home, codexPlace+id+".jsonl", files[id])
			newsMust(t, b.Scan(t.Context(), false, nil))
			want |= map[string]int64{codexChild: 1 << 3, third: 1 << 4}[id]
			s, err := b.Statistics(t.Context(), StatisticsOptions{})
			newsMust(t, err)
			if s.Totals.Input == nil || *s.Totals.Input != want {
				t.Errorf("%v, the first %d: %+v, not %b", order, i+1, s.Totals, want)
			}
		}
	}
}
