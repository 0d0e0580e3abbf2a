//go:build !race

package backend

import (
	"strings"
	"testing"
	"time"
)

// TestFindAnswersAreBounded whatever an expression fits; all looks together find everything.
func TestFindAnswersAreBounded(t *testing.T) {
	var log strings.Builder
	const lines = 1000
	for seq := 1; seq <= lines; seq++ {
		log.WriteString(said(seq, "user", strings.Repeat("\\u0001漢", 1000)))
	}
	b, id := open(t, log.String())
	v, err := b.view(id)
	newsMust(t, err)
	defer v.close()
	seen := 0
	for from := 0; ; {
		found, err := v.find(t.Context(), FindOptions{Query: `.+`, Regex: true, Limit: findMost, From: from}, time.Now().Add(time.Hour))
		newsMust(t, err)
		size := 0
		for _, m := range found.Matches {
			size += len(m.Excerpt.Before) + len(m.Excerpt.Match) + len(m.Excerpt.After)
		}
		if most := findBytes + 4*(excerptMost+2*excerptAround); size > most {
			t.Fatalf("excerpts of %d bytes, more than %d", size, most)
		}
		seen += len(found.Matches)
		if found.Next == nil {
			break
		}
		from = *found.Next
	}
	if seen != lines {
		t.Errorf("%d lines of %d", seen, lines)
	}
}
