package jsonl

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
)

// Apart gives sessions that have one id ids of their own, in the order they are in: the newest keeps it, the others get the name of their
// folder or file behind an @ and, where several have that, a sum of their path. A file with which the newest begins is an older copy of
// it, and left out.
func Apart(all []sources.Found) []sources.Found {
	groups := map[string][]int{}
	for i := range all {
		groups[all[i].ID] = append(groups[all[i].ID], i)
	}
	gone := map[int]bool{}
	for _, group := range groups {
		if len(group) == 1 {
			continue
		}
		slices.SortStableFunc(group, func(a, b int) int {
			return cmp.Or(all[b].UpdatedAt.Compare(all[a].UpdatedAt), cmp.Compare(all[b].Bytes, all[a].Bytes))
		})
		newest := &all[group[0]]
		for _, i := range group[1:] {
			if Begins(newest, &all[i]) {
				gone[i] = true
				continue
			}
			all[i].ID += "@" + place(newest.Files[0], all[i].Files[0])
		}
	}
	out := all[:0]
	seen := map[string]bool{}
	for i := range all {
		if gone[i] {
			continue
		}
		if seen[all[i].ID] {
			all[i].ID += "~" + Sum(all[i].Files[0])
		}
		seen[all[i].ID] = true
		out = append(out, all[i])
	}
	return out
}

// Sum is what tells a path from others of the same names.
func Sum(path string) string {
	const enough = 4
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:enough])
}

// Plainly is an id without what [Apart] put behind it.
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
