package crabtalk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// The file of keys and values is in CrabTalk's directory or, later, in one for the files of all programs that have such a one.
const (
	storeName   = "store.crmem"
	storesName  = "store"
	storeSuffix = ".crmem"
)

func isStore(path string) bool { return filepath.Ext(path) == storeSuffix }

// storesIn are those in CrabTalk's directory, whether they are there or not.
func storesIn(env sources.Env, root string) []string {
	paths := []string{filepath.Join(root, storeName)}
	for path := range jsonl.Walk(env, filepath.Join(root, storesName), 0, storeSuffix) {
		paths = append(paths, path)
	}
	return paths
}

// ofSession is what a key is below a session's; the session is named as its keys begin, without the usual beginning. Some versions put a
// realm before all keys, local where there is only one.
func ofSession(key string) (handle, below string, is bool) {
	const part = "session/"
	realm, rest := "", key
	if first, behind, cut := strings.Cut(key, "/"); cut && first != "session" && first != "idx" {
		realm, rest = first+"/", behind
	}
	if rest, is = strings.CutPrefix(rest, part); !is {
		return "", "", false
	}
	at := strings.LastIndexByte(rest, '/')
	for _, list := range []string{"/msg/", "/evt/"} {
		if i := strings.LastIndex(rest, list); i > 0 {
			at = i
			break
		}
	}
	if at <= 0 {
		return "", "", false
	}
	if handle = rest[:at]; realm != "" {
		handle = realm + part + handle
	}
	return handle, rest[at+1:], true
}

// idOf is a session's name without the realm.
func idOf(handle string) string {
	if _, id, is := strings.Cut(handle, "/session/"); is {
		return id
	}
	return handle
}

// storeSessions are the sessions in a store, or the store with what is wrong with it.
func storeSessions(path string) []sources.Found {
	f := sources.Found{Agent: Source{}.Agent(), ID: filepath.Base(path), Files: []string{path}}
	if _, err := os.Lstat(path); err != nil {
		return nil // not there; what may not be looked into is told of with the folder of sessions
	}
	s, err := openStore(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		f.Problem = "The store of CrabTalk can't be read: " + err.Error()
		return []sources.Found{f}
	}
	defer s.file.Close()
	handles := s.at.handles()
	var out []sources.Found
	for _, handle := range slices.Sorted(maps.Keys(handles)) {
		f := sources.Found{Agent: f.Agent, ID: idOf(handle), Row: handle, Files: []string{path}, UpdatedAt: s.file.ModTime}
		s.keyed().peekKeys(handles[handle], &f)
		out = append(out, f)
	}
	return out
}

// store reads a session out of the store at a path.
func (r *reader) store(ctx context.Context, path, handle string) error {
	s, err := openStore(path)
	if err != nil {
		return err
	}
	defer s.file.Close()
	return r.stored(ctx, s.keyed(), s.at.handles()[handle])
}

func (s *store) keyed() keyed {
	k := keyed{key: s.at.key, value: s.value, start: s.start}
	if s.lost > 0 {
		k.missing = fmt.Sprintf("%d bytes of %s can't be read; more of the session may be there", s.lost, filepath.Base(s.file.Path))
	}
	return k
}
