package copies

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// comparer tells whether a file, now, lacks something that an earlier state of it has.
type comparer func(ctx context.Context, now, before string) (bool, error)

// less tells whether the files of a session hold less than those kept before: the main file does, or one that stood beside it has gone.
func (s *Store) less(ctx context.Context, now, before []File, lacks comparer) (bool, error) {
	if gone, err := s.gone(ctx, now, before[1:]); gone || err != nil {
		return gone, err
	}
	return s.lessIn(ctx, now[0], before[0], lacks)
}

// gone tells whether a file has gone: agents clear away the output of tools before the session that has it. One that was only moved or
// packed has the same name up to the first dot.
func (s *Store) gone(ctx context.Context, now, before []File) (bool, error) {
	there := map[string]bool{}
	for _, file := range now {
		there[stem(file.Path)] = true
	}
	for _, file := range before {
		if there[stem(file.Path)] {
			continue
		}
		if whole, err := s.whole(ctx, file); err != nil || whole {
			return whole, err
		}
	}
	return false, nil
}

// stem is the name of a file up to its first dot.
func stem(name string) string {
	name, _, _ = strings.Cut(path.Base(name), ".")
	return name
}

// lessIn tells whether a main file holds less than the one kept before. One that is not what it was any more has nothing to be lost.
func (s *Store) lessIn(ctx context.Context, now, before File, lacks comparer) (bool, error) {
	if now.SHA256 == before.SHA256 {
		return false, nil
	}
	if lacks = comparing(now, before, lacks); lacks == nil {
		return before.Size > now.Size, nil
	}
	if whole, err := s.whole(ctx, before); err != nil || !whole {
		return false, err
	}
	return lacks(ctx, s.object(now.SHA256), s.object(before.SHA256))
}

// comparing tells what one file lacks of another one; nil where nothing but their lengths can be compared.
func comparing(now, before File, lacks comparer) comparer {
	switch ext := filepath.Ext(now.Path); {
	case ext != filepath.Ext(before.Path):
		return nil
	case lacks == nil && ext == ".jsonl":
		return lacksLines
	}
	return lacks
}

// lacksLines tells whether a file lacks a line that an earlier state of it has. Agents add lines, and some take old ones away. The first
// line does not count, which says what a session is and is written anew when that gets another name, nor one that was not written to its
// end.
func lacksLines(ctx context.Context, now, before string) (lacks bool, err error) {
	seed, has := maphash.MakeSeed(), map[uint64]struct{}{}
	err = eachLine(ctx, now, seed, func(_ int, line uint64, _ bool) bool {
		has[line] = struct{}{}
		return true
	})
	if err != nil {
		return false, err
	}
	err = eachLine(ctx, before, seed, func(n int, line uint64, ended bool) bool {
		if _, there := has[line]; n > 0 && ended && !there {
			lacks = true
		}
		return !lacks
	})
	return lacks, err
}

// eachLine gives the sum of each line, of any length, until visit wants no more.
func eachLine(ctx context.Context, path string, seed maphash.Seed, visit func(n int, line uint64, ended bool) (more bool)) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // opened for reading
	const buffer = 64 << 10
	r := bufio.NewReaderSize(stoppable{ctx, in}, buffer)
	var sum maphash.Hash
	sum.SetSeed(seed)
	for n := 0; ; {
		part, err := r.ReadSlice('\n')
		_, _ = sum.Write(part) // it never fails
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("reading %s: %w", path, err)
		case err != nil && len(part) == 0, !visit(n, sum.Sum64(), err == nil):
			return nil
		}
		sum.Reset()
		n++
	}
}
