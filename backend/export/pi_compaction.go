package export

import (
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// compaction keeps from an entry.
func (p *Pi) compaction(rec *record.Record) {
	c := rec.Compaction
	switch {
	case len(c.Replacement) > 0 && !c.Counts():
		p.anew(c)
		return
	case len(c.Replacement) > 0:
		p.replacement(c)
		return
	}
	kept := none
	for at := p.leaf; at != none; {
		entry := p.written.at(at)
		if entry.seq < c.FirstKeptSeq || int(entry.replaced) == at {
			break
		}
		kept, at = at, int(entry.parent)
	}
	p.compacted(c, kept, "")
}

// compacted writes one that keeps from an entry, none for nothing. A system message is what pi puts before the summary.
func (p *Pi) compacted(c *record.Compaction, kept int, system string) {
	from := idOf(p.seq, wholePart) // which keeps nothing
	if kept != none {
		from = p.written.id(kept)
	}
	members := object{
		"summary": c.Summary, "firstKeptEntryId": from, "tokensBefore": c.TokensBefore,
		"details": object{"readFiles": orNone(c.ReadFiles), "modifiedFiles": orNone(c.ModifiedFiles)},
	}
	if c.Usage != nil { // pi counts what a summary took with what answers did
		members["usage"] = usageOf(c.Usage)
	}
	if system != "" {
		members["systemMessage"] = object{"role": "system", "content": system, "timestamp": p.at.UnixMilli()}
	}
	p.entry(wholePart, "compaction", members)
}

// anew begins a branch with what is in the place of all before. An edit that another agent made of its context is no compaction, and pi has
// edits of single messages only.
func (p *Pi) anew(c *record.Compaction) {
	p.leaf = none
	for i := range c.Replacement {
		if anySent(&c.Replacement[i]) {
			p.put(part(i), &c.Replacement[i])
			p.written.replace(p.leaf)
		}
	}
}

// replacement writes a compaction that has messages in the place of all before. Pi sends the summary and what stands from an entry on: that
// will do if these are the summary and the last messages there are. Otherwise they follow it as entries of their own, and an edit takes the summary
// off the context, which would be the first in it.
func (p *Pi) replacement(c *record.Compaction) {
	before, kept := p.tail(c.Replacement)
	switch {
	case len(before) == 1 && saysSummary(&before[0], c):
		p.compacted(c, kept, "")
		return
	case len(before) == 2 && p.isSystem(&before[0]) && saysSummary(&before[1], c):
		p.compacted(c, kept, textOf(&before[0]))
		return
	case len(before) > 0:
		kept = none
	}
	p.compacted(c, kept, "")
	summary := p.written.id(p.leaf)
	if len(before) > 0 {
		for i := range c.Replacement {
			p.inPlace(part(i), &c.Replacement[i])
		}
	}
	p.entry(part(len(c.Replacement)), "context_edit", object{"targetId": summary, "replacement": nil})
	if len(before) > 0 {
		p.written.replace(p.leaf)
	}
}

// inPlace writes a message that a compaction put in the place of others. What is said by the user is said a second time as a rule, and pi has
// entries for what it tells the model and no person said.
func (p *Pi) inPlace(which part, m *record.Message) {
	switch {
	case !anySent(m):
	case m.Role == record.RoleUser:
		entry := object{"customType": "palimpsest.context", "content": p.blocks(sentByPi(m.Role, m.Content)), "display": false}
		beside(entry, m.Role, m.Content)
		p.entry(which, "custom_message", entry)
		p.written.says(p.leaf, saidBy(m))
	default:
		p.put(which, m)
	}
}

// tail finds the last of these messages on the way to the leaf: the entry that they begin with, none if there are none, and the messages
// before them. What the model gets nothing of is no matter.
func (p *Pi) tail(messages []record.Message) (before []record.Message, kept int) {
	for i := range messages {
		if saidBy(&messages[i]) != nothing {
			before = append(before, messages[i])
		}
	}
	kept = none
	for at := p.leaf; at != none && len(before) > 0; at = int(p.written.at(at).parent) {
		said := p.written.at(at).said
		if said == nothing {
			continue
		}
		if said != saidBy(&before[len(before)-1]) {
			break
		}
		before, kept = before[:len(before)-1], at
	}
	return before, kept
}

// saysSummary tells whether a message is all that is said of the summary.
func saysSummary(m *record.Message, c *record.Compaction) bool {
	said := textOf(m)
	if m.Role != record.RoleUser || len(m.Content) != 1 || m.Content[0].Kind != record.BlockText {
		return false
	}
	if c.Frame != nil && said == c.Frame.Say(c.Summary) {
		return true
	}
	return said == c.Summary || said == overlay.SummaryBlocks(c.Summary)[0].Text
}

// isSystem tells of the text of a system message of pi's own.
func (p *Pi) isSystem(m *record.Message) bool { return p.system != nothing && saidBy(m) == p.system }

func textOf(m *record.Message) string {
	var text strings.Builder
	for i := range m.Content {
		if !m.Content[i].Aside {
			text.WriteString(m.Content[i].Text)
		}
	}
	return text.String()
}

// Apart tells that what a compaction keeps stands on both sides of an earlier one that put other messages in its place. To be written here
// it needs what the model sees from then on as a replacement of its own.
func (p *Pi) Apart(c *record.Compaction) bool {
	if len(c.Replacement) > 0 || p.leaf == none {
		return false
	}
	replaced := int(p.written.at(p.leaf).replaced)
	return replaced != none && c.FirstKeptSeq < p.written.at(replaced).seq
}

func orNone(names []string) []string { return append([]string{}, names...) }
