package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manyShort is a session of short messages, of which none was compacted: a third each a user's, answers with a call, and results.
func manyShort(t *testing.T, b *Backend, messages, words int) (id string) {
	t.Helper()
	s, err := b.New(NewSession{})
	newsMust(t, err)
	var log strings.Builder
	head := func(i int) string {
		return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T10:00:00Z",`, i)
	}
	text := strings.Repeat("a word ", words)
	for i := 1; i < messages; i += 3 {
		fmt.Fprintf(&log, `%s"role":"user","content":[{"type":"text","text":"%s"}]}`+"\n", head(i), text)
		fmt.Fprintf(&log, `%s"role":"assistant","provider":"p","model":"m","stopReason":"toolUse","usage":{"input":%d,"output":1},"content":[{"type":"text","text":"%s"},{"type":"toolCall","id":"call_%d","name":"read","arguments":{"path":"a.go"}}]}`+"\n", head(i+1), i, text, i)
		fmt.Fprintf(&log, `%s"role":"toolResult","toolCallId":"call_%d","isError":false,"content":[{"type":"text","text":"%s"}]}`+"\n", head(i+2), i, text)
	}
	newsMust(t, os.WriteFile(filepath.Clean(b.store.LogPath(s.ID)), []byte(log.String()), 0o600))
	return s.ID
}
