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

// TestImageElsewhere: an image that stands on the web goes to the model as it is.
func TestImageElsewhere(t *testing.T) {
	_, r := read(t, map[string]string{dir + "crab_user_1.jsonl": talk[0] + "\n" + `{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"url","url":"https://x.test/a.png"}},{"type":"document"}]}` + "\n"})
	if got, want := r.Seen(t), "user: look [as it is]\n"; got != want {
		t.Error(got)
	}
}
