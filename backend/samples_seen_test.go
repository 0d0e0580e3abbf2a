package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/record"
)

// TestSamplesAreSeenAsTheyAre: of real sessions, those texts are said to be in the context that the context holds. Nothing but what agents
// say around a summary, and what stands for nothing, is in a context and not among the texts.
func TestSamplesAreSeenAsTheyAre(t *testing.T) {
	samples := os.Getenv("PALIMPSEST_SAMPLES")
	if samples == "" {
		t.Skip("PALIMPSEST_SAMPLES is not set")
	}
	homes, err := filepath.Glob(filepath.Join(samples, "*"))
	newsMust(t, err)
	sessions := 0
	for _, home := range homes {
		b := abroad(t, home)
		rows, err := b.List(t.Context(), ListOptions{Subagents: true})
		newsMust(t, err)
		for i := range rows {
			seenAsItIs(t, b, rows[i].ID)
		}
		sessions += len(rows)
	}
	if sessions < 30 {
		t.Errorf("only %d sessions", sessions)
	}
}

func seenAsItIs(t *testing.T, b *Backend, id string) {
	t.Helper()
	v, err := b.view(id)
	newsMust(t, err)
	defer v.close()
	var texts []index.Text
	d, err := digest.Read(v.log, v.index.Size, digest.Options{}, func(one index.Text) error { texts = append(texts, one); return nil })
	newsMust(t, err)
	seen, err := b.Context(id, ContextOptions{})
	newsMust(t, err)
	var blocks []string
	for _, m := range seen.Messages {
		for _, block := range m.Content {
			if text := record.Output(gjson.GetBytes(block, "text").Str); strings.TrimSpace(text) != "" {
				blocks = append(blocks, text)
			}
		}
	}
	view := strings.Join(blocks, "\n")
	lines, parts := d.Spans.Runs(), d.Apart.Runs()
	said := map[string]bool{}
	for _, text := range texts {
		fate := lines.Of(text.Line)
		if text.Part > 0 {
			fate = parts.Of(text.Part - 1)
		}
		if fate != digest.Context || text.Scope == index.Call {
			continue
		}
		said[text.Text] = true
		if !strings.Contains(view, text.Text) {
			t.Errorf("%s: line %d (%s) is said to be seen: %.80q", id, text.Line, text.Scope, text.Text)
		}
	}
	for _, block := range blocks {
		stands := strings.HasPrefix(block, "[tool result cleared") || block == "[Old tool result content cleared]" || block == "What did we do so far?" // opencode's words
		if !stands && !said[block] && !partOf(said, block) {
			t.Errorf("%s: is seen, and not said to be: %.120q", id, block)
		}
	}
}

// partOf tells whether some text stands in a block, with words around it.
func partOf(said map[string]bool, block string) bool {
	for text := range said {
		if len(text) > 20 && strings.Contains(block, text) {
			return true
		}
	}
	return false
}
