package opencode

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/keep"
	"palimpsest/backend/many"
	"palimpsest/backend/sources"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it, for a session in a database that notes all that is written: what is read on then is the messages of
// the last turn, and those behind. What is written to one before that, has all read anew.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if len(found.Files) == 0 || found.Problem != "" || !inDatabase(&found) {
		return nil, s.Read(ctx, env, found, log)
	}
	f := &following{source: s, env: env, reader: newReader(log, nil)}
	follows := false
	err := s.within(ctx, env, found, func(in *inside) error {
		if follows = f.begins(ctx, in); !follows {
			return in.read(ctx, log)
		}
		err := f.on(ctx, in, log)
		if follows = err == nil; err != nil && ctx.Err() == nil && log.Next() == 1 && log.Damaged() == 0 { // nothing was written yet
			return in.read(ctx, log)
		}
		return err
	})
	if err != nil || !follows || log.Damaged() > 0 {
		return nil, err
	}
	return f, nil
}

// Resume is as [sources.Follower] has it: no reading of rows is kept.
func (Source) Resume(context.Context, sources.Env, sources.Found, *keep.State) (sources.Reading, error) {
	return nil, sources.ErrAnew
}

// following is a reading that can go on: what is known at the first message that may still be written to.
type following struct {
	*reader
	source Source
	env    sources.Env
	order  many.Texts
	// stood are how many messages stand, and from when the first one is that does not; parts how many parts those have.
	stood, parts int
	from         int64
	last         event
	seq          int64
	past         *sources.Past
	again        []byte
}

// openMost is how many of the last messages may be read again.
const openMost = 64

// begins tells whether a session can be followed, and notes its last event.
func (f *following) begins(ctx context.Context, in *inside) (ok bool) {
	if in.lost != nil || in.bare != nil && !errors.Is(in.bare, fs.ErrNotExist) || in.from.db.Cut != nil || len(in.session.overlong) > 0 {
		return false
	}
	if f.last, ok = in.from.lastEvent(ctx); !ok {
		return false
	}
	_, inFiles := in.from.unmoved(ctx, in.tree, in.from.id)
	return !inFiles && !in.from.none(ctx, "message", in.from.id)
}

// on reads from the messages on that may have changed.
func (f *following) on(ctx context.Context, in *inside, log *sources.Log) error {
	log.GoOn(f.past)
	f.log, f.tree = log, in.tree
	f.rendered = func(all []span) []sources.Message { return f.render(ctx, in.from, &f.order, all) }
	if err := f.lay(ctx, in.from); err != nil {
		return err
	}
	to, err := f.settled(ctx, in.from)
	if err != nil {
		return err
	}
	if err := f.these(ctx, in.from, f.stood, to); err != nil {
		return err
	}
	stands, newest, marked, tails := f.reader.clone(), f.marks.newest, f.marks.marked, f.marks.tails.Len()
	f.stood, f.seq, f.past = to, log.Next()-1, log.Past()
	f.again = log.Lines(func() {
		if err = f.these(ctx, in.from, to, f.order.Len()); err == nil {
			err = f.ending(ctx, in.from, in.session)
		}
	})
	f.reader = stands
	f.marks.newest, f.marks.marked = newest, marked
	f.marks.tails.Cut(tails)
	f.log, f.tree, f.rendered = nil, nil, nil
	return errors.Join(err, log.Err())
}

// lay finds which messages there are from the first one on that may have changed.
func (f *following) lay(ctx context.Context, from *tables) error {
	finishes := f.marks.finishes
	if f.stood == 0 {
		f.marks, f.order, f.first = &course{}, many.Texts{}, &many.IDs{}
		finishes = false
		if err := from.rows(ctx, func(m row) error { f.add(&f.order, m); return nil }, "SELECT id, "+data+" FROM message WHERE session_id = ? ORDER BY "+from.order, from.id); err != nil {
			return err
		}
	} else {
		first := f.order.At(f.stood)
		f.back()
		if err := from.behind(ctx, f.from, first, func(m row) error { f.add(&f.order, m); return nil }); err != nil {
			return err
		}
	}
	if f.order.Len() <= f.stood || !from.notes(ctx, f.order.At(f.order.Len()-1)) || !f.marks.put(&f.order, f.stood) || f.stood > 0 && f.marks.finishes != finishes {
		return sources.ErrAnew
	}
	return nil
}

