//go:build !race

package backend

import (
	"runtime"
	"strings"
	"testing"

	"palimpsest/backend/states"
)

// TestLargeContextIsNotHeld: a page and the size of a log without a compaction, which is all context, come from its
// index.
func TestLargeContextIsNotHeld(t *testing.T) {
	var log strings.Builder
	text := strings.Repeat("x", 1<<20)
	const n = states.ExactBytes>>20 + 2
	for seq := 1; seq <= n; seq++ {
		log.WriteString(said(seq, "user", text))
	}
	b, id := open(t, log.String())
	page, err := b.Page(id, PageOptions{Position: n - 1})
	if err != nil || page.Entries[0].State != StateKept || page.Total != n {
		t.Fatalf("%+v, %v", page.Entries, err)
	}
	v, err := b.view(id)
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	if v.states.Outlook() == nil {
		t.Error("the context was resolved to tell states")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := b.Context(id, ContextOptions{WithoutMessages: true})
	if runtime.ReadMemStats(&after); after.NumForcedGC != before.NumForcedGC {
		t.Error("memory is cleared of what was not read")
	}
	if want := n << 20 / 4; err != nil || c.Tokens.Estimate < want || c.Tokens.Estimate > want+n*100 || c.Parts.Kept+c.Parts.Injected != c.Tokens.Calibrated {
		t.Errorf("%+v, %v, want about %d tokens", c.Tokens, err, want)
	}
}
