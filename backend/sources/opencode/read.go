package opencode

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/wellformed"
)

// store is where the messages of one session are.
type store interface {
	messages(ctx context.Context, visit func(row) error) error
	message(ctx context.Context, id string) (row, error)
	parts(ctx context.Context, message string, visit func(row) error) error
}

// reader is the reading of one session.
type reader struct {
	log  *sources.Log
	tree *glean.Tree // opencode's data, for spilled output; nil if it is not there
	// first is the seq of the first record of each message.
	first *many.IDs
	marks *course
	// cleared are the results whose output is cleared later, by when that was; pruned those that are.
	cleared, pruned []cleared
	// size is how large the context was when a model last said so.
	size int64
	// sent are the messages that opencode sends, as far as was settled, and settled is where the first one stands behind those.
	sent    []span
	settled int
	// kept, if not nil, takes what is said: the messages are read once more for it. Held is how much text that is.
	kept *[]sources.Message
	held int
	// left is how much may still be read once more, and owed where the log has not what is sent from there on, for want of that: its entry is
	// empty if there is no such place.
	left int
	owed sources.Meta
	// rendered reads messages once more, as the model gets them.
	rendered func(all []span) []sources.Message
}

type cleared struct {
	at     float64
	seq    int64
	tokens int64
}

// read reads a session in two passes: the first finds which compactions came to an end, the second writes.
func read(ctx context.Context, from store, s session, tree *glean.Tree, log *sources.Log) error {
	return newReader(log, tree).read(ctx, from, s)
}

func newReader(log *sources.Log, tree *glean.Tree) *reader {
	return &reader{log: log, tree: tree, first: &many.IDs{}, marks: &course{}, left: againMost}
}

func (r *reader) read(ctx context.Context, from store, s session) error {
	log, tree := r.log, r.tree
	for _, o := range s.overlong {
		log.Overlong(s.id, o.column, o.bytes)
	}
	order, lost := r.outline(ctx, from)
	if t, is := from.(*tables); is && lost != nil {
		order = t.withStrays(ctx, order)
	}
	if lost != nil && (order.Len() == 0 || ctx.Err() != nil) {
		return lost
	}
	if t, is := from.(*tables); is && order.Len() == 0 {
		return t.unknown(ctx, log, tree)
	}
	r.marks.put(order, 0)
	r.rendered = func(all []span) []sources.Message { return r.render(ctx, from, order, all) }
	for i := range order.Len() {
		if err := r.one(ctx, from, order.At(i), lost != nil); err != nil {
			return err
		}
	}
	return errors.Join(lost, r.ending(ctx, from, s))
}

// one reads the message with an id. Of those of which some are lost, there may be parts alone.
func (r *reader) one(ctx context.Context, from store, id string, strays bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m, err := from.message(ctx, id)
	if m.id == "" && strays {
		err = cmp.Or(err, errStray)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		m = row{id: id, err: err} // it costs none of the others
	}
	if m.id == "" {
		return nil // went since
	}
	if err := r.message(ctx, from, m, nil); err != nil {
		return err
	}
	return r.log.Err()
}

// ending tells what is so at the end.
func (r *reader) ending(ctx context.Context, from store, s session) error {
	r.prune(math.Inf(1))
	r.repay()
	return r.revert(ctx, from, s)
}

// outline is the order of the messages. It notes which compactions are done.
func (r *reader) outline(ctx context.Context, from store) (order *many.Texts, err error) {
	order = &many.Texts{}
	err = from.messages(ctx, func(m row) error { r.add(order, m); return nil })
	return order, err
}

// add puts a message behind those that are known.
func (r *reader) add(order *many.Texts, m row) {
	if at, again := r.marks.places.Get(m.id); again && at >= 0 {
		return // of a table that has no key
	}
	r.marks.places.Put(m.id, order.Len())
	order.Add(m.id)
	r.marks.look(m)
}

// firstOf is the seq of the first record of a message; not ok if it was not written.
func (r *reader) firstOf(id string) (seq int64, ok bool) {
	first, _ := r.first.Get(id)
	return int64(first), first > 0
}

