//go:build !race

package gemini

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// TestCurrentIsSmall: of messages of 6 MB that patches change, of most of which it is told at once, little is held.
func TestCurrentIsSmall(t *testing.T) {
	const messages, text, most = 3_000, 2 << 10, 3 << 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	log := sources.NewLog("gemini", "s1", io.Discard, nil)
	r := newReader(log, "s1")
	r.now.kept = true
	says := strings.Repeat("a word ", text/7)
	for i := range messages {
		for _, raw := range []string{user(fmt.Sprint("u", i), says), patch(`"id":"u`+fmt.Sprint(i)+`"`, `"toolCalls":[]`)} {
			if err := r.line(sources.Line{Offset: int64(i) * text, Length: text}, gjson.Parse(raw)); err != nil {
				t.Fatal(err)
			}
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > most {
		t.Errorf("%d bytes are held of %d messages", held, r.now.list.all.Len())
	}
}
