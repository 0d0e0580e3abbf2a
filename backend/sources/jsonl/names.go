package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"palimpsest/backend/edge"
	"palimpsest/backend/sources"
)

// Names are what sessions are called by lines that may stand anywhere in their files. A cheap read sees both ends of a file only, so the whole
// of a long one is looked through later, once, and then what is appended to it.
type Names struct {
	Agent string
	// Kinds are how many kinds of names there are, of which the last given counts, and Words are such that one of them stands in each line with a name.
	Kinds int
	Words []string
	// Of reads such a line; not ok if it gives none. An empty name takes away those of its kind before it.
	Of func(line []byte) (kind int, name string, ok bool)
	// Along is what else is looked for on the way, in the file of this name, nil for nothing: what is known of it goes on from what it noted before,
	// nothing at the beginning.
	Along func(name string, notes []string) Along
}

// Along goes along with a look through a file.
type Along interface {
	// Line takes the next line. It is false where that can't be done with what was noted before: then the file is looked through from its beginning.
	Line(line sources.Line) bool
	// Notes are what is known then.
	Notes() []string
}

// given is what stands in front of a name in what is remembered: without, none was given.
const given = "="

// appendedMost is how much of a file is looked through while a list waits: that takes a millisecond.
const appendedMost = 1 << 20

// In are the last names of each kind in the file of a session, nil where none was given. They are not known of a file of which both ends are all,
// and of one that nobody has looked through yet.
func (n *Names) In(ctx context.Context, env sources.Env, told *sources.Told) (names []*string, known bool) {
	names, _, known = n.With(ctx, env, told)
	return names, known
}

// With is [Names.In] with the notes of what went along.
func (n *Names) With(ctx context.Context, env sources.Env, told *sources.Told) (names []*string, along []string, known bool) {
	f := &told.Found
	if f.Bytes <= 2*Edge || f.Problem != "" || len(f.Files) == 0 || filepath.Ext(f.Files[0]) != ".jsonl" {
		return nil, nil, false
	}
	key, path := n.Agent+"\nnames", f.Files[0]
	now, known := env.Memory.KnownBeside(told, key, path)
	if !known {
		before, _ := env.Memory.Earlier(key, path)
		look := func(ctx context.Context) (sources.Told, bool) { return n.look(ctx, f.ID, path, before, true) }
		later := env.Memory.Later
		if n.Along != nil {
			later = env.Memory.LaterWithin
		}
		switch more := f.Bytes - before.Found.Bytes; {
		case !stands(path, &before):
			later(key, path, look)
			return nil, nil, false
		case more > appendedMost: // until then it has the names that it had
			later(key, path, look)
			now = before
		default:
			now = env.Memory.Recall(key, path, func() (sources.Told, bool) { return n.look(ctx, f.ID, path, before, false) })
			if len(now.Notes) == 0 { // what is known does not do
				later(key, path, look)
				now = before
			}
		}
	}
	if len(now.Notes) < 1+n.Kinds { // it could not be read
		return nil, nil, false
	}
	for _, note := range now.Notes[1 : 1+n.Kinds] {
		var name *string
		if note != "" {
			text := note[len(given):]
			name = &text
		}
		names = append(names, name)
	}
	return names, now.Notes[1+n.Kinds:], true
}

// errFromStart ends a look that has to begin at the beginning of the file.
var errFromStart = errors.New("what was noted does not do")

// look reads on from where it was read to before, if what stands before that is still the same; where that does not do, it begins at the
// beginning, if anew.
func (n *Names) look(ctx context.Context, id, path string, before sources.Told, anew bool) (told sources.Told, whole bool) {
	file, err := Open(path)
	if err != nil {
		return told, false
	}
	defer file.Close()
	if len(before.Notes) < 1+n.Kinds || !standsIn(file, &before) {
		before = sources.Told{}
	}
	told, err = n.through(ctx, file, before)
	if anew && errors.Is(err, errFromStart) {
		told, err = n.through(ctx, file, sources.Told{})
	}
	told.Found.ID = id
	return told, err == nil
}

// through looks through a file from where it was read to before.
func (n *Names) through(ctx context.Context, file *File, before sources.Told) (told sources.Told, err error) {
	notes, to := make([]string, 1+n.Kinds), before.Found.Bytes
	copy(notes, before.Notes)
	var along Along
	if n.Along != nil {
		along = n.Along(strings.TrimSuffix(filepath.Base(file.Path), ".jsonl"), before.Notes[min(1+n.Kinds, len(before.Notes)):])
	}
	if err := sources.LinesFrom(ctx, file, to, file.Size, func(line sources.Line) error {
		if !line.Ended && !isWhole(line.Text) {
			return nil // it is still being written
		}
		to = line.Offset + line.Length
		if kind, name, ok := n.in(line.Text); ok {
			notes[1+kind] = given + name
		}
		if along != nil && !along.Line(line) {
			return errFromStart
		}
		return nil
	}); err != nil {
		return told, err
	}
	if along != nil {
		notes = append(notes, along.Notes()...)
	}
	notes[0], err = EdgeBefore(file, to)
	return sources.Told{Found: sources.Found{Bytes: to}, Notes: notes}, err
}

func isWhole(line []byte) bool {
	_, whole := Whole(line)
	return whole
}

// stands tells whether a file is what it was, as far as it was looked through before.
func stands(path string, before *sources.Told) bool {
	if len(before.Notes) == 0 {
		return false
	}
	file, err := Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return standsIn(file, before)
}

func standsIn(file *File, before *sources.Told) bool {
	if before.Found.Bytes > file.Size {
		return false
	}
	sum, err := EdgeBefore(file, before.Found.Bytes)
	return err == nil && sum == before.Notes[0]
}

// in is the name in a line. One that is damaged, or still being written, has none.
func (n *Names) in(line []byte) (kind int, name string, ok bool) {
	for _, word := range n.Words {
		if bytes.Contains(line, []byte(word)) {
			if line, whole := Whole(line); whole {
				return n.Of(line)
			}
			return 0, "", false
		}
	}
	return 0, "", false
}

// EdgeBefore is a checksum of what stands right before a place in a file.
func EdgeBefore(file *File, place int64) (string, error) {
	const most = 64 << 10
	size := min(place, most)
	sum, err := edge.Of(io.NewSectionReader(file, place-size, size), size)
	return fmt.Sprintf("%08x", sum), err
}
