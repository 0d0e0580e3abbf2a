package server

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend"
)

// follow opens a stream of news; its lines come on the channel, which is closed at its end.
func (s *serving) follow() (lines <-chan string, leave func()) {
	s.t.Helper()
	ctx, leave := context.WithCancel(s.t.Context())
	response, err := http.DefaultClient.Do(s.authorized("GET", "/api/events", "").WithContext(ctx)) //nolint:bodyclose // below
	must(s.t, err)
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" || response.Header.Get("Cache-Control") != "no-store" {
		s.t.Fatalf("%d %v", response.StatusCode, response.Header)
	}
	channel := make(chan string, 1000)
	go func() {
		defer close(channel)
		defer response.Body.Close()
		for scanner := bufio.NewScanner(response.Body); scanner.Scan(); {
			channel <- scanner.Text()
		}
	}()
	return channel, leave
}

func next(t *testing.T, lines <-chan string, wanted func(line string) bool) string {
	t.Helper()
	timeout := time.After(deadline)
	for {
		select {
		case line, open := <-lines:
			if !open {
				t.Fatal("the stream ended")
			}
			if wanted(line) {
				return line
			}
		case <-timeout:
			t.Fatal("what is wanted does not come")
		}
	}
}

func isNews(line string) bool { return strings.HasPrefix(line, "data:") }

func ended(t *testing.T, lines <-chan string) {
	t.Helper()
	timeout := time.After(deadline)
	for {
		select {
		case _, open := <-lines:
			if !open {
				return
			}
		case <-timeout:
			t.Fatal("the stream does not end")
		}
	}
}

func TestEvents(t *testing.T) {
	s := listen(t, Options{})
	lines, leave := s.follow()
	defer leave()
	next(t, lines, func(line string) bool { return line == ":" }) // a sign of life
	id := s.made()
	line := next(t, lines, isNews)
	var event struct {
		SessionID string         `json:"sessionId"`
		TurnID    *string        `json:"turnId"`
		N         int64          `json:"n"`
		Kind      string         `json:"kind"`
		Data      map[string]any `json:"data"`
	}
	must(t, json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &event))
	if event.SessionID != id || event.TurnID != nil || event.N != 1 || event.Kind != "created" || event.Data == nil {
		t.Errorf("%s", line)
	}
	if next(t, lines, func(string) bool { return true }) != "" {
		t.Error("an event ends with an empty line")
	}
	must(t, os.WriteFile(filepath.Join(s.home, "config.yaml"), []byte("theme: dark\n"), 0o600))
	if line := next(t, lines, isNews); !strings.Contains(line, `"sessionId":null`) || !strings.Contains(line, `"kind":"config"`) {
		t.Errorf("%s", line)
	}
	s.end()
	ended(t, lines)
}

func TestEventsEnd(t *testing.T) {
	s := listen(t, Options{})
	gone, leave := s.follow()
	leave()
	ended(t, gone)
	lines, leave := s.follow()
	defer leave()
	next(t, lines, func(line string) bool { return line == ": news" })
	s.backend.Close()
	ended(t, lines)
	s.end()
}

func TestEventsNeedTheToken(t *testing.T) {
	s := listen(t, Options{})
	defer s.end()
	s.refused(http.StatusUnauthorized, codeUnauthorised, "GET", "/api/events", "", "Authorization", "")
	if a := s.do(s.authorized("HEAD", "/api/events", "")); a.status != http.StatusOK || a.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%d %v", a.status, a.header)
	}
}

// TestEventsOfAnotherBackend is the way of news that another part of the world made to a browser.
func TestEventsOfAnotherBackend(t *testing.T) {
	s := listen(t, Options{})
	defer s.end()
	lines, leave := s.follow()
	defer leave()
	id := s.made()
	next(t, lines, isNews)
	other, err := backend.Open(backend.Options{Home: s.home})
	must(t, err)
	_, err = other.Append(t.Context(), id, strings.NewReader(message("from elsewhere")))
	must(t, err)
	line := next(t, lines, func(line string) bool { return strings.Contains(line, `"kind":"changed"`) })
	if !strings.Contains(line, id) {
		t.Errorf("%s", line)
	}
	must(t, other.Trash(t.Context(), id))
	next(t, lines, func(line string) bool { return strings.Contains(line, `"kind":"removed"`) })
}
