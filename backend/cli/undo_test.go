package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend"
)

// meddling is a standard output that does something once it has been written to.
type meddling struct {
	bytes.Buffer

	do func()
}

func (m *meddling) Write(p []byte) (int, error) {
	if m.Len() == 0 {
		m.do()
	}
	return m.Buffer.Write(p)
}

// TestUndoIsWhatWasPrinted: a file that changes between the difference and the deed is not touched, and the exit code says so.
func TestUndoIsWhatWasPrinted(t *testing.T) {
	b, _ := home(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.New(backend.NewSession{Cwd: dir})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "made.txt")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
	write("by the agent\n")
	sum := sha256.Sum256([]byte("by the agent\n"))
	quoted, err := json.Marshal(path)
	if err != nil {
		t.Fatal(err)
	}
	result := fmt.Sprintf(`{"recordType":"message","role":"toolResult","toolCallId":"a","toolName":"write","content":[],`+
		`"changes":[{"path":%s,"before":null,"after":%q,"additions":1,"deletions":0}]}`, quoted, hex.EncodeToString(sum[:]))
	if _, err := b.Append(t.Context(), s.ID, strings.NewReader(result)); err != nil {
		t.Fatal(err)
	}
	out := &meddling{do: func() { write("by somebody else\n") }}
	var stderr bytes.Buffer
	code := Run(t.Context(), []string{"revert", s.ID, "--files", "0", "--yes"}, Streams{Out: out, Err: &stderr}, Deps{})
	if code == ExitDone || !strings.Contains(out.String(), "-by the agent") || !strings.Contains(stderr.String(), "not what was shown any more; no file was changed") {
		t.Errorf("%d, %s, %s", code, out, &stderr)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "by somebody else\n" {
		t.Errorf("%q, %v", text, err)
	}
}
