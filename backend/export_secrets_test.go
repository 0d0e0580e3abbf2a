package backend

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/secrets"
)

// planted is a key that nobody ever had.
var planted = "ghp_" + strings.Repeat("aB3dE6gH9", 4)

// TestExportsWithoutSecrets: wherever one stands in a session, of ours or of another agent, no format has it, and with all of them it is whole.
func TestExportsWithoutSecrets(t *testing.T) {
	home := t.TempDir()
	records := []string{
		`{"recordType":"message","role":"user","content":[{"type":"text","text":"with KEY"}]}`,
		`{"recordType":"message","role":"assistant","content":[{"type":"thinking","text":"KEY"},{"type":"toolCall","id":"c","name":"f","arguments":{"a":["KEY"],"password":"hunter2"}}],"stopReason":"error","errorMessage":"KEY"}`,
		`{"recordType":"message","role":"toolResult","toolCallId":"c","isError":false,"content":[{"type":"text","text":"DB_PASSWORD=hunter2\nKEY"}]}`,
		`{"recordType":"prune","seqs":[3],"tokensFreed":0,"texts":["in place of KEY"]}`,
		`{"recordType":"label","targetSeq":1,"label":"KEY"}`,
		`{"recordType":"note","namespace":"n","content":[{"type":"text","text":"KEY"}],"data":{"x":"KEY"},"display":true}`,
		`{"recordType":"compaction","firstKeptSeq":1,"summary":"of KEY","tokensBefore":1,"readFiles":["KEY"],"modifiedFiles":[]}`,
		`{"recordType":"branch","fromSeq":1,"summary":"from KEY"}`,
	}
	b := abroad(t, home)
	own, err := b.New(NewSession{Name: "named KEY " + planted, Cwd: "/w/" + planted})
	newsMust(t, err)
	_, err = b.Append(t.Context(), own.ID, strings.NewReader(strings.ReplaceAll(strings.Join(records, "\n"), "KEY", planted)))
	newsMust(t, err)
	log := filepath.Join(b.Home(), "sessions", own.ID, "session.jsonl")
	before, err := os.ReadFile(log)
	newsMust(t, err)
	lines := map[string]int{}
	for _, format := range []string{"markdown", "pi"} {
		for _, keep := range []bool{false, true} {
			var out bytes.Buffer
			n, err := b.Export(t.Context(), own.ID, ExportOptions{Format: format, Secrets: keep}, &out)
			newsMust(t, err)
			if has := strings.Contains(out.String(), planted) || strings.Contains(out.String(), "hunter2"); has != keep || (n == 0) != keep {
				t.Errorf("%s, kept %t: %d left out of\n%s", format, keep, n, out.String())
			}
			if got := strings.Count(out.String(), secrets.Removed); format == "pi" && got != n {
				t.Errorf("%d left out, and %d are said to be", got, n)
			}
			if count := strings.Count(out.String(), "\n"); lines[format] != 0 && lines[format] != count {
				t.Errorf("%s has %d lines, and %d with secrets", format, lines[format], count)
			} else {
				lines[format] = count
			}
			for line := range strings.Lines(out.String()) {
				if format == "pi" && !json.Valid([]byte(line)) {
					t.Errorf("%s", line)
				}
			}
		}
	}
	made, err := b.ExportTo(t.Context(), own.ID, ExportOptions{Format: "markdown"}, t.TempDir())
	newsMust(t, err)
	if strings.Contains(made.Path, planted) || made.SecretsLeftOut == 0 {
		t.Errorf("%+v", made)
	}
	var whole bytes.Buffer
	n, err := b.Export(t.Context(), own.ID, ExportOptions{Format: "jsonl"}, &whole)
	newsMust(t, err)
	after, err := os.ReadFile(log)
	newsMust(t, err)
	if n != 0 || !bytes.Equal(whole.Bytes(), before) || !bytes.Equal(before, after) {
		t.Errorf("%d left out; the log is not as it is", n)
	}
}
