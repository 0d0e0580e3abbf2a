package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLittleIsHeldOfAMessage: of a session of many short messages, of which none was compacted, little is held of each, and none of its texts.
func TestLittleIsHeldOfAMessage(t *testing.T) {
	const messages = 6000
	b := abroad(t, t.TempDir())
	s, err := b.New(NewSession{})
	newsMust(t, err)
	var log strings.Builder
	head := func(i int) string {
		return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T10:00:00Z",`, i)
	}
	text := strings.Repeat("a word ", 150)
	for i := 1; i < messages; i += 3 {
		fmt.Fprintf(&log, `%s"role":"user","content":[{"type":"text","text":"%s"}]}`+"\n", head(i), text)
		fmt.Fprintf(&log, `%s"role":"assistant","provider":"p","model":"m","stopReason":"toolUse","usage":{"input":%d,"output":1},"content":[{"type":"text","text":"%s"},{"type":"toolCall","id":"call_%d","name":"read","arguments":{"path":"a.go"}}]}`+"\n", head(i+1), i, text, i)
		fmt.Fprintf(&log, `%s"role":"toolResult","toolCallId":"call_%d","isError":false,"content":[{"type":"text","text":"%s"}]}`+"\n", head(i+2), i, text)
	}
	newsMust(t, os.WriteFile(filepath.Clean(b.store.LogPath(s.ID)), []byte(log.String()), 0o600))
	for name, of := range map[string]struct {
		most int64 // bytes of a message
		do   func() error
	}{
		"context": {400, func() error { return seenWhole(b, s.ID, 0) }},
		"compact": {800, func() error {
			_, err := b.Compact(t.Context(), s.ID, Compact{DryRun: true, Offline: true})
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if held := mostHeld(func() { newsMust(t, of.do()) }); held > messages*of.most {
				t.Errorf("%d bytes are held of a message", held/messages)
			}
		})
	}
}
