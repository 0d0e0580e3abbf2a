package copies

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Saying reads what is said in a session from its files, which lay puts into a home directory. It is not ok where they can't be read.
type Saying func(ctx context.Context, lay func(home string) error) (said []string, ok bool, err error)

// lacksSaid tells whether files that are written anew each time lack something that was said in those before.
func (s *Store) lacksSaid(ctx context.Context, now, before []File, said Saying) (bool, error) {
	had, ok, err := said(ctx, s.laying(ctx, before))
	if err != nil || !ok {
		return !ok, err
	}
	has, _, err := said(ctx, s.laying(ctx, now))
	return err == nil && missing(has, had), err
}

// laying lays out files that were kept, as far as they are what they were.
func (s *Store) laying(ctx context.Context, files []File) func(home string) error {
	return func(home string) error {
		for _, file := range files {
			if err := s.lay(ctx, file, filepath.Join(home, filepath.FromSlash(file.Path))); err != nil && !errors.Is(err, ErrDamaged) {
				return err
			}
		}
		return nil
	}
}

// missing tells whether something of what was said before is not said any more, as often as it was. What was still being written has more
// behind it now.
func missing(has, had []string) bool {
	left := map[string]int{}
	for _, text := range has {
		left[text]++
	}
	var gone []string
	for _, text := range had {
		if left[text] > 0 {
			left[text]--
		} else {
			gone = append(gone, text)
		}
	}
	if len(gone) == 0 {
		return false
	}
	var rest []string
	for text, n := range left {
		if n > 0 {
			rest = append(rest, text)
		}
	}
	slices.Sort(rest)
	slices.SortFunc(gone, func(a, b string) int { return strings.Compare(b, a) }) // of those with one beginning the longest first
	for _, text := range gone {
		at := sort.SearchStrings(rest, text)
		if at == len(rest) || !strings.HasPrefix(rest[at], text) {
			return true
		}
		if left[rest[at]]--; left[rest[at]] == 0 {
			rest = slices.Delete(rest, at, at+1)
		}
	}
	return false
}
