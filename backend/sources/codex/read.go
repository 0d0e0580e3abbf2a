package codex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/wellformed"
)

// Read reads a thread: what it was forked from, and its files, of which each further one begins where the thread was taken back to.
func (Source) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	if len(found.Files) == 0 {
		return sources.ErrGone
	}
	t := thread{ctx: ctx, env: env, reader: newReader(log), visiting: map[string]bool{}}
	id := cmp.Or(found.Row, found.ID)
	for i, path := range found.Files {
		head, err := headOf(path)
		if errors.Is(err, fs.ErrNotExist) {
			if path, err = t.moved(path, found); err == nil {
				head, err = headOf(path)
			}
		}
		if err != nil {
			return err
		}
		if i == 0 && head.id != "" && head.id != id {
			return fmt.Errorf("the file is of another session by now: %w", sources.ErrGone)
		}
		if err := t.file(path, head, i, i == len(found.Files)-1); err != nil {
			return err
		}
	}
	return log.Err()
}

// thread is a reading over several files.
type thread struct {
	ctx    context.Context //nolint:containedctx // it lives as long as one call
	env    sources.Env
	reader *reader
	// spans are the files of the thread that were read, in order.
	spans    []span
	visiting map[string]bool
	listed   []rollout
}

// span is what a file gave: where the path stood behind each of its lines.
type span struct {
	first int64
	marks []mark
}

// mark is where the path stood behind a line; behind what was in hand then, once that is written.
type mark struct {
	number int64
	at     *node
	hand   *hand
}

func (m mark) node() *node {
	if m.hand != nil && m.hand.at != nil {
		return m.hand.at
	}
	return m.at
}

// head is what the first line of a file tells.
type head struct {
	id, base string
	// first is the ordinal of the first line, end the one that what it is based on ends before.
	first, end int64
	at         time.Time
	// numbered tells that its lines have ordinals, as those of later versions do.
	numbered bool
}

func headOf(path string) (head, error) {
	file, err := open(path)
	if err != nil {
		return head{}, err
	}
	defer file.Close()
	for line := range jsonl.Forward(file) {
		if rec := gjson.ParseBytes(line); rec.IsObject() && wellformed.JSON(line) {
			meta := rec.Get("payload")
			switch kind := rec.Get("type").Str; {
			case kind != "" && kind != "session_meta": // the header is not there, or damaged: the file's name says whose it is
				return head{first: rec.Get("ordinal").Int(), numbered: rec.Get("ordinal").Exists()}, nil
			case !meta.IsObject():
				meta = rec
			}
			return head{
				id: jsonl.Text(meta.Get("id")), base: jsonl.Text(meta.Get("history_base.thread_id")), first: rec.Get("ordinal").Int(),
				end: meta.Get("history_base.end_ordinal_exclusive").Int(), at: jsonl.Time(meta.Get("timestamp")),
				numbered: rec.Get("ordinal").Exists(),
			}, nil
		}
	}
	return head{}, nil
}

// file reads one of the thread's own files. Where the path stood behind its lines matters only if another file goes on from there.
func (t *thread) file(path string, h head, place int, last bool) error {
	r := t.reader
	switch {
	case place > 0:
		r.flush()
		r.prefix = fmt.Sprintf("%d:", place)
		r.headed = false
		to, known := t.lookup(h.end)
		if h.base != h.id || !known {
			to = nil // a file that stands for itself
		}
		r.goBack(to, sources.Meta{Time: h.at, Entry: r.prefix + "revert"})
	case h.base != "" && h.base != h.id:
		if err := t.inherit(h); err != nil {
			return err
		}
	}
	span := span{first: h.first}
	if last {
		return t.lines(path, -1, h, nil)
	}
	err := t.lines(path, -1, h, func() { span.marks = append(span.marks, mark{r.number, r.at, r.hand}) })
	t.spans = append(t.spans, span)
	return err
}

// lookup is where the thread stood before an ordinal, by the newest file that begins before it.
func (t *thread) lookup(end int64) (*node, bool) {
	for _, s := range slices.Backward(t.spans) {
		if s.first >= end {
			continue
		}
		at, found := slices.BinarySearchFunc(s.marks, end, func(m mark, end int64) int { return cmp.Compare(m.number, end) })
		if at > 0 || found {
			return s.marks[max(at-1, 0)].node(), true
		}
	}
	return nil, false
}

// lines reads the lines of a file whose ordinals are below end, all of them if it is negative.
func (t *thread) lines(path string, end int64, h head, mark func()) error {
	file, err := open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r := t.reader
	errEnough := errors.New("enough")
	c := copies{thread: h.id, born: h.at}
	r.lines = -1
	err = jsonl.Each(t.ctx, file, func(line sources.Line) {
		r.lines++
		r.flush()
		jsonl.Broken(r.log)(line)
	}, func(_ sources.Line, line gjson.Result) error {
		if !r.numbered(line, h.first, &c, func() bool { return end >= 0 && r.number >= end }) {
			return errEnough
		}
		if mark != nil {
			mark()
		}
		return r.log.Err()
	})
	r.flush()
	if file.cut != nil {
		r.log.Broken(fmt.Appendf(nil, "[the rest of %s can't be unpacked: %v]", filepath.Base(path), file.cut))
	}
	if err != nil && !errors.Is(err, errEnough) {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}
