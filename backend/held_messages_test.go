package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/many"
)

// TestLittleIsHeldOfAMessage: of a session of many short messages, of which none was compacted, little is held of each, and none of its texts.
func TestLittleIsHeldOfAMessage(t *testing.T) {
	const messages = 6000
	b := abroad(t, t.TempDir())
	id := manyShort(t, b, messages, 150)
	for name, of := range map[string]struct {
		most int64 // bytes of a message
		do   func() error
	}{
		"context": {400, func() error { return seenWhole(b, id, 0) }},
		"compact": {800, func() error {
			_, err := b.Compact(t.Context(), id, Compact{DryRun: true, Offline: true})
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

// TestContextHoldsNothingOfAMessage: one of fifteen times as many messages takes no more memory, now or as of a record.
func TestContextHoldsNothingOfAMessage(t *testing.T) {
	many.TestOnlyLittle(t)
	const few, all, most = 4000, 60_000, 4 << 20 // of which most is what comes while the collector runs
	b := abroad(t, t.TempDir())
	ids := map[int]string{few: manyShort(t, b, few, 1), all: manyShort(t, b, all, 1)}
	for name, at := range map[string]int64{"now": 0, "as of a record": few - 4} {
		t.Run(name, func(t *testing.T) {
			heldOf := func(messages int) int64 {
				return mostHeld(func() { newsMust(t, seenWhole(b, ids[messages], at*int64(messages/few))) })
			}
			heldOf(few) // what is made once
			if less, held := heldOf(few), heldOf(all); held > less+most {
				t.Errorf("%d bytes are held, and of a fifteenth of it %d", held, less)
			}
		})
	}
}

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
