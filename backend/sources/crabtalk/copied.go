package crabtalk

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// once leaves out the sessions that another one with their id begins with: CrabTalk has had two names, and in each several forms, and left
// what it brought over where it was. But it also began to count anew, so that one id may be two conversations.
func (Source) once(ctx context.Context, env sources.Env, all []sources.Found) []sources.Found {
	slices.SortStableFunc(all, func(a, b sources.Found) int { return min(len(a.Problem), 1) - min(len(b.Problem), 1) })
	stores := &openStores{at: map[string]*openedStore{}}
	defer stores.close()
	known := map[string][]string{}
	said := func(f *sources.Found) []string {
		key := f.Files[0] + "\x00" + f.Row
		if _, there := known[key]; !there && ctx.Err() == nil {
			known[key], _ = sources.Said(ctx, stores, env, *f) // what was read before an error counts
		}
		return known[key]
	}
	return jsonl.Once(all, func(longer, shorter *sources.Found) bool {
		lines := strings.HasSuffix(shorter.Files[0], ".jsonl")
		switch {
		case lines && shorter.Bytes == 0:
			return true
		case longer.Problem != "" || shorter.Problem != "":
			return false
		case lines && strings.HasSuffix(longer.Files[0], ".jsonl") && jsonl.Begins(longer, shorter):
			return true
		}
		begin, whole := said(shorter), said(longer)
		return len(begin) <= len(whole) && slices.Equal(begin, whole[:len(begin)])
	})
}

// openStores reads the sessions in stores that stay open meanwhile: to open one is to go through all of its keys, and it may hold every
// session there is.
type openStores struct {
	Source
	at map[string]*openedStore
}

type openedStore struct {
	*store
	handles map[string][]string
}

// Read is that of [Source].
func (o *openStores) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	path, handle := found.Files[0], cmp.Or(found.Row, found.ID)
	if filepath.Base(path) != storeName {
		return o.Source.Read(ctx, env, found, log)
	}
	if o.at[path] == nil {
		s, err := openStore(path)
		if err != nil {
			return err
		}
		o.at[path] = &openedStore{s, s.handles()}
	}
	r := &reader{log: log}
	if err := r.stored(o.at[path].store, o.at[path].handles[handle], handle); err != nil {
		return err
	}
	r.flush()
	return log.Err()
}

func (o *openStores) close() {
	for _, s := range o.at {
		_ = s.file.Close() // opened for reading
	}
}
