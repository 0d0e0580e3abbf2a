package sources

import (
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

func TestUntold(t *testing.T) {
	counters := Counters{Input: []string{"in"}, Output: []string{"out"}, CacheRead: []string{"read", "cache.read"}}
	for text, want := range map[string]record.Kinds{
		`{}`: record.AllTokens, `{"in":0,"out":1}`: record.CacheReadTokens | record.CacheWriteTokens,
		`{"in":1,"out":"1","cache":{"read":0}}`: record.OutputTokens | record.CacheWriteTokens, `{"read":null}`: record.AllTokens,
	} {
		if got := counters.Untold(gjson.Parse(text)); got != want {
			t.Errorf("%s: %b", text, got)
		}
	}
}
