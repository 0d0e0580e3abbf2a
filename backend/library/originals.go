package library

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"palimpsest/backend/copies"
	"palimpsest/backend/sources"
)

// originals are the files of a session, and where they would stand in a home directory where nothing was moved. For one that stands in a
// database with others, a database of its own is made in a directory.
func (l *Library) originals(ctx context.Context, s *shelf, found *sources.Found, dir string) ([]copies.Original, error) {
	files := found.Files
	if beside, ok := s.source.(sources.Beside); ok {
		env, unseen := l.env, error(nil)
		env.Denied = func(err error) {
			if unseen == nil {
				unseen = err
			}
		}
		files = append(slices.Clip(files), beside.Beside(ctx, env, found.Theirs())...)
		if unseen != nil { // it would pass for a whole copy
			return nil, fmt.Errorf("a part of it can't be read (nothing was kept): %w", unseen)
		}
	}
	placed := l.placed(s)
	out := make([]copies.Original, 0, len(files))
	for i, path := range files {
		original := copies.Original{Path: path}
		to := filepath.Join(dir, fmt.Sprintf("session%d", i))
		as, lacks, err := l.excerpt(ctx, s.source, found, i, path, to)
		if err != nil {
			return nil, err
		}
		if as != "" {
			path, original = as, copies.Original{Path: to, Lacks: lacks}
			l.warnIf(dated(to, found))
		}
		below, ok := placed(path)
		if !ok && i == 0 {
			return nil, fmt.Errorf("%s is not where its agent keeps sessions", path)
		}
		if original.Below = below; i == 0 {
			original.Said = l.saying(s, laid{found.Agent, found.ID, filepath.ToSlash(below)})
		}
		if ok {
			out = append(out, original)
		}
	}
	return out, nil
}

// excerpt writes what is of this session in a file that has others, too; as is empty for one that has not. The first file is the session's
// own, the others stand beside it.
func (l *Library) excerpt(
	ctx context.Context, source sources.Source, found *sources.Found, i int, path, to string,
) (as string, lacks func(ctx context.Context, now, before string) (bool, error), err error) {
	if excerpter, ok := source.(sources.Excerpter); ok && i == 0 {
		if lacker, ok := source.(sources.Lacker); ok {
			lacks = lacker.Lacks
		}
		as, err = excerpter.Excerpt(ctx, l.env, found.Theirs(), to)
		return as, lacks, err
	}
	if excerpter, ok := source.(sources.ExcerpterBeside); ok && i > 0 {
		as, err = excerpter.ExcerptBeside(ctx, l.env, found.Theirs(), path, to)
		return as, excerpter.Lacks, err
	}
	return "", nil, nil
}

// dated gives an excerpt the time of what was said last.
func dated(path string, found *sources.Found) error {
	if found.UpdatedAt.IsZero() {
		return nil
	}
	return os.Chtimes(path, found.UpdatedAt, found.UpdatedAt)
}

// placed says where files of a source would stand below a home directory where nothing was moved.
func (l *Library) placed(s *shelf) func(path string) (string, bool) {
	plain := l.env
	plain.Getenv = func(string) string { return "" }
	here, usual := s.source.Roots(l.env), s.source.Roots(plain)
	return func(path string) (string, bool) { return place(path, here, usual, l.env.Home) }
}

// place is where a file would stand below a home directory: below the root that it is in, moved to where that usually is.
func place(path string, here, usual []string, home string) (string, bool) {
	for i, root := range here {
		rest, err := filepath.Rel(root, path)
		if err != nil || !filepath.IsLocal(rest) {
			continue
		}
		at := usual[0]
		for j, other := range usual {
			if other == root || len(here) == len(usual) && i == j {
				at = other
				break
			}
		}
		below, err := filepath.Rel(home, filepath.Join(at, rest))
		return below, err == nil && filepath.IsLocal(below)
	}
	below, err := filepath.Rel(home, path)
	return below, err == nil && filepath.IsLocal(below)
}
