package opencode

import (
	"context"
	"errors"

	"github.com/tidwall/gjson"
)

// errStray is why a message can't be read that only its parts name.
var errStray = errors.New("only parts of it are left")

// stray writes what the parts of a message say that itself can't be read. An answer has parts that no question has: where its steps begin, at
// the least.
func (r *reader) stray(ctx context.Context, from store, id string, keep func(part string) bool) error {
	info := `{"role":"user"}`
	_ = from.parts(ctx, id, func(part row) error { // told of when they are written
		switch gjson.GetBytes(part.data, "type").Str {
		case "", "text", "file", "agent", "subtask", "compaction":
		default:
			info = `{"role":"assistant"}`
		}
		return nil
	})
	return r.message(ctx, from, row{id: id, data: []byte(info)}, keep)
}

// partly tells of parts of a message that could not be read, which costs none of the other messages.
func (r *reader) partly(ctx context.Context, message string, err error) error {
	if err == nil || ctx.Err() != nil || r.log.Err() != nil {
		return err
	}
	r.log.Unread("what else the message "+message+" has", err)
	return nil
}
