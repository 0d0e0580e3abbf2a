package opencode

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"palimpsest/backend/sources"
)

// errStray is why a message can't be read that only its parts name.
var errStray = errors.New("only parts of it are left")

// stray writes the parts of a message that itself can't be read, as they are: nobody knows who said them.
func (r *reader) stray(ctx context.Context, from store, message string) error {
	err := from.parts(ctx, message, func(part row) error {
		if json.Valid(part.data) {
			r.log.Note(sources.Note{Meta: sources.Meta{Entry: part.id}, Namespace: "opencode.part", Data: slices.Clone(part.data), Display: true})
		} else {
			missing(r.log, part, "part")
		}
		return r.log.Err()
	})
	return r.partly(ctx, message, err)
}

// partly tells of parts of a message that could not be read, which costs none of the other messages.
func (r *reader) partly(ctx context.Context, message string, err error) error {
	if err == nil || ctx.Err() != nil || r.log.Err() != nil {
		return err
	}
	r.log.Unread("what else the message "+message+" has", err)
	return nil
}
