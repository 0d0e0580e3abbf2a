//go:build unix && !race

package tools_test

import (
	"os"
	"strings"
	"testing"
)

// What is shown of a huge file costs no more than it: the file here has no blocks on the disk.
func TestHugeFile(t *testing.T) {
	r := newRig(t)
	r.put("huge", numbered(3000))
	r.must(os.Truncate(r.path("huge"), 4<<40))
	got := r.run("read", given{"path": "huge", "limit": 10})
	if got.IsError || !strings.Contains(got.Text, "[lines 1 to 10 of more than ") {
		t.Errorf("%v, %q", got.IsError, got.Text)
	}
	r.fails("read", given{"path": "huge", "offset": 1 << 20}, "only its first 64 MiB can be read")
	r.fails("edit", given{"path": "huge", "oldText": "x", "newText": "y"}, "too large")
	r.fails("write", given{"path": "huge", "content": "y"}, "too large")
	r.fails("grep", given{"path": "huge", "pattern": "y"}, "too large")
	r.gives("grep", given{"pattern": "line 5$"}, "[no matches]\n[some files were too large, or could not be read]\n")
}
