package opencode

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestPartsOfALostMessage: opencode writes the file of a message over while it answers; where a crash left that empty, or half, what was said
// is in the parts.
func TestPartsOfALostMessage(t *testing.T) {
	for name, left := range map[string]string{"empty": "", "half": `{"id":"msg_2","role":"assis`} {
		answer := append(answered(2, "what was answered"), `{"id":"prt_0021","type":"step-finish","reason":"stop"}`)
		home := chat(asked(1, "ask"), answer, asked(3, "more")).home(t, conversation.newer)
		for _, message := range []string{"msg_002", "msg_003"} {
			if err := os.WriteFile(filepath.Join(home, ".local/share/opencode/storage/message/ses_2", message+".json"), []byte(left), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		env := sourcetest.Env(t, home)
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if r.Err != nil || r.Damaged != 2 {
			t.Errorf("%s: %v, %d damaged", name, r.Err, r.Damaged)
		}
		const want = "1 message user: ask\n2 message assistant: what was answered (stop)\n3 message user: more\n"
		if r.Story() != want {
			t.Errorf("%s: %s", name, r.Story())
		}
	}
}
