package backend

import (
	"fmt"
	"testing"

	"palimpsest/backend/session"
)

// TestExportOfWhatAnEarlierReplacementStandsIn: what a compaction keeps may begin with one that put other messages in its place, or before
// it; then what that put there is no part of the context.
func TestExportOfWhatAnEarlierReplacementStandsIn(t *testing.T) {
	b := abroad(t, t.TempDir())
	const compaction = `{"recordType":"compaction","schemaVersion":1,"seq":%d,"firstKeptSeq":%d,"summary":"s","tokensBefore":1,"readFiles":[],"modifiedFiles":[]%s}` + "\n"
	const replacement = `,"replacement":[{"role":"user","content":[{"type":"text","text":"instead"}]},{"role":"user","content":[{"type":"text","text":"and"}]}]`
	for kept := range int64(6) {
		ours, err := b.store.Import(session.New{}, []byte(said(1, "user", "one")+said(2, "assistant", "two")+fmt.Sprintf(compaction, 3, 2, replacement)+
			said(4, "user", "four")+fmt.Sprintf(compaction, 5, kept+1, "")+said(6, "user", "six")))
		newsMust(t, err)
		exportedIsTheSame(t, b, ours.ID)
	}
}
