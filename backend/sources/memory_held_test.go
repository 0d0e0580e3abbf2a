package sources

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/heaptest"
)

// TestMemoryHoldsLittle: of a file that told of a session, little more is held than what it told, by who asked as well.
func TestMemoryHoldsLittle(t *testing.T) {
	const files, most = 4000, 390 // bytes a file, of which its path and its texts are 200
	m, first := OpenMemory(filepath.Join(t.TempDir(), "found"), "v1"), strings.Repeat("a word ", 14)
	before := heaptest.InUse()
	for i := range files {
		id := fmt.Sprintf("%036d", i)
		path := "/home/dev/sessions/" + id
		told := m.keep(keyOf("a", path), &Told{Found: Found{
			ID: id, Files: []string{path}, FirstMessage: strings.Clone(first), CreatedAt: time.Unix(1, 0), UpdatedAt: time.Unix(2, 0), Bytes: 1 << 10,
		}})
		if told.Found.ID != id || told.Found.FirstMessage != first || told.Found.Files[0] != path {
			t.Fatalf("%+v", told.Found)
		}
	}
	if held := (heaptest.InUse() - before) / files; held > most {
		t.Errorf("%d bytes are held of a file", held)
	}
	runtime.KeepAlive(m)
}
