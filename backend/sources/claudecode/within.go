package claudecode

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// within is where a subagent stands in the file of its session: what [sources.Found] has of that. Copied tells that all of it was said in
// another session.
type within struct {
	from, to, rows int64
	sum            uint32
	first          uint64
	copied         bool
	// adopted and others are as a [side] has them.
	adopted, others []uint64
}

func (s *side) within(copied bool) string {
	return withNumbers(fmt.Append(nil, s.from, s.to, s.rows, s.sum, s.first, copied, len(s.adopted)), s.adopted, s.others)
}

func withinOf(line string) (w within, ok bool) {
	const all = 7
	adopted := 0
	n, _ := fmt.Sscan(line, &w.from, &w.to, &w.rows, &w.sum, &w.first, &w.copied, &adopted)
	if n != all || w.from < 0 || w.to <= w.from {
		return w, false
	}
	for i, word := range strings.Fields(line)[all:] {
		number, _ := strconv.ParseUint(word, 10, 64) // as within wrote it
		if i < adopted {
			w.adopted = append(w.adopted, number)
		} else {
			w.others = append(w.others, number)
		}
	}
	return w, true
}

// members tells which rows are the subagent's, of those where it stands, each in its turn.
type members struct {
	within
	of many.IDs
}

func (m *members) has(rec jsonl.Object, offset int64) bool {
	if !isBeside(rec) {
		return false
	}
	row := sideRowOf(rec, offset)
	if _, known := m.of.Get(keyOf(row.number)); known {
		return true
	}
	is := row.number == m.first && offset == m.from || slices.Contains(m.adopted, row.number)
	if !is && row.after != "" {
		_, is = m.of.Get(keyOf(numberOf(row.after)))
		is = is && !slices.Contains(m.others, row.number)
	}
	if is {
		m.of.Put(keyOf(row.number), 0)
	}
	return is
}

// errMoved says that a subagent is not where it was found: its file was written anew.
var errMoved = fmt.Errorf("it is not where it was found: %w", sources.ErrGone)

// stretch is the part of a file that has a subagent.
type stretch struct {
	within
	file *jsonl.File
}

// openStretch opens it; whoever does closes its file.
func openStretch(found *sources.Found) (s stretch, err error) {
	var ok bool
	if s.within, ok = withinOf(found.Within); !ok {
		return s, errMoved
	}
	if s.file, err = jsonl.OpenSession(*found); err != nil {
		return s, err
	}
	if s.file.Size < s.to {
		return s, errors.Join(errMoved, s.file.Close())
	}
	s.file.Size = s.to // what stands behind that is of others
	return s, nil
}

// only has rows visited that are the subagent's.
func (s *stretch) only(visit func(sources.Line, gjson.Result) error) func(sources.Line, gjson.Result) error {
	m := members{within: s.within}
	return func(line sources.Line, object gjson.Result) error {
		if m.has(object, line.Offset) {
			return visit(line, object)
		}
		if line.Offset == s.from {
			return errMoved
		}
		return nil
	}
}

// readWithin reads a subagent in the file of its session.
func readWithin(ctx context.Context, found *sources.Found, log *sources.Log) error {
	s, err := openStretch(found)
	if err != nil {
		return err
	}
	defer s.file.Close()
	r := newReader(fileName(s.file.Path), true)
	r.file, r.log, r.inline, r.inherits = s.file, log, true, s.copied
	tail, twice := jsonl.Tail{Path: s.file.Path, At: s.from}, jsonl.Twice{}
	if err := tail.First(ctx, s.file, &twice, s.only(r.index.line)); err != nil {
		return err
	}
	if _, _, err := tail.Second(ctx, s.file, &twice, nil, s.only(r.line)); err != nil {
		return err
	}
	r.last()
	return log.Err()
}

var _ sources.Excerpter = Source{}

// Excerpt writes the rows of a subagent in the file of its session to a file of its own.
func (Source) Excerpt(ctx context.Context, _ sources.Env, found sources.Found, to string) (as string, err error) {
	if found.Within == "" {
		return "", nil
	}
	s, err := openStretch(&found)
	if err != nil {
		return "", err
	}
	defer s.file.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(out)
	tail := jsonl.Tail{Path: s.file.Path, At: s.from}
	_, _, err = tail.Each(ctx, s.file, nil, s.only(func(_ sources.Line, object gjson.Result) error {
		_, _ = w.WriteString(object.Raw + "\n") // Flush says what is wrong
		return nil
	}))
	return filepath.Join(filepath.Dir(s.file.Path), found.Row+".jsonl"), errors.Join(err, w.Flush(), out.Close())
}
