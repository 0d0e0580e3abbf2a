package codex

import (
	"slices"
	"strings"
	"testing"
)

// TestNewerLines: lines of kinds that no released version writes yet, such as one that names the file with what was before, are kept as they
// are, and what stands beside them is read as ever.
func TestNewerLines(t *testing.T) {
	reference := `rollout_reference {"rollout_path":"/h/.codex/segments/rollout.jsonl","thread_id":"` + id + `","segment_id":"` + other + `","max_depth":64}`
	r := read(t, envelope(0, header(id, `,"history_mode":"paginated","segment_id":"`+other+`"`), reference, tells(user("K"), user(summaryFirst+"S")),
		`realtime_item {"type":"session","id":"r"}`, `security_risk_score {"score":0.1}`, item(user("two"))))
	if want := []string{"user: K", "user: " + summaryFirst + "S", "user: two"}; !slices.Equal(r.View(t), want) || r.Damaged > 0 {
		t.Errorf("%q, not %q, %d damaged", r.View(t), want, r.Damaged)
	}
	for _, kind := range []string{"rollout_reference", "realtime_item", "security_risk_score"} {
		if !strings.Contains(r.Story(), "note codex."+kind) {
			t.Errorf("%s is not kept: %s", kind, r.Story())
		}
	}
}
