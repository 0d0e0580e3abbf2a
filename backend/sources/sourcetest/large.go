package sourcetest

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// Stretch makes a file as long as that; what is added takes no place on a disk.
func Stretch(t testing.TB, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

// Overlong are the notes of what was too long to be read, each with its place, what it is and how long.
func (r *Reading) Overlong() string {
	var all []string
	for line := range bytes.Lines(r.Log) {
		if note := gjson.ParseBytes(line); strings.HasSuffix(note.Get("namespace").Str, record.Overlong) {
			all = append(all, fmt.Sprintf("%s: %s of %s", note.Get("origin.entry").Str, note.Get("data.what").Str, note.Get("data.bytes").Raw))
		}
	}
	return strings.Join(all, ", ")
}
