//go:build window

package window

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const (
	hostileID = "01JD0000000000000000000001"
	// lastWords stand at the end of the hostile conversation: once they are shown, all before them is.
	lastWords = "These are the last words."
	// owned is what the page would say of itself if anything of the conversation had run.
	owned = "owned by the conversation"
)

// reachesOut lists what a browser would ask the address for, or run, were it more than text.
func reachesOut(address string) []string {
	run := "document.title='" + owned + "';document.body.textContent='" + owned + "';fetch('" + address + "/run')"
	return []string{
		`<script>` + run + `</script>`,
		`<script src="` + address + `/script.js"></script>`,
		`<img src="` + address + `/image.png" onerror="` + run + `">`,
		`<svg onload="` + run + `"><image href="` + address + `/svg.png"/></svg>`,
		`<math><mtext></p><style><img src=x onerror="` + run + `"></style></mtext></math>`,
		`<link rel="stylesheet" href="` + address + `/link.css"><link rel="prefetch" href="` + address + `/prefetch">`,
		`<style>@import "` + address + `/import.css"; @font-face { font-family: f; src: url(` + address + `/font) } * { font-family: f }</style>`,
		`<div style="position:fixed;inset:0;background:url(` + address + `/background)">` + owned + ` overlay</div>`,
		`<iframe src="` + address + `/frame"></iframe><iframe srcdoc="<script>parent.` + run + `</script>"></iframe>`,
		`<object data="` + address + `/object"></object><embed src="` + address + `/embed">`,
		`<video src="` + address + `/video" autoplay></video><audio src="` + address + `/audio" autoplay></audio>`,
		`<form action="` + address + `/form"><input autofocus onfocus="` + run + `"></form>`,
		`<meta http-equiv="refresh" content="0;url=` + address + `/refresh"><base href="` + address + `/">`,
		`<details open ontoggle="` + run + `">fold</details>`,
		`![pixel](` + address + `/markdown.png) ![reference][pixel] <` + address + `/auto>`,
		`[press](javascript:` + run + `) [data](data:text/html,<script>` + run + `</script>) [file](file:///etc/passwd)`,
		"```html\n</code></pre><script>" + run + "</script>\n```",
		"[pixel]: " + address + "/reference.png",
	}
}

// hostileLog is a conversation that holds such text wherever a record holds text.
func hostileLog(t *testing.T, address string) string {
	t.Helper()
	all := strings.Join(reachesOut(address), "\n\n")
	words := func(text string) []any { return []any{map[string]any{"type": "text", "text": text}} }
	type fields = map[string]any
	records := []fields{
		{"recordType": "message", "role": "user", "content": words(all)},
		{"recordType": "message", "role": "assistant", "stopReason": "toolUse", "content": []any{
			fields{"type": "thinking", "text": all},
			fields{"type": "toolCall", "id": "c1", "name": all[:200], "arguments": fields{"command": "rm \u202egpj.safe\u200b", "x": all}},
		}},
		{"recordType": "message", "role": "toolResult", "toolCallId": "c1", "isError": true, "content": words(all + "\x1b]0;" + owned + "\x07")},
		{
			"recordType": "compaction", "summary": all, "firstKeptSeq": 2, "tokensBefore": 900, "tokensAfter": 90,
			"readFiles": []string{all[:300]}, "modifiedFiles": []string{}, "trigger": "constructor",
		},
		{"recordType": all[:100], "schemaVersion": 99, "x": all},
		{"recordType": "message", "role": "assistant", "stopReason": "error", "errorMessage": all, "content": words("")},
		{"recordType": "message", "role": "assistant", "stopReason": "stop", "content": words(lastWords)},
	}
	var log strings.Builder
	for i, record := range records {
		record["seq"] = i + 1
		record["timestamp"] = fmt.Sprintf("2026-11-03T09:%02d:00Z", i)
		if record["schemaVersion"] == nil {
			record["schemaVersion"] = 1
		}
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		log.Write(append(line, '\n'))
	}
	return log.String()
}

// TestHostile opens a conversation full of text that would run, load or overlay something in a browser. A server beside
// the window sees whether anything was asked for; the tree of what is shown tells that it is all text, and that the
// window still does what it is told.
func TestHostile(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	canary := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Method+" "+r.URL.String())
	}))
	t.Cleanup(canary.Close)
	// The canary sings when it is asked: else its silence would mean nothing.
	answer, err := http.Get(canary.URL + "/self")
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()

	d := startDesktop(t)
	name := `<img src="` + canary.URL + `/name.png"> hostile`
	folder := filepath.Join(d.dir, "agent", "sessions", hostileID)
	write(t, filepath.Join(folder, "session.jsonl"), hostileLog(t, canary.URL))
	about, err := json.Marshal(map[string]any{
		"id": hostileID, "name": name, "cwd": "/srv/" + name, "createdAt": "2026-11-03T09:00:00Z",
		"lastMessageAt": "2026-11-03T09:06:00Z", "model": name, "messageCount": 5, "source": "interactive",
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "metadata.json"), string(about))

	p := d.start(t)
	row := p.await(t, "", name)
	if err := p.reader.press(row); err != nil {
		t.Fatalf("opening the session: %v\n%v", err, p.look(t))
	}
	p.await(t, "", lastWords)
	// Shown as the text it is, and the command with its hidden characters by name.
	p.await(t, "", `onerror="document.title=`)
	p.await(t, "", "rm ⟨RLO⟩gpj.safe⟨ZWSP⟩")
	// The painted screen holds still: whatever would be loaded was asked for by now.
	d.picture(t)

	tree := p.look(t)
	for _, role := range []string{"frame", "document web", "document frame"} {
		if title := tree.find(role, owned); title != nil && strings.HasPrefix(title.name, owned) {
			t.Errorf("something ran: the window is called %q", title.name)
		}
	}

	// It still answers: another conversation opens at a press.
	if err := p.reader.press(p.await(t, "", sessionName)); err != nil {
		t.Fatalf("opening the other session: %v\n%v", err, p.look(t))
	}
	p.await(t, "", question)

	mu.Lock()
	defer mu.Unlock()
	if len(asked) != 1 || asked[0] != "GET /self" {
		t.Errorf("text of the conversation made the window ask for %q", asked[1:])
	}
}
