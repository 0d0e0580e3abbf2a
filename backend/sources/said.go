package sources

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// Said is what a session holds of its conversation, in order: each block of each message, and each summary, with whose it is. When it was
// said, and what it is called, are no part of it, so that two files can be compared that were written by different versions.
func Said(ctx context.Context, source Source, env Env, found Found) (all []string, err error) {
	_, err = say(ctx, source, env, found, saying{func(text string) { all = append(all, text) }})
	return all, err
}

// Sum stands for one of what [Said] tells.
type Sum [sha256.Size]byte

// SaidSums is [Said] of what may be too long to be held.
func SaidSums(ctx context.Context, source Source, env Env, found Found) (all []Sum, err error) {
	_, err = say(ctx, source, env, found, saying{func(text string) { all = append(all, sha256.Sum256([]byte(text))) }})
	return all, err
}

// HeldSums is [SaidSums] of all that a person or a model is shown: what notes say, what stands in the place of messages, where somebody went back, and
// labels, too. It is not ok where something can't be read.
func HeldSums(ctx context.Context, source Source, env Env, found Found) (all []Sum, ok bool) {
	log, err := say(ctx, source, env, found, holding{saying{func(text string) { all = append(all, sha256.Sum256([]byte(text))) }}})
	return all, err == nil && log.Err() == nil && log.Damaged() == 0
}

func say(ctx context.Context, source Source, env Env, found Found, to io.Writer) (*Log, error) {
	log := NewLog(found.Agent, found.ID, to, func(data []byte) (string, error) {
		sum := sha256.Sum256(data)
		return fmt.Sprintf("%x", sum), nil
	})
	return log, source.Read(ctx, env, found, log)
}

// saying takes the records of a log, each with a call.
type saying struct{ add func(text string) }

func (s saying) Write(line []byte) (int, error) {
	rec := gjson.ParseBytes(line)
	switch record.Type(rec.Get("recordType").Str) {
	case record.TypeMessage:
		s.blocks(rec)
	case record.TypeCompaction, record.TypeBranch:
		s.add("summary " + rec.Get("summary").Str)
	default: // a damaged line, or one that says nothing
	}
	return len(line), nil
}

func (s saying) blocks(of gjson.Result) {
	role := of.Get("role").Str
	of.Get("content").ForEach(func(_, block gjson.Result) bool {
		text := block.Raw
		if kind := block.Get("type").Str; kind == "text" || kind == "thinking" {
			text = kind + " " + block.Get("text").Str
		}
		s.add(role + " " + text)
		return true
	})
}

// holding takes what saying does, and all else that somebody is shown.
type holding struct{ saying }

func (h holding) Write(line []byte) (int, error) {
	rec := gjson.ParseBytes(line)
	switch kind := record.Type(rec.Get("recordType").Str); kind {
	case record.TypeNote:
		h.blocks(rec)
		h.add("note " + rec.Get("namespace").Str) // a header may be written anew, and not be missing
		if rec.Get("display").Bool() {
			h.add(rec.Get("namespace").Str + " " + rec.Get("data").Raw)
		}
	case record.TypeCompaction:
		rec.Get("replacement").ForEach(func(_, message gjson.Result) bool {
			h.blocks(message)
			return true
		})
	case record.TypeRevert:
		h.add(string(kind))
	case record.TypeLabel:
		h.add(string(kind) + " " + rec.Get("label").Str)
	default:
	}
	return h.saying.Write(line)
}
