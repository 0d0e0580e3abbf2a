package pi

import (
	"path/filepath"
	"testing"

	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sourcetest"
)

// TestATornEndIsNotCounted: what is being written is no message yet, and one where only the end of its line is missing is.
func TestATornEndIsNotCounted(t *testing.T) {
	const head = `{"type":"session","version":3,"id":"a","timestamp":"2026-11-22T01:00:00.000Z","cwd":"/w"}` + "\n" +
		`{"type":"message","id":"1","parentId":null,"message":{"role":"user","content":"one"}}` + "\n"
	const last = `{"type":"message","id":"2","parentId":"1","message":{"role":"user","content":"two"}}`
	for text, want := range map[string]int{head: 1, head + last[:len(last)-20]: 1, head + last: 2, head + last + "\n": 2} {
		path := sourcetest.Write(t, t.TempDir(), "s.jsonl", text)
		file, err := jsonl.Open(path)
		if found := look(filepath.Clean(path), file, err); found.Messages == nil || *found.Messages != want {
			t.Errorf("%q: %+v", text[len(head):], found)
		}
	}
}
