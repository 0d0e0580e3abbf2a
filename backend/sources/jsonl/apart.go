package jsonl

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
)

// Apart is [Once] of sessions that have a file each, which only grows: one with which another one begins is an older copy of it. What has
// the id for a name comes first, as the name of a copy has something behind it.
func Apart(all []sources.Found) []sources.Found { return Once(NamedFirst(all), Begins) }

// NamedFirst puts those that have their id for the name of their file before those that have something else there.
func NamedFirst(all []sources.Found) []sources.Found {
	copied := func(f *sources.Found) int {
		name := strings.TrimSuffix(filepath.Base(f.Files[0]), ".zst")
		if strings.HasSuffix(strings.TrimSuffix(name, filepath.Ext(name)), f.ID) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b sources.Found) int { return copied(&a) - copied(&b) })
	return all
}

// Sum is what tells a path from others of the same names.
func Sum(path string) string {
	const enough = 4
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:enough])
}

// Plainly is an id without what [Once] put behind it.
func Plainly(id string) string {
	if at := strings.LastIndexByte(id, '@'); at > 0 {
		return id[:at]
	}
	return id
}

// place is what tells a path from another one: the name of the innermost folder that differs, or its own.
func place(other, path string) string {
	at, from := filepath.Dir(path), filepath.Dir(other)
	for at != from && filepath.Dir(at) != at {
		if filepath.Base(at) != filepath.Base(from) {
			return filepath.Base(at)
		}
		at, from = filepath.Dir(at), filepath.Dir(from)
	}
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// Begins tells whether a file is as another one was once, by the ends of what both have. A few bytes tell those that went on apart.
func Begins(longer, shorter *sources.Found) bool {
	if shorter.Bytes > longer.Bytes || shorter.Problem != "" {
		return false
	}
	long, err := Open(longer.Files[0])
	if err != nil {
		return false
	}
	defer long.Close()
	short, err := Open(shorter.Files[0])
	if err != nil {
		return false
	}
	defer short.Close()
	const few = 512
	for _, most := range []int64{few, Edge} {
		size := min(shorter.Bytes, most)
		both := make([]byte, 2*size)
		want, have := both[:size], both[size:]
		if !readAt(short, want, shorter.Bytes-size) || !readAt(long, have, shorter.Bytes-size) || !bytes.Equal(want, have) {
			return false
		}
	}
	return true
}

func readAt(file *File, into []byte, at int64) bool {
	n, _ := file.ReadAt(into, at) // as much as there is
	return n == len(into)
}
