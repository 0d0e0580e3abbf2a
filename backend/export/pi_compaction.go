package export

import (
	"fmt"

	"palimpsest/backend/record"
)

// compaction keeps from an entry. One that keeps what does not stand together begins a branch with what it keeps.
func (p *Pi) compaction(id string, rec *record.Record) {
	c := rec.Compaction
	if len(c.Replacement) > 0 {
		p.leaf = none
		for i := range c.Replacement {
			p.put(fmt.Sprintf("%s-%d", id, i), &c.Replacement[i])
			p.written[p.leaf].instead = true
		}
		return
	}
	kept := id // which keeps nothing
	for at := p.leaf; at != none && p.written[at].seq >= c.FirstKeptSeq && !p.written[at].instead; at = p.written[at].parent {
		kept = p.written[at].id
	}
	p.entry(id, "compaction", object{
		"summary": c.Summary, "firstKeptEntryId": kept, "tokensBefore": c.TokensBefore,
		"details": object{"readFiles": orNone(c.ReadFiles), "modifiedFiles": orNone(c.ModifiedFiles)},
	})
}

// Apart tells that what a compaction keeps stands on both sides of an earlier one that put other messages in its place. To be written here
// it needs what the model sees from then on as a replacement of its own.
func (p *Pi) Apart(c *record.Compaction) bool {
	if len(c.Replacement) > 0 {
		return false
	}
	for at := p.leaf; at != none; at = p.written[at].parent {
		if p.written[at].instead {
			return c.FirstKeptSeq < p.written[at].seq
		}
	}
	return false
}

func orNone(names []string) []string { return append([]string{}, names...) }
