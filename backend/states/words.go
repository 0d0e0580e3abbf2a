package states

import (
	"hash/maphash"
	"slices"

	"palimpsest/backend/record"
)

// Said is what a record says, as an agent takes it over.
func Said(rec *record.Record) []record.Block {
	switch {
	case rec.Message != nil:
		return rec.Message.Content
	case rec.Note != nil:
		return rec.Note.Content
	case rec.Branch != nil && rec.Branch.Summary != "":
		return framed(rec.Branch.Frame, rec.Branch.Summary)
	case rec.Compaction != nil:
		return framed(rec.Compaction.Frame, rec.Compaction.Summary)
	}
	return nil
}

// framed is a summary as its agent says it.
func framed(f *record.Frame, summary string) []record.Block {
	if f == nil {
		f = &record.Frame{}
	}
	return []record.Block{record.TextBlock(f.Say(summary))}
}

var wording = maphash.MakeSeed()

// Words tells contents apart by what a search finds of them, but for thinking, which agents leave out of what they take over. Pictures, which
// some leave out, only count where there is nothing else; 0 for none.
func Words(content []record.Block) uint64 { return worded(content, false, "") }

// Whole is [Words] with the thinking, and the provider that it came from.
func Whole(content []record.Block, provider string) uint64 {
	_, whole := Both(content, provider)
	return whole
}

// Both are [Words] and [Whole], which are the same where there is no thinking.
func Both(content []record.Block, provider string) (words, whole uint64) {
	words = Words(content)
	if !slices.ContainsFunc(content, func(b record.Block) bool { return b.Kind == record.BlockThinking }) {
		return words, words
	}
	return words, worded(content, true, provider)
}

func worded(content []record.Block, thinking bool, provider string) uint64 {
	var h maphash.Hash
	h.SetSeed(wording)
	_, _ = h.WriteString(provider) // never fails
	pictures := !slices.ContainsFunc(content, func(b record.Block) bool { return b.Kind != record.BlockThinking && b.Kind != record.BlockImage })
	says := false
	for i := range content {
		b := &content[i]
		if b.Kind == record.BlockThinking && !thinking || b.Kind == record.BlockImage && !pictures {
			continue
		}
		says = true
		for _, part := range []string{b.Text, b.Name, b.Arguments, b.Blob, b.JSON} {
			_, _ = h.WriteString(part)
			_ = h.WriteByte(0)
		}
	}
	if !says {
		return 0
	}
	return max(h.Sum64(), 1)
}
