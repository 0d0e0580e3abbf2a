package jsonl

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
)

// Apart is [Once] of sessions that have a file each, which only grows: one with which another one begins is an older copy of it. What has
// the id for a name comes first, as the name of a copy has something behind it.
func Apart(all []sources.Found) []sources.Found {
	copied := func(f *sources.Found) int {
		name := strings.TrimSuffix(filepath.Base(f.Files[0]), ".zst")
		if strings.HasSuffix(strings.TrimSuffix(name, filepath.Ext(name)), f.ID) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b sources.Found) int { return copied(&a) - copied(&b) })
	return Once(all, Begins)
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

// Begins tells whether a file is as another one was once, by the ends of what both have.
func Begins(longer, shorter *sources.Found) bool {
	if shorter.Bytes > longer.Bytes || shorter.Problem != "" {
		return false
	}
	tail := func(path string) []byte {
		file, err := Open(path)
		if err != nil {
			return nil
		}
		defer file.Close()
		text, err := io.ReadAll(io.NewSectionReader(file, max(shorter.Bytes-Edge, 0), min(shorter.Bytes, Edge)))
		if err != nil {
			return nil
		}
		return text
	}
	text := tail(shorter.Files[0])
	return int64(len(text)) == min(shorter.Bytes, Edge) && bytes.Equal(text, tail(longer.Files[0]))
}
