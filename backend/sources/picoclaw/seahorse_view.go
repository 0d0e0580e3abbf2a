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
	if lines := r.recall.lines; len(lines) > 0 {
		at, r.recall.lines = lines[0], lines[1:]
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
	m := &r.recall.messages[r.recall.next]
	r.recall.next++
	if !m.seen && m.by == len(r.recall.summaries) { // it is gone from the context without a summary
		return r.aside(line)
	}
	m.seq = r.log.Next()
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
	var stay []int
	whole := true // whether what stays is all that there is from its first message on
	for i := range r.recall.messages[:r.recall.next] {
		m := &r.recall.messages[i]
		switch {
		case m.seq == 0:
		case m.by > k:
			stay = append(stay, i)
		case len(stay) > 0:
			whole = false
		}
	}
	if len(stay) > 0 {
		c.FirstKept = r.recall.messages[stay[0]].seq
	}
	if !whole {
		c.Replacement = []sources.Message{{Role: record.RoleUser, Content: []sources.Block{r.log.Text(c.Frame.Say(c.Summary))}}}
		for _, i := range stay {
			line, err := r.recall.message(i)
			if err != nil {
				return err
			}
			if m, is := r.said(line); is {
				c.Replacement, c.Kept = append(c.Replacement, m), append(c.Kept, r.recall.messages[i].seq)
			}
		}
	}
	r.log.Compaction(c)
	return r.log.Err()
}
