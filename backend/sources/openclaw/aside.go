package openclaw

import (
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// onceAside leaves out of the sessions in a folder what was set aside and stands, whole, at the beginning of another file of the session.
// Where it was all that had the id, that one has it.
func onceAside(env sources.Env, all []sources.Found) []sources.Found {
	of := map[string][]int{}
	for i := range all {
		id := cmp.Or(all[i].Row, all[i].ID)
		of[id] = append(of[id], i)
	}
	gone := map[int]bool{}
	for i := range slices.Backward(all) { // of two that are the same the first stays
		if kindOf(filepath.Base(all[i].Files[0])) != setAside || all[i].Problem != "" {
			continue
		}
		for _, j := range of[cmp.Or(all[i].Row, all[i].ID)] {
			if i == j || gone[j] || !jsonl.Continues(env, all[i].Agent, all[j].Files[0], all[i].Files[0], opened) {
				continue
			}
			if all[i].Row == "" {
				all[j].ID, all[j].Row = all[i].ID, ""
			}
			gone[i] = true
			break
		}
	}
	out := make([]sources.Found, 0, len(all))
	for i := range all {
		if !gone[i] {
			out = append(out, all[i])
		}
	}
	return out
}

// opened is what is in a file, unpacked.
func opened(path string) (io.ReadCloser, error) {
	file, err := jsonl.Open(path)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(path, ".zst") {
		return file, nil
	}
	in, err := decompress(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return unpacked{in, file}, nil
}

// unpacked closes the file, too.
type unpacked struct {
	io.ReadCloser
	file io.Closer
}

// Close is that of [io.Closer].
func (u unpacked) Close() error {
	return errors.Join(u.ReadCloser.Close(), u.file.Close())
}
