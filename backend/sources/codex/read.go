package codex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
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
	id := cmp.Or(found.Row, found.ID)
	t := thread{ctx: ctx, env: env, id: id, reader: newReader(log), visiting: map[string]bool{}, lineage: map[string]bool{id: true}}
	paths, heads := slices.Clone(found.Files), make([]head, len(found.Files))
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
		paths[i], heads[i] = path, head
	}
	for i := range paths {
		if err := t.file(paths[i], i, heads); err != nil {
			return err
		}
	}
	return log.Err()
}

// thread is a reading over several files.
type thread struct {
	ctx    context.Context //nolint:containedctx // it lives as long as one call
	env    sources.Env
	id     string
	reader *reader
	// spans are the files of the thread that were read, in order, with those of the threads that it goes on from.
	spans    []span
	visiting map[string]bool
	// lineage are the thread and those that it goes on from, ends the places where its files go on from that are still to be read.
	lineage map[string]bool
	ends    []int64
	listed  []rollout
	// heads are those of files that were looked at for what they could be gone on from.
	heads map[string]head
}

// span is what a file gave: where the path stood before the lines where others go on from it.
type span struct {
	// thread is the one whose file it is.
	thread string
	first  int64
	// cuts are the ordinals of those lines, in order, as long as they are to come.
	cuts  []int64
	stood map[int64]moment
}

// reach comes to a line. What is in hand is written if another file goes on from before it, which may be between two parts of one answer.
func (s *span) reach(number int64, r *reader) {
	for len(s.cuts) > 0 && number >= s.cuts[0] {
		r.flush()
		s.stood[s.cuts[0]], s.cuts = r.at, s.cuts[1:]
	}
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
			h := headIn(meta)
			h.first, h.numbered = rec.Get("ordinal").Int(), rec.Get("ordinal").Exists()
			return h, nil
		}
	}
	return head{}, nil
}

// headIn is what a header tells.
func headIn(meta gjson.Result) head {
	return head{
		id: jsonl.Text(meta.Get("id")), base: jsonl.Text(meta.Get("history_base.thread_id")),
		end: meta.Get("history_base.end_ordinal_exclusive").Int(), at: jsonl.Time(meta.Get("timestamp")),
	}
}

// file reads one of the thread's own files.
func (t *thread) file(path string, place int, heads []head) error {
	r, h := t.reader, heads[place]
	t.ends = nil
	for _, later := range heads[place+1:] {
		t.ends = append(t.ends, later.end)
	}
	slices.Sort(t.ends)
	if place > 0 {
		r.flush()
		r.prefix = fmt.Sprintf("%d:", place)
		r.headed = false
	}
	to, known := t.lookup(h.base, h.end)
	if place > 0 {
		if !known {
			to = moment{} // a file that stands for itself, or goes on from the beginning or from another thread
		}
		r.goBack(to, sources.Meta{Time: h.at, Entry: r.prefix + "revert"})
	}
	switch {
	case known || h.base == "":
	case t.lineage[h.base]:
		if h.end > 0 || place == 0 {
			t.unavailable(h)
		}
	default:
		if err := t.inherit(h); err != nil {
			return err
		}
	}
	return t.span(path, -1, h)
}

// span reads the lines of a file whose ordinals are below end, all of them if it is negative, and notes where others go on from them.
func (t *thread) span(path string, end int64, h head) error {
	s := span{thread: t.id, first: h.first, stood: map[int64]moment{}}
	if t.reader.inherited {
		s.thread = h.id
	}
	for _, cut := range t.ends {
		if cut > h.first && (end < 0 || cut <= end) {
			s.cuts = append(s.cuts, cut)
		}
	}
	t.spans = append(t.spans, s)
	at := &t.spans[len(t.spans)-1]
	err := t.lines(path, end, h, at)
	at.reach(math.MaxInt64, t.reader)
	return err
}

// lookup is where a thread stood before an ordinal: by the newest of its files that begins before it or, if none does, by what the thread
// goes on from. What was read behind its files is of threads that go on from it, whose lines may have the same numbers.
func (t *thread) lookup(thread string, end int64) (moment, bool) {
	theirs := len(t.spans)
	for theirs > 0 && t.spans[theirs-1].thread != thread {
		theirs--
	}
	for _, s := range slices.Backward(t.spans[:theirs]) {
		if at, known := s.stood[end]; known {
			return at, true
		}
	}
	return moment{}, false
}

// lines reads the lines of a file whose ordinals are below end, all of them if it is negative. cuts may be nil.
func (t *thread) lines(path string, end int64, h head, cuts *span) error {
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
		beyond := func() bool {
			if cuts != nil {
				cuts.reach(r.number, r)
			}
			return end >= 0 && r.number >= end
		}
		if !r.numbered(line, h.first, &c, beyond) {
			return errEnough
		}
		return r.log.Err()
	})
	r.flush()
	if file.cut != nil {
		r.log.Lost(fmt.Sprintf("the rest of %s can't be unpacked: %v", filepath.Base(path), file.cut))
	}
	if err != nil && !errors.Is(err, errEnough) {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}
