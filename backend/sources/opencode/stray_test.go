package opencode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestPartsOfALostMessage: opencode writes the file of a message over while it answers; where a crash left that empty, or half, what was said
// is in the parts.
func TestPartsOfALostMessage(t *testing.T) {
	for name, left := range map[string]string{"empty": "", "half": `{"id":"msg_2","role":"assis`} {
		home := chat(asked(1, "ask"), answered(2, "what was answered"), asked(3, "more")).home(t, conversation.newer)
		if err := os.WriteFile(filepath.Join(home, ".local/share/opencode/storage/message/ses_2/msg_002.json"), []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		env := sourcetest.Env(t, home)
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if r.Err != nil || r.Damaged != 1 || !strings.Contains(string(r.Log), `"text":"what was answered"`) {
			t.Errorf("%s: %v, %d damaged: %s", name, r.Err, r.Damaged, r.Log)
		}
		const want = "1 message user: ask\n2 note opencode.part:\n3 message user: more\n"
		if r.Story() != want {
			t.Errorf("%s: %s", name, r.Story())
		}
		if seen := r.Seen(t); seen != "user: ask\nuser: more\n" {
			t.Errorf("%s: %s", name, seen)
		}
	}
}
