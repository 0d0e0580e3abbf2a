package export

import "palimpsest/backend/record"

// compaction keeps from an entry. One that keeps what does not stand together begins a branch with what it keeps.
func (p *Pi) compaction(rec *record.Record) {
	c := rec.Compaction
	if len(c.Replacement) > 0 {
		p.leaf = none
		for i := range c.Replacement {
			if !anySent(&c.Replacement[i]) {
				continue
			}
			p.put(part(i), &c.Replacement[i])
			p.written.replace(p.leaf)
		}
		return
	}
	kept := idOf(rec.Seq, wholePart) // which keeps nothing
	for at := p.leaf; at != none; {
		entry := p.written.at(at)
		if entry.seq < c.FirstKeptSeq || int(entry.replaced) == at {
			break
		}
		kept, at = idOf(entry.seq, entry.part), int(entry.parent)
	}
	p.entry(wholePart, "compaction", object{
		"summary": c.Summary, "firstKeptEntryId": kept, "tokensBefore": c.TokensBefore,
		"details": object{"readFiles": orNone(c.ReadFiles), "modifiedFiles": orNone(c.ModifiedFiles)},
	})
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
