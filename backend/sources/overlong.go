package sources

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"palimpsest/backend/record"
)

// Overlong notes what is longer than anything that is read, so that nobody takes it for something that was looked through. Entry is its
// place or its id, and what is what it is there: a line, an event, the whole of an output.
func (l *Log) Overlong(entry, what string, bytes int64) {
	data := json.RawMessage(fmt.Sprintf(`{"what":%q,"bytes":%d}`, what, bytes))
	l.Note(Note{Meta: Meta{Entry: entry}, Namespace: l.agent + record.Overlong, Data: data, Display: true})
}

// Unread keeps that something can't be read which belongs to the session, unless that is not there: agents clean such things away.
func (l *Log) Unread(what string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.Broken(fmt.Appendf(nil, "[%s can't be read: %v]", what, err))
	}
}
