package backend

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"palimpsest/backend/inode"
	"palimpsest/backend/session"
)

// The two files whose change is news.
const (
	logName      = "session.jsonl"
	metadataName = "metadata.json"
)

// imprint is what tells one state of a session from another without reading it. A file that is not there is nil.
type imprint struct{ log, metadata fs.FileInfo }

// imprintOf looks at a session's directory. Without a log there is no session: no list shows it.
func imprintOf(dir string) (s imprint, there bool, err error) {
	if s.log, err = stat(filepath.Join(dir, logName)); err != nil || s.log == nil {
		return imprint{}, false, err
	}
	if s.metadata, err = stat(filepath.Join(dir, metadataName)); err != nil {
		return imprint{}, false, err
	}
	return s, true, nil
}

func stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking at a session: %w", err)
	}
	return info, nil
}

func (s imprint) same(other imprint) bool {
	return sameState(s.log, other.log) && sameState(s.metadata, other.metadata)
}

func sameState(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && inode.Changed(a) == inode.Changed(b)
}

func isID(name string) bool { return session.CheckID(name) == nil }

// isWithin tells whether path is dir or lies below it.
func isWithin(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// String says the same in a word.
func (s imprint) String() string {
	var words []string
	for _, info := range []fs.FileInfo{s.log, s.metadata} {
		if info != nil {
			words = append(words, fmt.Sprintf("%x.%x.%s", info.Size(), info.ModTime().UnixNano(), inode.Number(info)))
		}
	}
	return strings.Join(words, "-")
}

// touched says when anything of the files changed.
func (s imprint) touched() string {
	var words []string
	for _, info := range []fs.FileInfo{s.log, s.metadata} {
		if info != nil {
			words = append(words, strconv.FormatInt(inode.Changed(info), 36))
		}
	}
	return strings.Join(words, "-")
}
