package backend

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestImportWhereTheHeaderIsWrittenAnew: some agents note in the first line of a file how it stands now. That is no part of the conversation: a copy
// gets what is new behind it, and is the one also where it was continued and nothing is.
func TestImportWhereTheHeaderIsWrittenAnew(t *testing.T) {
	for id, write := range map[string]func(home string, header int, said ...string){
		"gemini:s1": func(home string, header int, said ...string) {
			text := fmt.Sprintf(`{"sessionId":"s1","startTime":"2026-01-02T10:00:00Z","lastUpdated":"2026-01-02T10:00:%dZ","messages":[`, 10+header)
			for i, one := range said {
				text += []string{"", ","}[min(i, 1)] + fmt.Sprintf(`{"id":"m%d","type":"user","timestamp":"2026-01-02T10:00:00Z","content":%q}`, i, one)
			}
			sourcetest.Write(t, home, ".gemini/tmp/x/chats/session-2026-01-02T10-00-s1.json", text+"]}")
		},
		"crabtalk:crab_user_1": func(home string, header int, said ...string) {
			text := fmt.Sprintf(`{"agent":"crab","created_by":"user","created_at":"2026-01-02T10:00:%02dZ","uptime_secs":%d}`+"\n", header, 1000*header)
			for _, one := range said {
				text += fmt.Sprintf(`{"role":"user","content":%q}`+"\n", one)
			}
			sourcetest.Write(t, home, ".crabtalk/sessions/crab_user_1.jsonl", text)
		},
	} {
		t.Run(id, func(t *testing.T) {
			home := t.TempDir()
			b := abroad(t, home)
			bring := func(did string) Import {
				t.Helper()
				made, err := b.Import(t.Context(), id)
				newsMust(t, err)
				if checked, err := b.Check(made.ID); made.Did != did || err != nil || len(checked.Damage) > 0 || checked.Metadata != "ok" {
					t.Errorf("%s, not %s: %+v, %v", made.Did, did, checked, err)
				}
				return made
			}
			write(home, 1, "one")
			first := bring(ImportCreated)
			for _, step := range []struct {
				did  string
				said []string
			}{
				{ImportUpdated, []string{"one", "two"}},
				{ImportUnchanged, []string{"one", "two"}},
				{ImportUpdated, []string{"one", "two", "three"}},
			} {
				write(home, 2+len(step.said), step.said...)
				if made := bring(step.did); made.ID != first.ID || *made.MessageCount != len(step.said) || made.Replaced != nil || made.Earlier != nil {
					t.Errorf("%v: %+v", step, made)
				}
				sameContext(t, b, id, first.ID)
			}
			write(home, 7, "one", "another", "three")
			other := bring(ImportUpdated)
			if other.Replaced == nil || *other.Replaced != first.ID {
				t.Errorf("what was said is another: %+v", other)
			}
			_, err := b.Append(t.Context(), other.ID, strings.NewReader(`{"recordType":"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"mine"}]}`))
			newsMust(t, err)
			write(home, 8, "one", "another", "three")
			if made := bring(ImportUnchanged); made.ID != other.ID || made.Earlier != nil {
				t.Errorf("continued: %+v", made)
			}
			write(home, 9, "one", "another", "three", "four")
			if made := bring(ImportCreated); made.Earlier == nil || *made.Earlier != other.ID {
				t.Errorf("both went on: %+v", made)
			}
		})
	}
}
