package session

import (
	"bytes"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// UndoNamespace is that of the notes that say which changes of files were taken back.
const UndoNamespace = "file-undo"

// Edits is what tools did to files in a session: lines added and removed, less those that were taken back, and how many
// files were touched.
type Edits struct {
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
	Files     int `json:"files"`
}

// editCounts are the numbers, and the files that they are about: the next change may be of one of them.
type editCounts struct {
	additions, deletions int
	// files are their paths with NUL behind each, so that counts can be compared; of very many only those that fit.
	files string
	more  int
}

// filesMost bounds the paths that are remembered, in bytes. Of what comes after them each change counts as one more file.
const filesMost = 64 << 10

// countEdits takes what a tool result says that it changed. Few say so.
func (c *editCounts) countEdits(content []byte) {
	if bytes.Contains(content, []byte(`"changes":[`)) {
		gjson.GetBytes(content, "changes").ForEach(func(_, change gjson.Result) bool {
			c.count(change, linesIn(change.Get("additions")), linesIn(change.Get("deletions")))
			return true
		})
	}
}

func (c *editCounts) countUndo(rec *record.Record) {
	if rec.Note != nil && rec.Note.Namespace == UndoNamespace {
		gjson.Get(rec.JSON, "data.changes").ForEach(func(_, change gjson.Result) bool {
			additions, deletions := undoneIn(change)
			c.count(change, additions, deletions)
			return true
		})
	}
}

// undoneIn are the lines of a change that takes others back: less theirs or, where it does not say, its own the other way
// round.
func undoneIn(change gjson.Result) (additions, deletions int) {
	if counts := change.Get("counts"); counts.IsObject() {
		return signed(counts.Get("additions")), signed(counts.Get("deletions"))
	}
	return -linesIn(change.Get("deletions")), -linesIn(change.Get("additions"))
}

// count takes one change.
func (c *editCounts) count(change gjson.Result, additions, deletions int) {
	path := change.Get("path")
	if path.Type != gjson.String || path.Str == "" || strings.ContainsRune(path.Str, 0) {
		return
	}
	c.additions, c.deletions = max(c.additions+additions, 0), max(c.deletions+deletions, 0)
	entry := path.Str + "\x00"
	switch {
	case strings.HasPrefix(c.files, entry) || strings.Contains(c.files, "\x00"+entry):
	case len(c.files)+len(entry) > filesMost:
		c.more++
	default:
		c.files += entry
	}
}

// linesIn is a number of lines, whatever somebody else has written there.
func linesIn(value gjson.Result) int { return max(signed(value), 0) }

func signed(value gjson.Result) int {
	const most = 1 << 30
	return int(min(max(value.Int(), -most), most))
}

// edits are the numbers, nil if no file was changed.
func (c *editCounts) edits() *Edits {
	files := strings.Count(c.files, "\x00") + c.more
	if files == 0 {
		return nil
	}
	return &Edits{c.additions, c.deletions, files}
}

// paths are the files that are remembered.
func (c *editCounts) paths() []string {
	if c.files == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(c.files, "\x00"), "\x00")
}

// editCountsOf are the counts as metadata has them.
func editCountsOf(m *Metadata) (c editCounts) {
	if m.Edits == nil || m.Log == nil {
		return c
	}
	for _, path := range m.Log.Files {
		c.files += path + "\x00"
	}
	c.additions, c.deletions, c.more = m.Edits.Additions, m.Edits.Deletions, max(m.Edits.Files-len(m.Log.Files), 0)
	return c
}
