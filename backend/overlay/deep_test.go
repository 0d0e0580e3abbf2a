//go:build !race

package overlay_test

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"testing"
)

// TestNoRecursionOverTheLog resolves a long chain of branches on branches. A call for each of them would overflow the stack, of which there
// is little here, and end the tests.
func TestNoRecursionOverTheLog(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	var log bytes.Buffer
	const n = 100_000
	for seq := int64(1); seq <= n; seq += 2 {
		fmt.Fprintf(&log, `{"recordType":"message","schemaVersion":1,"seq":%d,"role":"user","content":[{"type":"text","text":"x"}]}`+"\n", seq)
		fmt.Fprintf(&log, `{"recordType":"branch","schemaVersion":2,"seq":%d,"fromSeq":%d}`+"\n", seq+1, seq)
	}
	ctx, _ := resolve(t, log.Bytes())
	if len(ctx.Messages) != n/2 {
		t.Errorf("%d messages", len(ctx.Messages))
	}
}