// back forgets the messages that may have changed.
func (f *following) back() {
	for i := f.stood; i < f.order.Len(); i++ {
		id := f.order.At(i)
		f.first.Put(id, 0)
		f.marks.places.Put(id, -1)
	}
	f.order.Cut(f.stood)
	f.marks.back(f.stood)
}

// settled is the message from which on the next reading reads again: the last that a person's turn begins with, as a rule. It notes what is counted of those
// before it, and compares that with what it was.
func (f *following) settled(ctx context.Context, from *tables) (to int, err error) {
	to = max(f.stood, f.order.Len()-openMost)
	for i := f.order.Len() - 1; i > to; i-- {
		m, err := from.message(ctx, f.order.At(i))
		if err != nil {
			return 0, err
		}
		if gjson.GetBytes(m.data, "role").Str == "user" {
			to = i
			break
		}
	}
	if f.stood > 0 {
		_, parts, err := from.count(ctx, f.ids(f.stood))
		if err == nil && parts != f.parts {
			err = sources.ErrAnew // something came to those that stand, or went
		}
		if err != nil {
			return 0, err
		}
	}
	messages := 0
	if messages, f.parts, err = from.count(ctx, f.ids(to)); err == nil && messages != f.order.Len() {
		err = sources.ErrAnew
	}
	if err != nil {
		return 0, err
	}
	at, ok := from.created(ctx, f.order.At(to))
	if f.from = at; !ok {
		return 0, sources.ErrAnew
	}
	return to, nil
}

// ids are those of the messages from a place on.
func (f *following) ids(from int) (all []string) {
	for i := from; i < f.order.Len(); i++ {
		all = append(all, f.order.At(i))
	}
	return all
}

// these reads messages.
func (f *following) these(ctx context.Context, from store, first, behind int) error {
	for i := first; i < behind; i++ {
		if err := f.one(ctx, from, f.order.At(i), false); err != nil {
			return err
		}
	}
	return nil
}

// More is as [sources.Reading] has it, and so are the others.
func (f *following) More(ctx context.Context, found sources.Found, log *sources.Log) error {
	return f.source.within(ctx, f.env, found, func(in *inside) error {
		last := f.last
		if !f.begins(ctx, in) {
			return sources.ErrAnew
		}
		var err error
		fresh := map[string]bool{}
		f.last, err = in.from.since(ctx, last, func(message string) error {
			at := f.marks.place(message)
			if at >= 0 && at < f.stood {
				return sources.ErrAnew
			}
			fresh[message] = at < 0
			return nil
		})
		if err != nil {
			return err
		}
		for message, is := range fresh {
			if is && f.precedes(ctx, in.from, message) {
				return sources.ErrAnew
			}
		}
		if err = f.on(ctx, in, log); err == nil && log.Damaged() > 0 {
			return sources.ErrAnew
		}
		return err
	})
}

// precedes tells whether a message that nobody knew stands among those that are not read again. The number of these does not tell that: somebody
// else may have taken one away.
func (f *following) precedes(ctx context.Context, from *tables, message string) bool {
	at, ok := from.created(ctx, message)
	return ok && (at < f.from || at == f.from && message < f.order.At(f.stood))
}

// Place is none: it is not a file that is read on.
func (f *following) Place() int64 { return 0 }

// Seq is that of the last record that stands.
func (f *following) Seq() int64 { return f.seq }

// Again is what was written behind it.
func (f *following) Again() []byte { return f.again }

// Keep fails: see [Source.Resume].
func (f *following) Keep(s *keep.State) { s.Fail(errors.New("a reading of rows is not kept")) }

// clone is a reader that goes on from here, whatever this one reads.
func (r *reader) clone() *reader {
	other := *r
	other.cleared, other.pruned, other.sent = slices.Clone(r.cleared), slices.Clone(r.pruned), slices.Clone(r.sent)
	return &other
}