// message writes one message, or only those of its parts that keep lets through.
func (r *reader) message(ctx context.Context, from store, m row, keep func(part string) bool) error {
	if !wellformed.JSON(m.data) {
		missing(r.log, m, "message")
		return r.stray(ctx, from, m.id, keep)
	}
	info := gjson.Parse(string(m.data)) // the row is gone when its parts are read
	r.prune(info.Get("time.created").Num)
	w := &message{reader: r, id: m.id, info: info, at: jsonl.Time(info.Get("time.created"))}
	if _, again := r.firstOf(m.id); again {
		w.again = "/again"
	} else {
		r.first.Put(m.id, int(r.log.Next()))
	}
	if w.at.IsZero() {
		w.at = jsonl.Time(info.Get("metadata.time.created"))
	}
	add := w.adder()
	for _, part := range inline(info) {
		if keep == nil || keep(part.id) {
			add(part.id, gjson.ParseBytes(part.data))
		}
	}
	err := from.parts(ctx, m.id, func(part row) error {
		switch {
		case keep != nil && !keep(part.id):
		case !wellformed.JSON(part.data):
			missing(r.log, part, "part")
		default:
			add(part.id, gjson.ParseBytes(part.data))
		}
		return r.log.Err()
	})
	w.end()
	if keep == nil {
		r.settle(w)
	}
	return r.partly(ctx, m.id, err)
}

// missing tells of what there is and is not read.
func missing(log *sources.Log, m row, what string) {
	switch {
	case len(m.data) > 0:
		log.Broken(m.data)
	case m.err != nil:
		log.Unread("the "+what+" "+m.id, m.err)
	case m.bytes == 0:
		log.Lost("the " + what + " " + m.id + " is empty")
	default:
		log.Overlong(m.id, what, m.bytes)
	}
}

// prune writes what was cleared by then, since the last message.
func (r *reader) prune(until float64) {
	slices.SortStableFunc(r.cleared, func(a, b cleared) int { return cmp.Compare(a.at, b.at) })
	var p sources.Prune
	for len(r.cleared) > 0 && r.cleared[0].at <= until {
		p.Time = time.UnixMilli(int64(r.cleared[0].at)).UTC()
		p.Seqs, p.TokensFreed = append(p.Seqs, r.cleared[0].seq), p.TokensFreed+r.cleared[0].tokens
		p.Texts = append(p.Texts, glean.Cleared)
		r.pruned, r.cleared = append(r.pruned, r.cleared[0]), r.cleared[1:]
	}
	slices.Sort(p.Seqs)
	r.log.Prune(p)
}

// clearedAgain is what was cleared after a time, of results before a record: it stays cleared when a revert leaves out where that was written.
func (r *reader) clearedAgain(before int64, after float64) {
	r.cleared = slices.DeleteFunc(slices.Clone(r.pruned), func(c cleared) bool { return c.seq >= before || c.at <= after })
}

// revert goes back to where the user went back to. The next prompt would delete what comes after; in versions to 1.1 also what is before that
// in the same message.
func (r *reader) revert(ctx context.Context, from store, s session) error {
	revert := s.revert
	id := revert.Get("messageID").Str
	first, is := r.firstOf(id)
	if !is {
		return nil
	}
	more := map[string]json.RawMessage{}
	if part := revert.Get("partID").Str; part != "" {
		more["partID"] = glean.Quote(part)
	}
	r.log.Branch(sources.Branch{Meta: sources.Meta{Entry: id + "/revert", More: more}, From: first - 1})
	m, err := from.message(ctx, id)
	if err != nil || m.id == "" {
		return err
	}
	r.clearedAgain(first, gjson.GetBytes(m.data, "time.created").Num)
	if part := revert.Get("partID").Str; part != "" && !s.inFile {
		err = r.message(ctx, from, m, func(id string) bool { return id < part })
	}
	r.prune(math.Inf(1))
	return err
}
