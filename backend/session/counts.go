package session

import (
	"bytes"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// Counts are the numbers of a log that lists show.
type Counts struct {
	Records, Newer, Messages, Compactions int
	FirstMessage                          string
	// LastMessageAt is the timestamp of the last message that has one.
	LastMessageAt time.Time
	// Model is the one named last, by an answer or a model record.
	Model string

	files editCounts
	spent spent
}

// count keeps the numbers and what the record of the next line does, and tells the kind of that.
func (b *builder) count(header record.Header, content []byte) LineKind {
	kind := kindOf(header)
	if header.Newer {
		b.Newer++
		return kind
	}
	b.Records++
	if header.Type != record.TypeMessage {
		rec := record.DecodeScanned(header, content)
		if !b.countsOnly {
			kind = b.overlay(b.Lines.Len(), &rec)
		}
		b.countOverlay(rec)
		return kind
	}
	b.Messages++
	// To look through all of a large log takes as long as to skim it; what the user said is the least of it, and prompts are listed.
	if (!b.Skimmed || header.Role == record.RoleUser) && isAside(content) {
		kind = LineAside
	}
	if b.Skimmed || b.visit != nil {
		return kind
	}
	if !header.Time.IsZero() {
		b.LastMessageAt = header.Time
	}
	b.countMessage(header.Role, kind, content)
	return kind
}

// isAside tells whether a person alone was shown a message. Few are, and to look for a member takes longer than to look for its name.
func isAside(content []byte) bool {
	return bytes.Contains(content, []byte(`"aside"`)) && gjson.GetBytes(content, "aside").Type == gjson.True
}

func (b *builder) countMessage(role record.Role, kind LineKind, content []byte) {
	switch role {
	case record.RoleUser:
		if kind == LineAside {
			return
		}
		b.spent.turns++
		if b.FirstMessage == "" {
			b.FirstMessage = firstText(content)
		}
	case record.RoleToolResult:
		b.files.countEdits(content)
	case record.RoleAssistant:
		answered := record.AnsweredIn(content)
		if answered.Model != "" {
			b.Model = answered.Model
		}
		b.spent.countAnswer(answered)
	}
}

func (b *builder) countOverlay(rec record.Record) {
	b.spent.countOverlay(&rec)
	switch rec.Type {
	case record.TypeCompaction:
		if rec.Compaction.Counts() {
			b.Compactions++
		}
	case record.TypeModel:
		b.Model = strings.Clone(rec.Model.Model)
	case record.TypeNote:
		b.files.countUndo(&rec)
	case record.TypeMessage, record.TypeBranch, record.TypeRevert, record.TypePrune, record.TypeLabel:
	}
}

// firstMessageLength bounds what lists show of a session's first message, in characters.
const firstMessageLength = 200

// firstText is the beginning of the first text of a message.
func firstText(content []byte) string {
	rec, err := record.Decode(content)
	if err != nil || rec.Message == nil {
		return ""
	}
	for _, block := range rec.Message.Content {
		if block.Kind == record.BlockText && block.Text != "" {
			return clip(block.Text, firstMessageLength)
		}
	}
	return ""
}

func clip(s string, characters int) string {
	n := 0
	for i := range s {
		if n == characters {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
