//go:build !race

package backend

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/session"
)

// TestPagesFitAndCoverEverything: whatever the records, pages are at most as long as they may be, say what comes next, and together hold
// every line once. Most are drawn for small pages; those as they are sent are of the longest records, as many as there are kinds of text.
func TestPagesFitAndCoverEverything(t *testing.T) {
	b, err := Open(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	texts := []string{"x", "<", `\"`, `\u0007`, "日"}
	for _, text := range texts {
		pagesFit(t, b, pageRoom, []string{text, "x"}, []int{pageRoom + 18<<10, 300_000})
	}
	const room = 64 << 10
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 3).Draw(rt, "records")
		of := rapid.SliceOfN(rapid.SampledFrom(texts), n, n).Draw(rt, "texts")
		sizes := rapid.SliceOfN(rapid.SampledFrom([]int{1, 1000, room / 3, room + 1000}), n, n).Draw(rt, "sizes")
		pagesFit(rt, b, room, of, sizes)
	})
}

// pagesFit makes a session of such texts, each repeated to its size, and reads all of its pages.
func pagesFit(t rapid.TB, b *Backend, room int, texts []string, sizes []int) {
	var log strings.Builder
	for i, text := range texts {
		log.WriteString(said(i+1, "user", strings.Repeat(text, sizes[i]/len(text)+1)))
	}
	m, err := b.store.Import(session.New{}, []byte(log.String()))
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.glance(m.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer v.close()
	for next := 0; next < len(texts); {
		page, err := v.page(PageOptions{Position: next}, pageDefault, room)
		if err != nil || page.Count == 0 || page.First != next {
			t.Fatalf("page at %d: %+v, %v", next, page.Entries, err)
		}
		if end := next + page.Count; end < len(texts) && (page.NextIndex == nil || *page.NextIndex != end) {
			t.Fatalf("the page at %d says that %v comes next", next, page.NextIndex)
		}
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(page); err != nil {
			t.Fatal(err)
		}
		if around := PageBytes - pageRoom; out.Len() > room+around {
			t.Fatalf("a page of %d bytes", out.Len())
		}
		next += page.Count
	}
}
