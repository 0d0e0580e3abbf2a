package claudecode

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"strings"

	"palimpsest/backend/sources"
)

// spilled says of the folders of sessions what the files are like in which results of tools stand that were too long. What names them stands
// anywhere in a session: all count. A session that is restored may be there before them.
type spilled map[string]string

// add takes a file, if it is one of those. Files come in the order of their names.
func (s spilled) add(path string, entry fs.DirEntry) {
	dir := filepath.Dir(path)
	if filepath.Base(dir) != "tool-results" {
		return
	}
	folder := filepath.Dir(dir)
	sum := fnv.New64a()
	fmt.Fprintf(sum, "%s %s %s", s[folder], entry.Name(), stateOf(entry))
	s[folder] = fmt.Sprintf("spilled %x", sum.Sum64())
}

// spilledMost is how long a session may be that is read again for what is spilled.
const spilledMost = 8 << 20

// of is what is spilled of a session. A subagent's stands in the folder of the session that started it, with that of all others: it changes
// again and again with no word of this one. So it does for a session that waits for its subagents: one that takes long to read again is not.
func (s spilled) of(found *sources.Found) string {
	if found.Relation == sources.Subagent || found.Bytes > spilledMost {
		return ""
	}
	return s[strings.TrimSuffix(found.Files[0], ".jsonl")]
}

// stateOf is what a file is like, as far as a look at it tells.
func stateOf(entry fs.DirEntry) string {
	info, err := entry.Info()
	if err != nil {
		return "gone" // since it was listed
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}
