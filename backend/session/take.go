package session

import "palimpsest/backend/record"

// Take indexes the next line for who has read it already, as [Index.Follow] would but for the counts, the damage and the texts of
// overlays, and without notes that say nothing; a line without a record is a damaged one. Nothing can be indexed behind it in another way.
func (x *Index) Take(offset, length int64, rec *record.Record) (i int, line Line) {
	i, line = x.Lines.Len(), Line{Offset: offset, Length: length}
	x.Size = offset + length + 1
	if rec != nil {
		line.Seq, line.Kind = rec.Seq, kindOf(rec.Header)
		if line.Kind == LineOverlay && !silent(rec) {
			x.Overlays = append(x.Overlays, Indexed{Index: i, Record: slim(rec)})
		}
	}
	x.Lines.add(line)
	return i, line
}

// silent tells of a note that the model gets nothing of. Agents write some with every answer, and nothing is asked of them but that they are
// there, which the lines tell.
func silent(rec *record.Record) bool { return rec.Note != nil && len(rec.Note.Content) == 0 }

// slim is a record without its texts: what an index is asked of one is what it does, which calls it holds, and whether it says anything. A
// long log has many compactions, each with all that the model sees from there on.
func slim(rec *record.Record) record.Record {
	out := record.Record{Header: rec.Header, Branch: rec.Branch, Revert: rec.Revert, Label: rec.Label, Model: rec.Model}
	if p := rec.Prune; p != nil {
		out.Prune = &record.Prune{Seqs: p.Seqs, TokensFreed: p.TokensFreed, Texts: there(p.Texts)}
	}
	if c := rec.Compaction; c != nil {
		few := *c
		few.Summary, few.Instructions, few.ReadFiles, few.ModifiedFiles, few.Usage = "", "", nil, nil, nil
		few.Replacement = calling(c.Replacement)
		out.Compaction = &few
	}
	if n := rec.Note; n != nil {
		out.Note = &record.Note{Namespace: n.Namespace, Content: make([]record.Block, min(len(n.Content), 1)), Display: n.Display}
	}
	return out
}

// there are texts of which no more stays than that they are there.
func there(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		if text != "" {
			out[i] = "…"
		}
	}
	return out
}

// calling are the messages that call tools, and what was called, since results behind them answer that, and the last answer, whose provider
// counts. Some message stays if there is one.
func calling(messages []record.Message) []record.Message {
	out := make([]record.Message, min(len(messages), 1))
	last := len(messages) - 1
	for last >= 0 && messages[last].Role != record.RoleAssistant {
		last--
	}
	for i := range messages {
		m := &messages[i]
		few := record.Message{Role: m.Role, ToolCallID: m.ToolCallID, StopReason: m.StopReason, Provider: m.Provider}
		for _, b := range m.Content {
			if b.Kind == record.BlockToolCall {
				few.Content = append(few.Content, record.Block{Kind: b.Kind, ID: b.ID, Name: b.Name})
			}
		}
		if len(few.Content) > 0 || m.Role == record.RoleToolResult || i == last {
			out = append(out, few)
		}
	}
	return out
}
