package backend

import (
	"context"
	"errors"
	"strings"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/sources"
)

// relate notes which sessions were copied from which without a word, where no list can tell by the beginnings of their files: that takes
// knowing the names of all that was said.
func (c *stock) relate(ctx context.Context) error {
	if c.related.Swap(true) {
		return nil
	}
	err := c.noteCopies(ctx)
	if err != nil {
		c.related.Store(false)
	}
	return err
}

// unrelate has it looked again once a session changes that was copied, or is a copy, or is forgotten.
func (c *stock) unrelate(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.akin[id] {
		c.related.Store(false)
	}
}

func (c *stock) noteCopies(ctx context.Context) error {
	all, err := c.passing(ctx)
	if err != nil {
		return faulty(err)
	}
	from := copiedFrom(all)
	akin := map[string]bool{}
	for id, of := range from {
		akin[id], akin[of] = true, true
	}
	c.mu.Lock()
	c.akin = akin
	c.mu.Unlock()
	for id, d := range all {
		if d.From == from[id] || len(d.Parts) == 0 {
			continue
		}
		row, there, err := c.index.Session(ctx, id)
		if err != nil {
			return faulty(err)
		}
		now, err := digest.Decode(row.Digest)
		if !there || err != nil {
			continue
		}
		now.From = from[id]
		row.Digest = now.Encode()
		if err = c.index.Touch(ctx, row); errors.Is(err, index.ErrChanged) {
			continue // who changed it looks, too
		}
		if err != nil {
			return faulty(err)
		}
		c.changes(id)
		c.b.news.publish(EventChanged, id)
	}
	return nil
}

// passing are the digests, which are not held for this alone: many programs are never asked for what takes them. Where not all are held, those
// are enough that may have been copied without a word, and of these what was said.
func (c *stock) passing(ctx context.Context) (map[string]digested, error) {
	c.known.mu.Lock()
	held := c.known.all != nil
	c.known.mu.Unlock()
	if held {
		return c.b.digests(ctx)
	}
	return readDigests(ctx, c.index, func(id string) bool {
		agent, _, theirs := strings.Cut(id, ":")
		return theirs && c.copiesSame(agent)
	}, func(d *digest.Digest) {
		d.Spans, d.Apart, d.Days, d.Inherited, d.Ledger = "", "", nil, nil, nil
		d.About = digest.About{Created: d.About.Created, Updated: d.About.Updated, Parent: d.About.Parent, Relation: d.About.Relation}
	})
}

// copiedFrom are the sessions that others were copied from that say nothing of it: of those before one, the one that it has most of.
func copiedFrom(all map[string]digested) map[string]string {
	names := shared(all)
	if len(names) == 0 {
		return nil
	}
	holders := map[digest.Said][]string{}
	out := map[string]string{}
	var before []string
	for _, id := range inOrderOf(all, names) {
		d := all[id]
		if d.About.Relation == string(sources.Subagent) {
			continue
		}
		has := map[digest.Said]bool{}
		for name := range d.Said.Each {
			if names[name] {
				has[name] = true
			}
		}
		for one := range d.Copies.Each {
			if names[one.Said] {
				has[one.Said] = true
			}
		}
		alike := map[string]int{}
		for name := range has {
			for _, other := range holders[name] {
				alike[other]++
			}
			holders[name] = append(holders[name], id)
		}
		most := 0
		for _, other := range before {
			if d.About.Parent == "" && alike[other] > most {
				most, out[id] = alike[other], other
			}
		}
		before = append(before, id)
	}
	return out
}

// copiedFrom tells where a session was copied from, if nothing else does.
func (s *Session) copiedFrom(id string) {
	if id != "" && s.Parent == nil {
		s.Parent, s.Relation = known(id), known(string(sources.Fork))
	}
}

// indexed is what the index has of a session, if it has anything.
func (b *Backend) indexed(id string) (index.Session, bool) {
	x, err := b.openIndex()
	if err != nil {
		return index.Session{}, false
	}
	row, there, err := x.Session(context.Background(), id)
	return row, there && err == nil
}
