package record

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/tidwall/gjson"
)

// TestUsageThatIsNotTold: what a line does not say is not known, and is not written as 0.
func TestUsageThatIsNotTold(t *testing.T) {
	cost := 0.5
	for text, want := range map[string]Usage{
		`{}`:                     {Untold: AllTokens},
		`{"input":0,"output":7}`: {Output: 7, Untold: CacheReadTokens | CacheWriteTokens},
		`{"cacheRead":1,"cacheWrite":2,"cost":0.5}`:           {CacheRead: 1, CacheWrite: 2, Untold: InputTokens | OutputTokens, Cost: &cost},
		`{"input":1,"output":2,"cacheRead":3,"cacheWrite":4}`: {Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4},
	} {
		got := decodeUsage(gjson.Parse(text))
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %+v", text, got)
		}
		if again, err := json.Marshal(got); err != nil || string(again) != text {
			t.Errorf("%s became %s, %v", text, again, err)
		}
	}
	if u := usageIn(gjson.Parse(`{"input":"5","cacheWrite":null,"output":1,"output":"2"}`)); u.Untold != AllTokens {
		t.Errorf("%+v", u)
	}
	one, other := Usage{Input: 1, Untold: CacheReadTokens | CacheWriteTokens}, Usage{CacheRead: 2, Untold: InputTokens | CacheWriteTokens}
	if sum := one.Plus(&other); sum.Input != 1 || sum.CacheRead != 2 || sum.Untold != CacheWriteTokens {
		t.Errorf("%+v", sum)
	}
}
