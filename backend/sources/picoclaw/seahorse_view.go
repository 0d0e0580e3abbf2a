package picoclaw

import (
	"fmt"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// remembered writes a line of the file as a message that the database has, behind those that only it has; or else off the path.
func (r *reader) remembered(line gjson.Result) error {
	at := -1
	if line := r.recall.line; line < r.recall.lines.Len() {
		at, r.recall.line = int(r.recall.lines.At(line)), line+1
	}
	if at < 0 {
		return r.aside(line)
	}
	if err := r.catchUp(at); err != nil {
		return err
	}
	return r.stand(line)
}

// catchUp writes what the database has from where the reading is up to a message: messages, and the summaries made before it.
func (r *reader) catchUp(to int) error {
	for r.recall.next < to {
		if err := r.summarize(); err != nil {
			return err
		}
		only, err := r.recall.message(r.recall.next)
		if err != nil {
			return err
		}
		if err := r.stand(only); err != nil {
			return err
		}
	}
	return r.summarize()
}

// stand writes the message that the reading has come to.
func (r *reader) stand(line gjson.Result) error {
	at := r.recall.next
	m := r.recall.messages.At(at)
	r.recall.next++
	if !m.seen && int(m.by) == len(r.recall.summaries) { // it is gone from the context without a summary
		return r.aside(line)
	}
	m.seq = r.log.Next()
	r.recall.messages.Set(at, m)
	r.recall.written(&m)
	return r.write(line)
}

// aside writes a message that the model does not see.
func (r *reader) aside(line gjson.Result) error {
	from := r.log.Next() - 1
	if err := r.write(line); err != nil {
		return err
	}
	r.log.Branch(sources.Branch{Meta: sources.Meta{Entry: fmt.Sprintf("aside/%d", from)}, From: from})
	return r.log.Err()
}

// summarize writes the summaries that were made before the message that the reading has come to.
func (r *reader) summarize() error {
	for ; r.recall.made < len(r.recall.summaries) && r.recall.summaries[r.recall.made].place <= r.recall.next; r.recall.made++ {
		if err := r.stood(r.recall.made); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) stood(k int) error {
	s := &r.recall.summaries[k]
	c := sources.Compaction{
		Meta: sources.Meta{Time: s.at, Entry: s.id}, Summary: s.text, Frame: r.recall.frame(k), Trigger: "unknown", Model: s.model,
		TokensBefore: s.replaced,
	}
	if s.tokens > 0 {
		c.TokensAfter = &s.tokens
	}
	first, whole := r.recall.staysBehind(k)
	if first < r.recall.next {
		c.FirstKept = r.recall.messages.At(first).seq
	}
	if !whole {
		c.Replacement = []sources.Message{{Role: record.RoleUser, Content: []sources.Block{r.log.Text(c.Frame.Say(c.Summary))}}}
		for i := first; i < r.recall.next; i++ {
			stays := r.recall.messages.At(i)
			if stays.seq == 0 || int(stays.by) <= k {
				continue
			}
			line, err := r.recall.message(i)
			if err != nil {
				return err
			}
			if m, is := r.said(line); is {
				c.Replacement, c.Kept = append(c.Replacement, m), append(c.Kept, stays.seq)
			}
		}
	}
	r.log.Compaction(c)
	return r.log.Err()
}

// stays is what is counted to tell which messages stay when a summary is made: first is the first one that does, with so many written ones
// before it, and gone are those written ones for which a summary stands that was made.
type stays struct{ first, before, gone int }

// written counts a message that was.
func (r *recall) written(m *stored) {
	switch by := int(m.by); {
	case by < r.made:
		r.stays.gone++
	case by < len(r.summaries):
		r.summaries[by].covers++
	}
}

// staysBehind is the first message that stays once a summary is made, behind all that are written if there is none, and whether all that are
// written from there on stay.
func (r *recall) staysBehind(k int) (first int, whole bool) {
	s := &r.stays
	s.gone += r.summaries[k].covers
	for ; s.first < r.next; s.first++ {
		m := r.messages.At(s.first)
		if m.seq != 0 && int(m.by) > k {
			break
		}
		if m.seq != 0 {
			s.before++
		}
	}
	return s.first, s.first == r.next || s.gone == s.before
}
