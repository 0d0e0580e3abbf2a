package library

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/backend/sources"
)

// idMost is how long the id of a session may be, in bytes.
const idMost = 500

// wellFormed tells whether an id can be printed, typed and sent.
func wellFormed(id string) bool {
	return id != "" && len(id) <= idMost && utf8.ValidString(id) && !strings.ContainsFunc(id, unicode.IsControl)
}

// tame is what a session is called here whose id stands in somebody else's file and can be anything: that, if it is well-formed, else what
// is readable of it, and a sum that tells it from others.
func tame(id string) string {
	if id == "" || wellFormed(id) {
		return id
	}
	const most, sum = 80, 6
	plain := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return '_'
		}
		return r
	}, id[:min(len(id), most)])
	of := sha256.Sum256([]byte(id))
	return plain + "~" + hex.EncodeToString(of[:sum])
}

// tamed is a session that was found, with ids that are well-formed.
func tamed(f sources.Found) sources.Found {
	if id := tame(f.ID); id != f.ID {
		f.ID, f.Own = id, f.ID
	}
	f.Parent = tame(f.Parent)
	return f
}
