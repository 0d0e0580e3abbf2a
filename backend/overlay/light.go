package overlay

import (
	"slices"
	"strings"
	"unique"

	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// Light is a record without its texts, for who resolves many contexts of one log and wants to know their sizes only: [Resolve] makes the same
// estimate, calibration and reported size of it. It shares no memory with the record.
func Light(rec *record.Record) record.Record { return lightened(rec, true) }

// lightened is [Light], whose blocks are counted if they are to be measured.
func lightened(rec *record.Record, measured bool) record.Record {
	out := *rec
	out.JSON = ""
	switch {
	case rec.Message != nil:
		m := lightMessage(rec.Message, measured)
		out.Message = &m
	case rec.Note != nil:
		out.Note = &record.Note{Namespace: shared(rec.Note.Namespace), Content: lightBlocks(rec.Note.Content, measured), Role: rec.Note.Role, Display: rec.Note.Display, Aside: rec.Note.Aside}
	case rec.Compaction != nil:
		out.Compaction = lightCompaction(rec.Compaction, measured)
	case rec.Branch != nil:
		out.Branch = &record.Branch{
			FromSeq: rec.Branch.FromSeq, FromOffset: rec.Branch.FromOffset,
			Summary: strings.Clone(rec.Branch.Summary), Frame: rec.Branch.Frame, ActiveModel: lightModel(rec.Branch.ActiveModel),
		}
	case rec.Prune != nil:
		out.Prune = &record.Prune{Seqs: slices.Clone(rec.Prune.Seqs), TokensFreed: rec.Prune.TokensFreed}
		for _, text := range rec.Prune.Texts {
			out.Prune.Texts = append(out.Prune.Texts, strings.Clone(text))
		}
	case rec.Label != nil:
		out.Label = &record.Label{TargetSeq: rec.Label.TargetSeq}
	case rec.Model != nil:
		out.Model = lightModel(rec.Model)
	}
	return out
}

func lightCompaction(c *record.Compaction, measured bool) *record.Compaction {
	out := &record.Compaction{FirstKeptSeq: c.FirstKeptSeq, Summary: strings.Clone(c.Summary), Frame: c.Frame, ActiveModel: lightModel(c.ActiveModel)}
	for i := range c.Replacement {
		out.Replacement = append(out.Replacement, lightMessage(&c.Replacement[i], measured))
	}
	return out
}

func lightModel(m *record.Model) *record.Model {
	if m == nil {
		return nil
	}
	return &record.Model{Provider: shared(m.Provider), Model: shared(m.Model), ReasoningEffort: shared(m.ReasoningEffort), Window: m.Window, Named: m.Named}
}

func lightMessage(m *record.Message, measured bool) record.Message {
	return record.Message{
		Role: record.Role(shared(string(m.Role))), Content: lightBlocks(m.Content, measured), ToolCallID: strings.Clone(m.ToolCallID), IsError: m.IsError,
		Model: shared(m.Model), Provider: shared(m.Provider), Usage: m.Usage, StopReason: shared(m.StopReason), Aside: m.Aside,
	}
}

// Whole is a message with its texts. Those of a context that was resolved light are read from the record whose line begins at an offset.
func (c *Context) Whole(m *Message, read func(offset int64) (record.Record, error)) (Message, error) {
	out := *m
	if !m.light {
		return out, nil
	}
	rec, err := read(m.Offset)
	switch {
	case err != nil:
		return out, err
	case rec.Message != nil:
		content, _ := c.sent(m, rec.Message.Content)
		out = m.Showing(content)
	case rec.Note != nil:
		content, _ := c.sent(m, rec.Note.Content)
		out = m.Showing(content)
	}
	return out, nil
}

// Texts hands on messages with their texts, one after the other, until each returns false. Those that are not wanted, if there is such a
// rule, are not read.
func (c *Context) Texts(messages []Message, wanted func(*Message) bool, each func(*Message) bool) error {
	var records Records
	for i := range messages {
		m := &messages[i]
		if m.light && c.again != nil && (wanted == nil || wanted(m)) {
			if records == nil {
				opened, err := c.again()
				if err != nil {
					return err
				}
				defer opened.Close()
				records = opened
			}
			whole, err := c.Whole(m, records.At)
			if err != nil {
				return err
			}
			m = &whole
		}
		if !each(m) {
			return nil
		}
	}
	return nil
}

// WithTexts are all messages with their texts, for who sends them.
func (c *Context) WithTexts() ([]Message, error) {
	out := make([]Message, 0, len(c.Messages))
	err := c.Texts(c.Messages, nil, func(m *Message) bool {
		if c.Messages[len(out)].light {
			for i := range m.Content {
				if m.Content[i].Kind == record.BlockText {
					m.Content[i].JSON = "" // which would keep the line beside the text
				}
			}
		}
		out = append(out, *m)
		return true
	})
	return out, err
}

// lightText stands for a text that is not empty.
const lightText = "…"

func lightBlocks(blocks []record.Block, measured bool) []record.Block {
	out := make([]record.Block, len(blocks))
	for i, block := range blocks {
		light := record.Block{Kind: block.Kind, Aside: block.Aside, AnyProvider: block.AnyProvider}
		if measured {
			light.Quarters = quartersOf(block)
		}
		if block.Text != "" {
			light.Text = lightText
		}
		if block.Kind == record.BlockToolCall {
			light.ID, light.Name = strings.Clone(block.ID), shared(block.Name)
		}
		out[i] = light
	}
	return out
}

func quartersOf(block record.Block) int {
	var tally tokens.Tally
	weigh(&tally, block)
	return tally.Quarters()
}

// shared is a text of which there are few, once for all that have it.
func shared(text string) string { return unique.Make(text).Value() }
