package crabtalk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// storeName is that of the file of keys and values.
const storeName = "store.crmem"

// handles are the sessions in a store, and the keys that each has, in order.
func (s *store) handles() map[string][]string {
	out := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(s.at)) {
		rest := strings.TrimPrefix(key, "session/")
		if at := strings.LastIndex(rest, "/msg/"); at > 0 {
			out[rest[:at]] = append(out[rest[:at]], key)
		} else if at := strings.LastIndex(rest, "/evt/"); at > 0 {
			out[rest[:at]] = append(out[rest[:at]], key)
		} else if at := strings.LastIndexByte(rest, '/'); at > 0 {
			out[rest[:at]] = append(out[rest[:at]], key)
		}
	}
	return out
}

// storeSessions are the sessions in a store, or the store with what is wrong with it.
func storeSessions(path string) []sources.Found {
	f := sources.Found{Agent: Source{}.Agent(), ID: storeName, Files: []string{path}}
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
		f := sources.Found{Agent: f.Agent, ID: handle, Row: handle, Files: []string{path}, UpdatedAt: s.file.ModTime}
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
	return r.stored(s, s.handles()[handle], handle)
}

// stored reads what a session's keys have in a store: its archive, its messages, and then what is told of its runs.
func (r *reader) stored(s *store, keys []string, handle string) error {
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
		entry := strings.TrimPrefix(key, "session/"+handle+"/")
		value, err := s.value(key, sources.LineMost)
		large, tooLarge := errors.AsType[*glean.LargeError](err)
		switch {
		case tooLarge:
			r.overlong(entry, large)
		case err != nil:
			r.flush()
			r.log.Lost(err.Error())
		case entry == "archive":
			r.archive(value)
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
		r.log.Lost(fmt.Sprintf("the last %d bytes of %s can't be read; more of the session may be there", s.lost, storeName))
	}
	return nil
}

// archive is what is left of the messages that were compacted.
func (r *reader) archive(value []byte) {
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
	r.log.Compaction(sources.Compaction{Meta: sources.Meta{Entry: "archive"}, Summary: text, Frame: asItStands, Trigger: "unknown"})
}
