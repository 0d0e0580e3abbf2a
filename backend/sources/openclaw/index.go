package openclaw

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// entry is what is known of a conversation, which is of its current session.
type entry struct {
	key, title, model string
	updated           time.Time
	// archived tells that it was put away, and away when, if that is known.
	archived bool
	away     time.Time
	// parent is the key of the conversation that began this one.
	parent string
	// linked tells that another agent answers, and keeps the transcript.
	linked bool
}

// index is the file with all conversations of an agent.
type index struct {
	// entries are by the id of their session, ids those ids by the key of the conversation.
	entries map[string]entry
	ids     map[string]string
	// forks are the ids of the sessions that conversations were made from, by the keys of those; only a database tells.
	forks map[string]string
	// state is the directory of state, kin are the conversations of all agents in it.
	state string
	kin   *kin
}

// of puts in whose index it is: of the agent in a folder.
func (x *index) of(state, agent string, kin *kin) {
	x.state, x.kin = state, kin
	kin.knows(state, agent, x.ids)
}

// indexMost is how long that file may be; 30 KB for a conversation is usual, and 5,000 of them.
const indexMost = 256 << 20

// readIndex reads it. It is written anew with every message: what can't be read gives no titles, and costs no session. Early versions take what
// a person wrote there as they take settings.
func readIndex(env sources.Env, dir string) index {
	x := index{entries: map[string]entry{}, ids: map[string]string{}}
	var last []byte
	for range 2 { // it may be read while it is written
		file, err := jsonl.Open(filepath.Join(dir, "sessions.json"))
		if err != nil {
			env.Unseen(err)
			return x
		}
		if file.Size > indexMost {
			env.Unseen(errors.Join(jsonl.TooLarge(file.Path, file.Size), file.Close()))
			return x
		}
		data, err := io.ReadAll(io.LimitReader(file, indexMost))
		_ = file.Close() // it was only read
		if data = jsonl.Unmarked(data); err == nil && json.Valid(data) {
			x.add(gjson.ParseBytes(data))
			return x
		}
		last = data
	}
	if written := jsonl.Relaxed(last); json.Valid(written) {
		x.add(gjson.ParseBytes(written))
	}
	return x
}

func (x index) add(all gjson.Result) {
	all.ForEach(func(key, value gjson.Result) bool {
		if !value.IsObject() {
			return true
		}
		e := parseEntry(value)
		e.key = key.Str
		if id := jsonl.Text(value.Get("sessionId")); id != "" {
			x.entries[id], x.ids[key.Str] = e, id
		}
		// The path is one of the machine that wrote it; the name is what holds.
		if path := jsonl.Text(value.Get("sessionFile")); path != "" {
			name := strings.TrimSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".jsonl")
			if _, known := x.entries[name]; !known {
				x.entries[name] = e
			}
		}
		return true
	})
}

func parseEntry(value gjson.Result) entry {
	away := value.Get("archivedAt")
	e := entry{archived: away.Num > 0, away: jsonl.Time(away)}
	for _, name := range []string{"label", "displayName", "subject", "groupChannel", "autoLabel"} {
		if text := jsonl.OneLine(jsonl.Text(value.Get(name))); text != "" && e.title == "" {
			e.title = text
		}
	}
	if e.model = jsonl.Text(value.Get("model")); e.model == "" {
		e.model = jsonl.Text(value.Get("modelOverride"))
	}
	e.updated = jsonl.Time(value.Get("updatedAt"))
	if e.parent = jsonl.Text(value.Get("spawnedBy")); e.parent == "" {
		e.parent = jsonl.Text(value.Get("parentSessionKey"))
	}
	e.linked = value.Get("claudeCliSessionId").Str != "" || len(value.Get("cliSessionIds").Map()) > 0
	return e
}

// add puts what is known of a conversation to one of its sessions.
func (e entry) add(f *sources.Found, x index) {
	if e.title != "" {
		f.Title = e.title
	}
	if f.Model == "" {
		f.Model = e.model
	}
	if f.UpdatedAt.IsZero() {
		f.UpdatedAt = e.updated
	}
	f.Archived = f.Archived || e.archived
	if f.ArchivedAt.IsZero() {
		f.ArchivedAt = e.away
	}
	f.Key = e.key
	if parent := x.ids[e.parent]; parent != "" && parent != f.ID {
		f.Parent, f.Relation = parent, sources.Subagent
	}
	x.kin.asks(x.state, f, e, x.ids)
}
