package llm

import (
	"slices"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// uncut gives texts back what was left out of the log to keep its lines short: the model that wrote in an imported session has seen all
// of them. What is not kept any more stays cut, and the messages given stay as they are.
func uncut(messages []overlay.Message, text func(sha string) ([]byte, error)) []overlay.Message {
	isCut := func(b record.Block) bool { return b.Whole > 0 }
	if text == nil || !slices.ContainsFunc(messages, func(m overlay.Message) bool { return slices.ContainsFunc(m.Content, isCut) }) {
		return messages
	}
	out := slices.Clone(messages)
	for i := range out {
		if !slices.ContainsFunc(out[i].Content, isCut) {
			continue
		}
		out[i] = out[i].Showing(slices.Clone(out[i].Content))
		for k := range out[i].Content {
			b := &out[i].Content[k]
			if !isCut(*b) {
				continue
			}
			if whole, err := text(b.Blob); err == nil {
				b.Text = b.Uncut(string(whole))
			}
		}
	}
	return out
}
