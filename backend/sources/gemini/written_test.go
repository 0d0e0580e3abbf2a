//go:build !race

package gemini

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
)

// TestWrittenIsSmall: of a file in which every message is written twice, little of each is held.
func TestWrittenIsSmall(t *testing.T) {
	const messages, most = 10_000, 1 << 18
	many.TestOnlyLittle(t)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var w written
	w.begins(0)
	for i := range 2 * messages {
		line := sources.Line{Offset: int64(i) * 100, Length: 99}
		w.line(line, gjson.Parse(fmt.Sprintf(`{"id":"01234567-89ab-4000-8000-%012d","type":"gemini"}`, i/2)))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > most {
		t.Errorf("%d bytes are held of %d messages", held, messages)
	}
	for i := range int64(messages) {
		if last, again := w.final.get(spot{offset: i * 200}); !again || last.offset != i*200+100 {
			t.Fatalf("message %d is written last at %+v, %t", i, last, again)
		}
	}
}
