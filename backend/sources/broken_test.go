package sources

import (
	"bytes"
	"strings"
	"testing"

	"palimpsest/backend/record"
)

// TestBehindATornRecord: what was written on the same line behind a record that a crash tore is shown, and in no context, for its agent reads
// no such line; what was torn is kept as damage.
func TestBehindATornRecord(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"a","text":"one{"type":"b","text":"two"}`: `{"type":"b","text":"two"}`,
		`{"type":"a","text":{"type":"b"}`:                  "",
		`{"type":"a","t{"type":"b"}{"type":"c"}`:           `{"type":"b"}{"type":"c"}`,
		`{"type":"a","text":"one"}{"type":"b"}`:            `{"type":"a","text":"one"}{"type":"b"}`,
	} {
		var out bytes.Buffer
		log := NewLog("codex", "s", &out, nil)
		log.Broken([]byte(line))
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if want == "" {
			if len(lines) != 1 || lines[0] != line || log.Damaged() != 1 {
				t.Errorf("%s: %q", line, lines)
			}
			continue
		}
		if len(lines) != 2 || lines[0]+want != line && lines[0] != line || log.Damaged() != 1 {
			t.Fatalf("%s: %q", line, lines)
		}
		rec, err := record.Decode([]byte(lines[1]))
		if note := rec.Note; err != nil || note == nil || note.Namespace != "codex.behind" || !note.Display || !note.Aside || note.Content[0].Text != want {
			t.Errorf("%s: %s", line, lines[1])
		}
	}
}
