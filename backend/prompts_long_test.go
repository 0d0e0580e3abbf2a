//go:build !race

package backend

import (
	"fmt"
	"strings"
	"testing"
)

// A page is bounded in what it reads, and who goes on gets all.
func TestPromptsOfManyLongMessages(t *testing.T) {
	var log strings.Builder
	for seq := 1; seq <= 20; seq++ {
		log.WriteString(said(seq, "user", fmt.Sprintf("%d %s", seq, strings.Repeat("x", promptBytes*9/10))))
	}
	b, id := open(t, log.String())
	n, pages := 0, 0
	for n < 20 {
		page := promptsOf(t, b, id, PromptOptions{First: n})
		if len(page.Prompts) == 0 || page.First != n {
			t.Fatalf("nothing at %d: %+v", n, page)
		}
		n += len(page.Prompts)
		pages++
	}
	if n != 20 || pages < 2 {
		t.Errorf("%d in %d pages", n, pages)
	}
}
