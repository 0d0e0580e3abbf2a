package export

import (
	"encoding/json"

	"palimpsest/backend/record"
	"palimpsest/backend/secrets"
)

// recordWithout takes the secrets out of what a document has of a record; instead are the messages that it tells of a compaction.
func recordWithout(filter *secrets.Filter, rec *record.Record, instead []record.Message) {
	switch {
	case rec.Message != nil:
		blocksWithout(filter, rec.Message.Content)
		rec.Message.ErrorMessage = filter.Text(rec.Message.ErrorMessage)
	case rec.Compaction != nil:
		rec.Compaction.Summary = filter.Text(rec.Compaction.Summary)
		for i := range instead {
			blocksWithout(filter, instead[i].Content)
		}
	case rec.Branch != nil:
		rec.Branch.Summary = filter.Text(rec.Branch.Summary)
	case rec.Prune != nil:
		for i, text := range rec.Prune.Texts {
			rec.Prune.Texts[i] = filter.Text(text)
		}
	case rec.Label != nil:
		rec.Label.Label = filter.Text(rec.Label.Label)
	case rec.Note != nil:
		blocksWithout(filter, rec.Note.Content)
	case rec.Newer:
		rec.JSON = string(filter.JSON([]byte(rec.JSON)))
	}
}

func blocksWithout(filter *secrets.Filter, blocks []record.Block) {
	for i := range blocks {
		switch b := &blocks[i]; b.Kind {
		case record.BlockText, record.BlockThinking:
			b.Text = filter.Text(b.Text)
		case record.BlockToolCall:
			b.Arguments = string(filter.JSON([]byte(b.Arguments)))
		case record.BlockUnknown, record.BlockAsIs:
			b.JSON = string(filter.JSON([]byte(b.JSON)))
		case record.BlockImage:
		}
	}
}

// without is a value without its secrets. What an image holds is bytes, not text, and stays.
func (p *Pi) without(name string, value any) any {
	switch value := value.(type) {
	case string:
		return p.secrets.Value(name, value)
	case json.RawMessage:
		return json.RawMessage(p.secrets.JSON(value))
	case []string:
		clean := make([]string, len(value))
		for i := range value {
			clean[i] = p.secrets.Value(name, value[i])
		}
		return clean
	case []any:
		clean := make([]any, len(value))
		for i := range value {
			clean[i] = p.without(name, value[i])
		}
		return clean
	case object:
		clean := make(object, len(value))
		for name, member := range value {
			clean[name] = p.without(name, member)
		}
		return clean
	}
	return value
}
