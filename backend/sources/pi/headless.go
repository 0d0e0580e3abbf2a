package pi

import (
	"cmp"
	"path/filepath"
	"strings"

	"palimpsest/backend/sources/jsonl"
)

// A file may have lost its header, or had it damaged. What is left of it is read by what its name says, and by what its first entry is.

// nameOf is what a session without a header is called: the id in the name of its file, or all of the name.
func nameOf(path string) string {
	return cmp.Or(idOf(path), strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
}

// headless tells whether a session goes on with this, where nothing has been read of it, and whether it is one of format 4.
func headless(rec *jsonl.Fields) (is, is4 bool) {
	if write, _, ok := entryIn(rec.Result, map[string]string{}); ok {
		return isEntry(write), true
	}
	return isEntry(rec), false
}

func isEntry(rec jsonl.Object) bool {
	kind := jsonl.Text(rec.Get("type"))
	return entries[kind] && (kind != "message" || rec.Get("message").IsObject())
}

// begin begins the reading of a session without a header: what is said of it is that it is not there, if no line that can't be read stands
// for it.
func (r *reader) begin(is4 bool) {
	const current = 3 // whatever it was: entries with ids are a tree since 2
	r.begun = true
	switch {
	case is4:
		r.version, r.lanes = newest+1, map[string]string{}
	case r.row.Get("id").Exists():
		r.version = current
	default:
		r.version = 1
		r.place(none) // compactions of that version count the header, too
	}
	if !r.rubbish {
		r.log.Lost("the first line of the file, which says whose session it is, is not there")
	}
}
