package picoclaw

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// seahorse is the database of the part of PicoClaw that, where the settings name it, says what the model sees: it keeps all messages, and
// summaries of messages and of summaries. It stands in the workspace of the first agent and has the sessions of all of them.
const seahorse = "seahorse.db"

// seahorses are the databases that may have a session: the one in its folder first, then those of the other folders. They count if the
// settings name their part; a copy of a session has no settings.
func (s Source) seahorses(env sources.Env, folders ...string) []string {
	manager := env.Getenv("PICOCLAW_AGENTS_DEFAULTS_CONTEXT_MANAGER")
	if text := jsonl.Settings(env, settings(env), smallMost); manager == "" && text != nil {
		manager = gjson.GetBytes(text, "agents.defaults.context_manager").Str
	} else if manager == "" {
		manager = "seahorse"
	}
	if manager != "seahorse" {
		return nil
	}
	var paths []string
	for _, folder := range append(folders, s.Roots(env)...) {
		path := filepath.Join(folder, seahorse)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// changes has another number for a name of a session whenever something else of it is in the model's context: its file may stay what it was.
func (s Source) changes(ctx context.Context, env sources.Env) map[string]int64 {
	all := map[string]int64{}
	for _, path := range s.seahorses(env) {
		var here map[string]int64
		// What can't be read is told of where a session is read.
		_ = s.Databases.InPlace(ctx, env.Temp, path, func(db *sql.DB) error {
			here = map[string]int64{}
			return sqlite.Each(ctx, db, func(scan func(...any) error) error {
				var key, items sqlite.Text
				if err := scan(&key, &items); err != nil {
					return fmt.Errorf("reading what is in contexts: %w", err)
				}
				sum := fnv.New64a()
				_, _ = sum.Write([]byte(items)) // never fails
				here[string(key)] = int64(sum.Sum64()>>1) | 1
				return nil
			}, `SELECT session_key, (SELECT group_concat(coalesce(summary_id, message_id)) FROM context_items i
				WHERE i.conversation_id = c.conversation_id) FROM conversations c`)
		})
		for key, number := range here {
			all[key] += number
		}
	}
	return all
}

// recalled is what a database says of a session, read; nil if none says anything. What it returns is to be closed.
func (s Source) recalled(ctx context.Context, env sources.Env, session string, names []string) (*recall, error) {
	r, err := s.recall(ctx, env, session, names)
	if r == nil || err != nil {
		return nil, err
	}
	if err := r.load(); err != nil {
		r.close()
		return nil, fmt.Errorf("%s: %w", r.path, r.db.Why(err))
	}
	return r, nil
}

// recall finds the database that says something of a session; nil if none does. What it returns is to be closed.
func (s Source) recall(ctx context.Context, env sources.Env, session string, names []string) (*recall, error) {
	for _, path := range s.seahorses(env, filepath.Dir(session)) {
		db, release, err := s.Databases.Open(ctx, env.Temp, path)
		if err != nil {
			return nil, err
		}
		r := &recall{ctx: ctx, path: path, db: db, release: release, asked: sqlite.QuestionsOf(db.DB), has: map[string][]string{}}
		for _, name := range names {
			r.name = name
			if err = r.find(name); err != nil || r.conversation != "" {
				break
			}
		}
		if err != nil {
			r.close()
			return nil, fmt.Errorf("%s: %w", path, db.Why(err))
		}
		if r.conversation != "" {
			return r, nil
		}
		r.close()
	}
	return nil, nil
}
