package crabtalk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
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

// handles are the sessions in a store, and the keys that each has, in order.
func (s *store) handles() map[string][]string {
	out := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(s.at)) {
		if handle, _, is := ofSession(key); is {
			out[handle] = append(out[handle], key)
		}
	}
	return out
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
	handles := s.handles()
	var out []sources.Found
	for _, handle := range slices.Sorted(maps.Keys(handles)) {
		f := sources.Found{Agent: f.Agent, ID: idOf(handle), Row: handle, Files: []string{path}, UpdatedAt: s.file.ModTime}
		const beginning = 12
		peeked := 0
		for _, key := range handles[handle] {
			if peeked == beginning {
				break
			}
			if strings.Contains(key, "/evt/") && f.Model != "" {
				continue
			}
			const most = 256 << 10
			if value, err := s.value(key, most); err == nil {
				peek(gjson.ParseBytes(value), strings.HasSuffix(key, "/meta"), &f)
				peeked++
			}
		}
		out = append(out, f)
	}
	return out
}

// store reads a session out of the store at a path.
func (r *reader) store(path, handle string) error {
	s, err := openStore(path)
	if err != nil {
		return err
	}
	defer s.file.Close()
	return r.stored(s, s.handles()[handle])
}

// stored reads what a session's keys have in a store: its archive, its messages, and then what is told of its runs.
func (r *reader) stored(s *store, keys []string) error {
	if len(keys) == 0 {
		return sources.ErrGone
	}
	rank := func(key string) int {
		for i, part := range []string{"/meta", "/archive", "/msg/"} {
			if strings.HasSuffix(key, part) || strings.Contains(key, part) && i == 2 {
				return i
			}
		}
		return 3
	}
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	for _, key := range keys {
		_, entry, _ := ofSession(key)
		value, err := s.value(key, sources.LineMost)
		large, tooLarge := errors.AsType[*glean.LargeError](err)
		switch {
		case tooLarge:
			r.overlong(entry, large)
		case err != nil:
			r.flush()
			r.log.Lost(err.Error())
		case entry == archiveName:
			r.archive(s, strings.TrimSuffix(key[:strings.Index(key, "session/")], "/"), value)
		case !json.Valid(value):
			r.flush()
			r.log.Broken(value)
		default:
			if rank(key) > 2 { // which answer a run ended with is not told
				r.flush()
			}
			if err := r.record(gjson.ParseBytes(value), entry); err != nil {
				return err
			}
		}
	}
	if s.lost > 0 {
		r.flush()
		r.log.Lost(fmt.Sprintf("%d bytes of %s can't be read; more of the session may be there", s.lost, filepath.Base(s.file.Path)))
	}
	return nil
}

// archive is what is left of the messages that were compacted: the summary, or the name that it has in the agent's memory, which some
// versions keep in the store as well. The metadata has the last one, too.
func (r *reader) archive(s *store, realm string, value []byte) {
	text := string(value)
	if json.Valid(value) {
		v := gjson.ParseBytes(value)
		text = jsonl.Text(v)
		for _, name := range []string{"compact", "summary", "text", "content"} {
			if text == "" {
				text = jsonl.Text(v.Get(name))
			}
		}
	}
	if remembered, err := s.value(path.Join(realm, "memory", text), sources.LineMost); err == nil {
		r.archived(jsonl.Text(gjson.GetBytes(remembered, "content")), false)
		return
	}
	r.archived(text, realm != "" || r.summary != "")
}

// name is what an entry of a memory is called, and no summary is: one word.
var name = regexp.MustCompile(`^[\w.:@-]{8,}$`)

// archived writes the compaction. Where the archive may be a name in the memory, the metadata has the summary, if anything has.
func (r *reader) archived(text string, named bool) {
	if named && name.MatchString(text) {
		text = cmp.Or(r.memory.text(text), r.summary)
	}
	r.log.Compaction(sources.Compaction{Meta: sources.Meta{Entry: archiveName}, Summary: text, Frame: asItStands, Trigger: "unknown"})
}
