//go:build window

package window

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const firstHalf = "The first half of an answer"

// TestCloseDuringATurn sends a message from the window, closes it while the model
// still answers, and finds everything in the log: the message, and what came of the
// answer, marked as stopped.
func TestCloseDuringATurn(t *testing.T) {
	d := startDesktop(t)
	d.env = append(d.env, "PALIMPSEST_BASE_URL="+unfinished(t), "PALIMPSEST_MODEL=example-model")
	p := d.start(t)

	row := p.await(t, "", sessionName)
	if p.look(t).find("", answer) == nil {
		if err := p.reader.press(row); err != nil {
			t.Fatalf("opening the session: %v\n%v", err, p.look(t))
		}
	}
	field := p.await(t, "", "Message to the model")
	if err := d.display.activate(); err != nil {
		t.Fatal(err)
	}
	if err := p.reader.focus(field); err != nil {
		t.Fatal(err)
	}
	if err := d.display.typeKeys("hi\n"); err != nil {
		t.Fatal(err)
	}
	p.await(t, "", firstHalf)

	if err := d.display.closeWindow(); err != nil {
		t.Fatal(err)
	}
	p.ended(t)
	log, err := os.ReadFile(filepath.Join(p.home, "sessions", sessionID, "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	added, found := strings.CutPrefix(string(log), sessionLog)
	if !found {
		t.Fatalf("what was in the log has changed:\n%s", log)
	}
	for i, want := range []struct{ role, text, stop string }{{"user", "hi", ""}, {"assistant", firstHalf, "aborted"}} {
		line := strings.Split(added, "\n")[i]
		var got struct {
			Role, StopReason string
			Content          []struct{ Text string }
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil || got.Role != want.role || got.StopReason != want.stop ||
			len(got.Content) != 1 || got.Content[0].Text != want.text {
			t.Errorf("record %d is %s (%v), want %v", i+3, line, err, want)
		}
	}
	if n := strings.Count(added, "\n"); n != 2 {
		t.Errorf("%d records were added, want 2:\n%s", n, added)
	}
}

// unfinished serves a model that begins an answer and never ends it.
func unfinished(t *testing.T) (baseURL string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"example-model"}]}`)
	})
	over := make(chan struct{})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", firstHalf)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-over:
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		close(over)
		server.Close()
	})
	return server.URL + "/v1"
}
