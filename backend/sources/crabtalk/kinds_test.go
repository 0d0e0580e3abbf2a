package crabtalk

import (
	"testing"

	"github.com/tidwall/gjson"
)

// TestKinds: a record is what its own keys say, whatever stands in its parts; and a message has a role, whatever else it has.
func TestKinds(t *testing.T) {
	for text, want := range map[string]kind{
		`{"compact":"S","title":"T"}`:                                         compaction,
		`{"event":"done","model":"m"}`:                                        event,
		`{"role":"user","content":"x","compact":"S"}`:                         message,
		`{"role":"user","content":"x","event":"e"}`:                           message,
		`{"message":{"role":"user","content":"x"},"compact":"S","event":"e"}`: message,
		`{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"x","input":{"compact":1,"event":2}}]}`: message,
		`{"meta":{"compact":"S","role":"user"}}`:  other,
		`{"created_by":"user","title":"compact"}`: metadata,
		`"compact"`: other,
	} {
		if got := kindOf(gjson.Parse(text), false); got != want {
			t.Errorf("%s: %d", text, got)
		}
	}
}
