package backend

import (
	"fmt"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// TestClearedInFiles: what opencode clears in files of its own, and notes nowhere else, the model does not see, by a search either.
func TestClearedInFiles(t *testing.T) {
	const storage = ".local/share/opencode/storage/"
	home, now := t.TempDir(), time.Now().UnixMilli()
	write := func(place, text string) { sourcetest.Write(t, home, storage+place, text) }
	write("message/ses_1/msg_1.json", fmt.Sprintf(`{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":%d}}`, now))
	write("part/msg_1/prt_1.json", `{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"list"}`)
	write("message/ses_1/msg_2.json", fmt.Sprintf(`{"id":"msg_2","sessionID":"ses_1","role":"assistant","parentID":"msg_1","modelID":"m","providerID":"p","finish":"stop","time":{"created":%d,"completed":%d}}`, now, now))
	tool := func(cleared string) {
		write("part/msg_2/prt_2.json", `{"id":"prt_2","messageID":"msg_2","sessionID":"ses_1","type":"tool","callID":"c","tool":"bash",`+
			`"state":{"status":"completed","input":{"command":"ls"},"output":"walnut","title":"ls","metadata":{"exit":0},"time":{"start":1,"end":2`+cleared+`}}}`)
	}
	tool("")
	write("message/ses_1/msg_3.json", fmt.Sprintf(`{"id":"msg_3","sessionID":"ses_1","role":"user","time":{"created":%d}}`, now))
	write("part/msg_3/prt_3.json", `{"id":"prt_3","messageID":"msg_3","sessionID":"ses_1","type":"text","text":"more"}`)
	write("session/p/ses_1.json", fmt.Sprintf(`{"id":"ses_1","projectID":"p","directory":"/w","title":"T","time":{"created":%d,"updated":%d}}`, now, now))
	b := abroad(t, home)
	scanned(t, b)
	if seen := look(t, b, "walnut in:context"); len(seen.Hits) != 1 {
		t.Errorf("the model sees %d", len(seen.Hits))
	}
	tool(`,"compacted":3`)
	scanned(t, b)
	if seen, dropped := look(t, b, "walnut in:context"), look(t, b, "walnut in:dropped"); len(seen.Hits) != 0 || len(dropped.Hits) != 1 {
		t.Errorf("once it was cleared the model sees %d, and not %d", len(seen.Hits), len(dropped.Hits))
	}
}
