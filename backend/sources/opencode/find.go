package opencode

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
)

// Find tells of each session once, wherever it is.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	tree, err := glean.OpenTree(dataDir(env))
	if err == nil {
		defer tree.Close()
	} else {
		env.Deny(err)
		tree = nil // a named database may be elsewhere
	}
	var order []string
	known := map[string]sources.Found{}
	for _, path := range databases(env, tree) {
		err := s.findIn(ctx, env, tree, path, func(f sources.Found) {
			before, twice := known[f.ID]
			if !twice {
				order = append(order, f.ID)
			}
			if !twice || f.UpdatedAt.After(before.UpdatedAt) {
				known[f.ID] = f
			}
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f := sources.Found{Agent: s.Agent(), ID: filepath.Base(path), Files: []string{path}, Problem: err.Error()}
			if err := visit(f); err != nil {
				return err
			}
		}
	}
	for _, id := range order {
		if err := visit(known[id]); err != nil {
			return err
		}
	}
	if tree == nil {
		return nil
	}
	return findFiles(ctx, tree, env, func(id string) bool { _, is := known[id]; return is }, visit)
}
