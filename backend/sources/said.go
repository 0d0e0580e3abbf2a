package sources

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// Said is what a session holds of its conversation, in order: each block of each message, and each summary, with whose it is. When it was
// said, and what it is called, are no part of it, so that two files can be compared that were written by different versions.
func Said(ctx context.Context, source Source, env Env, found Found) (all []string, err error) {
	err = say(ctx, source, env, found, func(text string) { all = append(all, text) })
	return all, err
}

// Sum stands for one of what [Said] tells.
type Sum [sha256.Size]byte

// SaidSums is [Said] of what may be too long to be held.
func SaidSums(ctx context.Context, source Source, env Env, found Found) (all []Sum, err error) {
	err = say(ctx, source, env, found, func(text string) { all = append(all, sha256.Sum256([]byte(text))) })
	return all, err
}

func say(ctx context.Context, source Source, env Env, found Found, add func(text string)) error {
	log := NewLog(found.Agent, found.ID, saying{add}, func(data []byte) (string, error) {
		sum := sha256.Sum256(data)
		return fmt.Sprintf("%x", sum), nil
	})
	return source.Read(ctx, env, found, log)
}

// saying takes the records of a log, each with a call.
type saying struct{ add func(text string) }

func (s saying) Write(line []byte) (int, error) {
	rec := gjson.ParseBytes(line)
	switch record.Type(rec.Get("recordType").Str) {
	case record.TypeMessage:
		role := rec.Get("role").Str
		rec.Get("content").ForEach(func(_, block gjson.Result) bool {
			text := block.Raw
			if kind := block.Get("type").Str; kind == "text" || kind == "thinking" {
				text = kind + " " + block.Get("text").Str
			}
			s.add(role + " " + text)
			return true
		})
	case record.TypeCompaction, record.TypeBranch:
		s.add("summary " + rec.Get("summary").Str)
	default: // a damaged line, or one that says nothing
	}
	return len(line), nil
}
