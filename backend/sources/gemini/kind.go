package gemini

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// kind is what a line is about.
type kind uint8

const (
	ofNothing kind = iota
	ofRewind       // everything from a message on is taken back
	ofMessage      // a message
	ofChange       // members of the session are other ones, or the whole list is
	ofPatch        // a part of the list is
	ofHeader       // what the file or a resume begins with
)

// kindOf is what Gemini takes a line for. One may have members of several kinds: the first counts, in this order.
func kindOf(rec gjson.Result) kind {
	switch {
	case rec.Get("$rewindTo").Type == gjson.String:
		return ofRewind
	case jsonl.Text(rec.Get("id")) != "":
		return ofMessage
	case rec.Get("$set").IsObject():
		return ofChange
	case rec.Get("$patch").IsObject():
		return ofPatch
	case speaks(rec):
		return ofMessage
	case rec.Get("sessionId").Exists():
		return ofHeader
	}
	return ofNothing
}
