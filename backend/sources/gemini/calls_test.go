package gemini

import (
	"testing"

	"github.com/tidwall/gjson"
)

// TestCallsAreTakenOnce: each listed call is one part, by its id or by what it says however that is written, and is looked at once.
func TestCallsAreTakenOnce(t *testing.T) {
	c := callsOf(gjson.Parse(`{"toolCalls":[
		{"id":"a","name":"ls","args":{"x":1,"y":[2]}}, {"id":"b","name":"ls","args":{"y":[2],"x":1.0}}, {"id":"c","name":"ls"}, {"name":"ls","args":{"x":1e999}}
	]}`))
	const same = `{"name":"ls","args":{"y":[ 2 ],"x":1}}`
	for i, take := range []struct{ part, id string }{
		{`{"id":"b","name":"other"}`, "b"}, {same, "a"}, {same, ""}, {`{"id":"a"}`, ""}, {`{"id":"d","name":"ls"}`, ""}, {`{"name":"ls","args":{}}`, "c"},
	} {
		if call, is := c.take(gjson.Parse(take.part)); idOf(call) != take.id || is != (take.id != "") {
			t.Errorf("%d: %v, %s", i, is, call.Raw)
		}
	}
	if left := c.left(); len(left) != 1 || idOf(left[0]) != "" {
		t.Errorf("%v are left", left)
	}
	for name, places := range c.said {
		if name == saying(gjson.Parse(same)) && len(places) > 0 {
			t.Errorf("%d are looked at again", len(places))
		}
	}
}
