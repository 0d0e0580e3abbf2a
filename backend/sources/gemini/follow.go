package gemini

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/keep"
	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it, for a file of lines. The last answer may be written again, with its calls: it is read once more with
// what follows. Where something says otherwise of anything before it, all is read anew.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if len(found.Files) == 0 {
		return nil, sources.ErrGone
	}
	r := newReader(log, cmp.Or(found.Row, found.ID))
	if _, is := savedName(s.Roots(env)[0], found.Files[0]); is {
		r.copied = found.Parent != ""
		return nil, r.savedAt(found)
	}
	return jsonl.Follow(ctx, found.Files[0], log, r.steps(found.Files[0]))
}

// Resume is as [sources.Follower] has it.
func (s Source) Resume(_ context.Context, env sources.Env, found sources.Found, kept *keep.State) (sources.Reading, error) {
	if len(found.Files) == 0 {
		return nil, sources.ErrGone
	}
	if _, is := savedName(s.Roots(env)[0], found.Files[0]); is {
		return nil, sources.ErrAnew
	}
	return jsonl.Resume(found.Files[0], kept, newReader(nil, cmp.Or(found.Row, found.ID)).steps(found.Files[0]))
}

func (r *reader) steps(path string) jsonl.Steps {
	on := func(ctx context.Context, file *jsonl.File, tail *jsonl.Tail, log *sources.Log) (next jsonl.Tail, ok bool, err error) {
		r.log, r.file = log, file
		if err = r.openSpilled(path, tail.At > 0); err == nil {
			next, ok, err = r.on(ctx, file, tail)
		}
		if err != nil {
			r.close()
			return next, false, fmt.Errorf("reading %s: %w", path, err)
		}
		return next, ok, nil
	}
	return jsonl.Steps{On: on, End: r.end, State: r}
}

// openSpilled opens the folder with whole outputs, which need not be there.
func (r *reader) openSpilled(path string, goesOn bool) error {
	tree, err := glean.OpenTree(filepath.Join(projectOf(path), "tool-outputs"))
	switch {
	case err == nil:
		r.spilled = tree
	case goesOn && !errors.Is(err, fs.ErrNotExist):
		return sources.ErrAnew // which says so at the beginning
	default:
		r.log.Unread("the folder with whole outputs", err)
	}
	return nil
}

func (r *reader) close() {
	if r.spilled != nil {
		_ = r.spilled.Close() // opened for reading
	}
	r.log, r.file, r.spilled, r.held = nil, nil, nil, nil
}

// heldMost is how much is read again at most for an answer that may be written again.
const heldMost = 4 << 20

// heldLine is a line that was read already, nothing in it if nobody can read it.
type heldLine struct {
	sources.Line
	rec gjson.Result
}

// on reads lines in two passes: the first finds how each message is written last. Those from the answer on that may be written again are held
// for the end.
func (r *reader) on(ctx context.Context, file *jsonl.File, tail *jsonl.Tail) (next jsonl.Tail, ok bool, err error) {
	if oneObject(file.Path, file) {
		if tail.At > 0 {
			return next, false, sources.ErrAnew
		}
		return *tail, false, r.object(file)
	}
	w := &r.written
	w.begins(tail.At)
	w.says = r.list.says
	var twice jsonl.Twice
	err = tail.First(ctx, file, &twice, func(line sources.Line, rec gjson.Result) error {
		w.line(line, rec)
		return nil
	})
	if err == nil && w.anew {
		err = sources.ErrAnew
	}
	if err != nil {
		return next, false, err
	}
	if w.open.at >= 0 && file.Size-w.open.offset > heldMost {
		w.open = closed
	}
	r.now.kept = w.patched
	var from *jsonl.Tail
	held := func(line sources.Line, rec gjson.Result, text []byte) bool {
		if w.open.at < 0 || line.Offset < w.open.offset {
			return false
		}
		if from == nil {
			from = &jsonl.Tail{Path: tail.Path, At: line.Offset, Lines: line.Number - 1}
		}
		line.Text = text
		r.held = append(r.held, heldLine{line, rec})
		return true
	}
	next, ok, err = tail.Second(ctx, file, &twice, func(line sources.Line) {
		if !held(line, gjson.Result{}, slices.Clone(line.Text)) {
			jsonl.Broken(r.log)(line)
		}
	}, func(line sources.Line, rec gjson.Result) error {
		if held(line, rec, nil) {
			return nil
		}
		return r.line(line, rec)
	})
	if from != nil {
		next = *from
	}
	return next, ok && !r.now.untold && r.masks.owed.Len() == 0, err
}

// end is as [jsonl.Steps] has it: the answer that may be written again.
func (r *reader) end(log *sources.Log) {
	back := r.try()
	for _, line := range r.held {
		if !line.rec.Exists() {
			jsonl.Broken(log)(line.Line)
		} else if err := r.line(line.Line, line.rec); err != nil {
			break // the log has it
		}
	}
	r.tell(true)
	r.maskOwed()
	r.written.ends()
	back()
	r.close()
}

// try has what follows be taken back: messages at the end, and what they say.
func (r *reader) try() (back func()) {
	answers := []*many.IDs{&r.answered, &r.outputs, &r.masks.results}
	for _, ids := range answers {
		ids.Try()
	}
	before, items, now, texts := *r, r.list.items.all.Len(), r.now.list.all.Len(), r.now.texts.Len()
	return func() {
		for _, ids := range answers {
			ids.Back()
		}
		r.list.items.keep(items)
		r.now.list.cut(now)
		r.now.texts.Cut(texts)
		r.now.bytes, r.now.steady, r.now.untold = before.now.bytes, before.now.steady, before.now.untold
		r.list.changes, r.spare, r.short, r.lastTime = before.list.changes, before.spare, before.short, before.lastTime
	}
}

// says tells whether the message with an id says what another one does.
func (l *list) says(id string, m gjson.Result) bool {
	at := l.items.find(id)
	return at >= 0 && l.items.all.At(at).words == wording(m)
}
