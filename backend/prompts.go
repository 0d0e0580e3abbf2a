package backend

import (
	"fmt"
	"sort"
	"strings"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Prompts is a stretch of what the user wrote in a session.
type Prompts struct {
	SessionID string `json:"sessionId"`
	// First is the place of the first of them among all prompts, of which there are Total.
	First   int      `json:"first"`
	Total   int      `json:"total"`
	Prompts []Prompt `json:"prompts"`
}

// Prompt is a message of the user.
type Prompt struct {
	Index     int     `json:"index"`
	Seq       int64   `json:"seq"`
	Timestamp *string `json:"timestamp"`
	Bytes     int64   `json:"bytes"`
	// Text is its first line with something on it, cut; empty for a message without text and for one too long to be read for it.
	Text string `json:"text"`
}

// PromptOptions of [Backend.Prompts]. At most one of First, From and Before is set.
type PromptOptions struct {
	// First starts at that prompt, counted from 0.
	First int
	// From starts at the first prompt at or behind that line.
	From int
	// Before ends in front of that line, with as many as the limit allows.
	Before int
	Limit  int
}

const (
	promptLength = 200
	// promptBytes bounds what is read for the first line of a message.
	promptBytes = PageBytes
)

// Prompts finds messages of the user by the index, and reads how each begins.
func (b *Backend) Prompts(id string, opts PromptOptions) (Prompts, error) {
	v, err := b.glance(id)
	if err != nil {
		return Prompts{}, err
	}
	defer v.close()
	limit := opts.Limit
	if limit <= 0 {
		limit = pageDefault
	}
	limit = min(limit, pageMost)

	at := v.promptLines()
	from := func(line int) int { return sort.Search(at.Len(), func(i int) bool { return int(at.At(i)) >= line }) }
	first := min(max(opts.First, 0), at.Len())
	switch {
	case opts.From > 0:
		first = from(opts.From)
	case opts.Before > 0:
		end := from(opts.Before)
		first = max(0, end-limit)
		limit = end - first
	}
	out := Prompts{SessionID: id, First: first, Total: at.Len(), Prompts: []Prompt{}}
	size := 0
	for k := first; k < min(first+limit, at.Len()); k++ {
		i := int(at.At(k))
		line := v.index.Lines.At(i)
		if size > 0 && size+int(min(line.Length, promptBytes)) > 8*promptBytes {
			break
		}
		prompt, err := v.prompt(i)
		if err != nil {
			return Prompts{}, fmt.Errorf("session %s: %w", id, err)
		}
		size += int(min(line.Length, promptBytes))
		out.Prompts = append(out.Prompts, prompt)
	}
	return out, nil
}

// promptLines are the lines of the user's messages, in order.
func (v *view) promptLines() *many.List[int32] {
	at := &many.List[int32]{}
	for i, line := range v.index.Lines.All() {
		if line.Kind == session.LineUser {
			at.Add(int32(i)) //nolint:gosec // nobody holds so many
		}
	}
	return at
}

func (v *view) prompt(i int) (Prompt, error) {
	line := v.index.Lines.At(i)
	out := Prompt{Index: i, Seq: line.Seq, Bytes: line.Length}
	if line.Length > promptBytes {
		return out, nil
	}
	text := make([]byte, line.Length)
	if _, err := v.log.ReadAt(text, line.Offset); err != nil {
		return Prompt{}, fmt.Errorf("reading line %d: %w", line.Number, err)
	}
	rec, err := record.Decode(trimmed(text, line.Offset))
	if err != nil {
		return Prompt{}, fmt.Errorf("line %d changed on disk: %w", line.Number, err)
	}
	if !rec.Time.IsZero() {
		at := stamp(rec.Time)
		out.Timestamp = &at
	}
	if rec.Message != nil {
		out.Text = firstLine(rec.Message.Content)
	}
	return out, nil
}

func firstLine(blocks []record.Block) string {
	for _, block := range blocks {
		if block.Kind != record.BlockText {
			continue
		}
		text := strings.TrimSpace(block.Text)
		if text == "" {
			continue
		}
		line, _, _ := strings.Cut(text, "\n")
		n := 0
		for i := range line {
			if n == promptLength {
				return line[:i] + "…"
			}
			n++
		}
		return strings.TrimSpace(line)
	}
	return ""
}
