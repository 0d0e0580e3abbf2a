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

// Unknown notes a record that is longer than anything that is read. What it says may be another context, so it is damage as well.
func (l *Log) Unknown(place int64, what string, bytes int64) {
	l.Overlong(fmt.Sprintf("byte %d", place), what, bytes)
	l.Lost(fmt.Sprintf("a %s of %d bytes, at byte %d of the file, is too long to be read: what it does to the context is not known", what, bytes, place))
}

// Unread keeps that something can't be read which belongs to the session, unless that is not there: agents clean such things away.
func (l *Log) Unread(what string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.Lost(fmt.Sprintf("%s can't be read: %v", what, err))
	}
}
