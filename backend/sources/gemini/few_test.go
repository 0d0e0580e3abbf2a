//go:build !race

package gemini

import (
	"runtime"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// TestManyItems: lists of items as short as they can be take little more memory than other lines of that length, and the log says where there
// are more than are read.
func TestManyItems(t *testing.T) {
	const count, times = 1 << 18, 8
	before, least := fewMost, messageLeast
	fewMost, messageLeast = 1<<8, 1<<10
	defer func() { fewMost, messageLeast = before, least }()
	many := func(item string) string { return "[" + item + strings.Repeat(","+item, count) + "]" }
	for name, c := range map[string]struct{ line, told string }{
		"parts":    {`{"id":"u1","type":"user","content":` + many("1") + `}`, "u1/content"},
		"calls":    {`{"id":"u1","type":"gemini","content":"a","toolCalls":` + many("{}") + `}`, "u1/toolCalls"},
		"thoughts": {`{"id":"u1","type":"gemini","content":"a","thoughts":` + many("1") + `}`, "u1/thoughts"},
		"messages": {`{"$set":{"messages":` + many("{}") + `}}`, "list of messages"},
		"images":   {`{"id":"u1","type":"user","content":[{"functionResponse":{"id":"c","name":"sh","response":{"output":"x"},"parts":` + many("1") + `}}]}`, "u1/parts"},
		"results":  {`{"id":"u1","type":"gemini","content":"a","toolCalls":[{"id":"c","name":"sh","status":"success","result":` + many(`""`) + `}]}`, "u1/result"},
	} {
		var out strings.Builder
		text := file(user("u0", "zero"), c.line, user("u2", "two"))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := readInto(t, sources.NewLog("gemini", "s1", &out, nil), text); err != nil {
			t.Fatal(name, err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(times*len(text)) {
			t.Errorf("%s: %d times the file", name, took/uint64(len(text)))
		}
		if !strings.Contains(out.String(), c.told) || !strings.Contains(out.String(), ".overlong") {
			t.Errorf("%s: nothing is said of what is not read", name)
		}
	}
}
