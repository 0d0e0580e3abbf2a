package copies

import (
	"context"
	"path"
	"slices"
	"strings"
)

// comparer tells whether a file, now, lacks something that an earlier state of it has.
type comparer func(ctx context.Context, now, before string) (bool, error)

// less tells whether the files of a session hold less than those kept before: the main file does, or one that stood beside it has gone or
// lost lines.
func (s *Store) less(ctx context.Context, now, before []File, by *Original) (bool, error) {
	if gone, err := s.gone(ctx, now, before); gone || err != nil {
		return gone, err
	}
	if cut, err := s.cut(ctx, now, before); cut || err != nil {
		return cut, err
	}
	return s.lessIn(ctx, now, before, by)
}

// gone tells whether a file beside the main one has gone: agents clear away the output of tools before the session that has it. One that was only moved or
// packed has the same name up to the first dot, and there are as many of that name as there were.
func (s *Store) gone(ctx context.Context, now, before []File) (bool, error) {
	there, left := map[string]bool{}, map[string]int{}
	for _, file := range now {
		there[file.Path], there[file.SHA256] = true, true
	}
	for _, file := range now[1:] {
		left[stem(file.Path)]++
	}
	for _, file := range before[1:] {
		left[stem(file.Path)]--
	}
	for _, file := range before[1:] {
		if left[stem(file.Path)] >= 0 || there[file.Path] || there[file.SHA256] {
			continue
		}
		if whole, err := s.whole(ctx, file); err != nil || whole {
			return whole, err
		}
	}
	return false, nil
}

// cut tells whether a file of lines beside the main one has lost some.
func (s *Store) cut(ctx context.Context, now, before []File) (bool, error) {
	there := map[string]File{}
	for _, file := range now {
		there[unpacked(file)] = file
	}
	for _, file := range before[1:] {
		other, is := there[unpacked(file)]
		if !is || !ofLines(file) || other.SHA256 == file.SHA256 {
			continue
		}
		whole, err := s.whole(ctx, file)
		if err != nil {
			return false, err
		}
		if !whole {
			continue
		}
		if lacks, err := lacksLines(ctx, s.object(other.SHA256), s.object(file.SHA256)); err != nil || lacks {
			return lacks, err
		}
	}
	return false, nil
}

// stem is the name of a file up to its first dot.
func stem(name string) string {
	name, _, _ = strings.Cut(path.Base(name), ".")
	return name
}

// lessIn tells whether a main file holds less than the one kept before. One that is not what it was any more has nothing to be lost, and
// what nobody can compare is taken to be lost where it is not the same.
func (s *Store) lessIn(ctx context.Context, now, before []File, by *Original) (bool, error) {
	if slices.Equal(sums(now), sums(before)) {
		return false, nil
	}
	if whole, err := s.whole(ctx, before[0]); err != nil || !whole {
		return false, err
	}
	lacks := by.Lacks
	if lacks == nil && ofLines(now[0]) && ofLines(before[0]) {
		lacks = lacksLines
	}
	switch {
	case lacks != nil && kind(now[0]) == kind(before[0]):
		if now[0].SHA256 == before[0].SHA256 {
			return false, nil
		}
		return lacks(ctx, s.object(now[0].SHA256), s.object(before[0].SHA256))
	case by.Said != nil:
		return s.lacksSaid(ctx, now, before, by.Said)
	}
	return now[0].SHA256 != before[0].SHA256, nil
}

func sums(files []File) []string {
	all := make([]string, len(files))
	for i := range files {
		all[i] = files[i].SHA256
	}
	return all
}

// unpacked is the name that a file has where it is not packed.
func unpacked(file File) string { return strings.TrimSuffix(path.Base(file.Path), ".zst") }

// kind is the form of a file by its name, packed or not, and ofLines tells that it is one record a line.
func kind(file File) string { return path.Ext(unpacked(file)) }

func ofLines(file File) bool { return kind(file) == ".jsonl" }
