package backend

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// TestImportOfMessagesWithoutTimes: a copy in which no message has a time was said last when its original was, as the list has it, not when that was
// begun; one that goes on here has the time of that.
func TestImportOfMessagesWithoutTimes(t *testing.T) {
	for id, write := range map[string]func(home string, at time.Time, said ...string){
		"picoclaw:cli:legacy": func(home string, at time.Time, said ...string) {
			all := make([]string, len(said))
			for i, one := range said {
				all[i] = fmt.Sprintf(`{"role":"user","content":%q}`, one)
			}
			sourcetest.Write(t, home, ".picoclaw/workspace/sessions/cli_legacy.json", fmt.Sprintf(
				`{"key":"cli:legacy","messages":[%s],"created":"2026-01-02T10:00:00Z","updated":%q}`, strings.Join(all, ","), at.Format(time.RFC3339)))
		},
		"crabtalk:crab_user_1": func(home string, at time.Time, said ...string) {
			text := `{"agent":"crab","created_by":"user","created_at":"2026-01-02T10:00:00Z","uptime_secs":1}` + "\n"
			for _, one := range said {
				text += fmt.Sprintf(`{"role":"user","content":%q}`+"\n", one)
			}
			newsMust(t, os.Chtimes(sourcetest.Write(t, home, ".crabtalk/sessions/crab_user_1.jsonl", text), at, at))
		},
	} {
		t.Run(id, func(t *testing.T) {
			home := t.TempDir()
			b := abroad(t, home)
			at := time.Date(2026, 2, 3, 10, 0, 0, 0, time.UTC)
			var made Import
			for i, said := range [][]string{{"one"}, {"one", "two"}} {
				at = at.AddDate(0, i, 0)
				write(home, at, said...)
				var err error
				made, err = b.Import(t.Context(), id)
				newsMust(t, err)
				theirs, err := b.Get(id)
				newsMust(t, err)
				if made.LastMessageAt != theirs.LastMessageAt || made.LastMessageAt != stamp(at) || made.CreatedAt != "2026-01-02T10:00:00Z" {
					t.Errorf("%d: %s, begun %s, and the original %s", i, made.LastMessageAt, made.CreatedAt, theirs.LastMessageAt)
				}
				if checked, err := b.Check(made.ID); err != nil || checked.Metadata != "ok" {
					t.Errorf("%+v, %v", checked, err)
				}
			}
			const later = "2026-05-01T00:00:00Z"
			_, err := b.Append(t.Context(), made.ID, strings.NewReader(
				`{"recordType":"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"mine"}],"timestamp":"`+later+`"}`))
			newsMust(t, err)
			if ours, err := b.Get(made.ID); err != nil || ours.LastMessageAt != later {
				t.Errorf("continued: %s, %v", ours.LastMessageAt, err)
			}
		})
	}
}
