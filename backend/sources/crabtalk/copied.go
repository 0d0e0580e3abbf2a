package crabtalk

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"

	"palimpsest/backend/inode"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// once leaves out the sessions that another one with their id begins with: CrabTalk has had two names, and in each several forms, and left
// what it brought over where it was. But it also began to count anew, so that one id may be two conversations.
func (Source) once(ctx context.Context, env sources.Env, all []sources.Found) []sources.Found {
	stores := &openStores{at: map[string]*openedStore{}}
	defer stores.close()
	failed := false
	known := map[string][]sources.Sum{}
	said := func(f *sources.Found) []sources.Sum {
		key := f.Files[0] + "\x00" + f.Row
		if _, there := known[key]; !there {
			var err error
			known[key], err = sources.SaidSums(ctx, stores, env, *f) // what was read before an error counts
			failed = failed || err != nil
		}
		return known[key]
	}
	begins := func(longer, shorter *sources.Found) bool {
		begin, whole := said(shorter), said(longer)
		return len(begin) <= len(whole) && slices.Equal(begin, whole[:len(begin)])
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
		// To read all of both takes time, so it is remembered, with the one of them that has a file of its own.
		file, other := longer, shorter
		if lines {
			file, other = shorter, longer
		}
		if !strings.HasSuffix(file.Files[0], ".jsonl") {
			return begins(longer, shorter)
		}
		asked := fmt.Sprintf("%s %t begins with %s", file.Agent, lines, stores.state(other))
		return len(env.Memory.Recall(asked, file.Files[0], func() (sources.Told, bool) {
			if begins(longer, shorter) {
				return sources.Told{Notes: []string{"yes"}}, !failed
			}
			return sources.Told{}, !failed
		}).Notes) > 0
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
	handles map[string][]int32
}

// Read is that of [Source].
func (o *openStores) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	path, handle := found.Files[0], cmp.Or(found.Row, found.ID)
	if !isStore(path) {
		return o.Source.Read(ctx, env, found, log)
	}
	s, err := o.open(path)
	if err != nil {
		return err
	}
	r := newReader(log, path)
	defer r.memory.close()
	if err := r.stored(ctx, s.keyed(), s.handles[handle]); err != nil {
		return err
	}
	r.flush()
	return log.Err()
}

func (o *openStores) open(path string) (*openedStore, error) {
	if o.at[path] == nil {
		s, err := openStore(path)
		if err != nil {
			return nil, err
		}
		o.at[path] = &openedStore{s, s.at.handles()}
	}
	return o.at[path], nil
}

// state is another text whenever a session is another one. Of one in a store it is where its records are: nothing is written over.
func (o *openStores) state(f *sources.Found) string {
	path, handle := f.Files[0], cmp.Or(f.Row, f.ID)
	sum := sha256.New()
	if !isStore(path) {
		for _, file := range f.Files {
			if info, err := os.Lstat(file); err == nil {
				fmt.Fprintf(sum, "%s %d %d %d\n", file, info.Size(), info.ModTime().UnixNano(), inode.Changed(info))
			}
		}
	} else if s, err := o.open(path); err == nil {
		for _, n := range s.handles[handle] {
			key := s.at.key(n)
			at, _ := s.at.get(key)
			fmt.Fprintf(sum, "%s %d\n", key, at)
		}
	}
	return fmt.Sprintf("%q %q %x", path, handle, sum.Sum(nil))
}

func (o *openStores) close() {
	for _, s := range o.at {
		_ = s.file.Close() // opened for reading
	}
}
