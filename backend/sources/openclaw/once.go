package openclaw

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"path/filepath"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Each agent has its sessions for itself: that two have the same id is rare, as after a directory of state was copied, and says nothing.

// apart tells of each session once, those in databases first: of two with one id, which one begins with the other, that one; of two that say
// different things each, with an id of its own.
func (s Source) apart(ctx context.Context, env sources.Env, tables, files []sources.Found, kin *kin) []sources.Found {
	all := jsonl.Once(append(tables, jsonl.NamedFirst(files)...), func(longer, shorter *sources.Found) bool {
		if !inDatabase(longer) && !inDatabase(shorter) {
			return jsonl.Begins(longer, shorter)
		}
		return s.begins(ctx, env, longer, shorter)
	})
	own, renamed := map[member]bool{}, map[member]string{}
	for i := range all {
		own[member{agentOf(&all[i]), all[i].ID}] = true
	}
	for i := range all { // what a topic of a session is called is not what that is called, which is there
		if f := &all[i]; f.Row != "" && f.Row != f.ID && !own[member{agentOf(f), f.Row}] {
			renamed[member{agentOf(f), f.Row}] = f.ID
		}
	}
	for i := range all {
		f := &all[i]
		if id := renamed[member{agentOf(f), f.Parent}]; id != "" && id != f.ID {
			f.Parent = id
		}
	}
	kin.relate(all, renamed)
	return all
}

// agentOf is the folder of the agent whose session it is.
func agentOf(f *sources.Found) string { return filepath.Dir(filepath.Dir(f.Files[0])) }

// begins tells whether what was said in a session is how another one begins. How that is written differs between files and databases.
func (s Source) begins(ctx context.Context, env sources.Env, longer, shorter *sources.Found) bool {
	if longer.Problem != "" || shorter.Problem != "" {
		return false
	}
	short, errShort := s.saidIn(ctx, env, shorter, -1)
	long, errLong := s.saidIn(ctx, env, longer, short.count)
	return errShort == nil && errLong == nil && long.count == short.count && string(long.sum.Sum(nil)) == string(short.sum.Sum(nil))
}

// summed is what was said first in a session, as a sum of it.
type summed struct {
	count int
	sum   hash.Hash
}

var errEnough = errors.New("enough")

// saidIn sums up so many messages, all where that is below 0.
func (s Source) saidIn(ctx context.Context, env sources.Env, found *sources.Found, most int) (summed, error) {
	out := summed{sum: sha256.New()}
	from, _, _, release, err := s.open(ctx, env, found)
	if err != nil {
		return out, err
	}
	defer func() { _ = release() }() // the copy is removed once more with its directory
	err = from(ctx, nil, func(rec gjson.Result) error {
		if rec.Get("type").Str != "message" {
			return nil
		}
		if out.count == most {
			return errEnough
		}
		out.count++
		message := rec.Get("message")
		out.sum.Write([]byte(jsonl.Text(message.Get("role")) + "\x00" + plain(message.Get("content")) + "\x00")) // never fails
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, err
}

// rowOf is what a session is called where its events are.
func rowOf(found *sources.Found) string { return cmp.Or(found.Row, found.ID) }
